"""Where do guards belong, and can a level still be sneaked through?

Takes levels, intended paths and what guards see; gives routes of guards, solutions of players, and how alike they are.
"""
