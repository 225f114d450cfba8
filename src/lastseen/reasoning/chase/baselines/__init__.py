"""Baselines: simple predictors to compare the chase with."""
