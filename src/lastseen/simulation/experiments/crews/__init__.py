"""Evaluation of crews: the same seeded beginnings with crews off and on, measured with intervals.

Takes levels and scenarios, returns a `CrewEvaluation`. Draws no pictures.
"""
