"""What do crews change? The same seeded beginnings with crews off and on, measured with intervals.

Takes levels and scenarios, gives a `CrewEvaluation`. Draws no pictures.
"""
