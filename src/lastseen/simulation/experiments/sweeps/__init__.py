"""Sweeps: evaluations over many parameters, levels and seeds, defined in a file and stored as Parquet.

Takes a sweep file, returns a folder of results that grows safely and can be resumed. Draws nothing.
"""
