"""Layers of one value per cell that changes over time: layers, stacks, combination, propagation.

Takes a layout and provides arrays with one entry per cell. Knows nothing about why a value is high.
"""
