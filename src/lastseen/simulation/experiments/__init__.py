"""Experiments: measure predictors, searches, crews and placements, once or swept over many parameters.

`harness` runs and summarises them; each other folder declares one experiment, in its `experiment.py`.
"""
