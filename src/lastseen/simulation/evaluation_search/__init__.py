"""How good is a search? Seeded searches for somebody lost, the same beginnings for all, measured with intervals.

Takes levels with layouts and names of contenders, gives a `SearchEvaluation`. Bakes no levels, draws no pictures.
"""
