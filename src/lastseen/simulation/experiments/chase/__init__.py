"""Evaluation of predictors in seeded pursuits, with the same losses for all.

Takes layouts and names of predictors, returns an `Evaluation`. Bakes no levels, draws no pictures.
"""
