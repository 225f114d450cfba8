"""The flood: spreads heat over cells to predict a destination."""
