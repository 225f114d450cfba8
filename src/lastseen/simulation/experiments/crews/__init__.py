"""Evaluation of crews: the same seeded beginnings with crews off and on, measured with intervals.

Takes levels and scenarios, returns an `Evaluation`. Draws no pictures.
"""
