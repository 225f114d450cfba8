"""Time: pursuits run step by step, and how well predictors do in them.

Takes cells and predictors, gives outcomes and tables. Does not know how they are shown.
"""
