"""How good is a predictor? Seeded pursuits, the same losses for all, measured with intervals.

Takes layouts and names of predictors, gives an `Evaluation`. Does not bake levels and draws nothing.
"""
