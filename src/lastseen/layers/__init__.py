"""One value per cell, changing in time: layer, stack, combination, propagation.

Takes a layout, gives arrays as long as its cells. Does not know why a value is high.
"""
