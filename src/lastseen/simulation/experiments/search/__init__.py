"""Evaluation of searches: seeded searches for a lost target, with the same beginnings for all contenders.

Takes levels with layouts and names of contenders, returns an `Evaluation`. Bakes no levels, draws no pictures.
"""
