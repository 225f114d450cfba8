"""Questions answered from cells and layers, independent of one another: where did they run?

Takes a layout and what a guard knows, gives frozen answers with reasons. Does not move anybody or keep time.
"""
