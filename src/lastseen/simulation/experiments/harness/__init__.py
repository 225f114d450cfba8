"""One harness for all experiments: cases x seeds x variants give rows.

Takes experiments declared elsewhere, one file each; does seeds, processes, clusters, progress, resuming, results,
intervals and JSON once for all. Draws nothing and knows no experiment by name.
"""
