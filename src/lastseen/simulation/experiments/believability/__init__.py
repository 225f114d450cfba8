"""Evaluation of believability: what breaks the illusion in encounters, counted with intervals.

Takes levels and scenarios, returns an `Evaluation`. Draws no pictures.
"""
