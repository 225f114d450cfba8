"""Where should I go, appear or hide? One query for all such questions, on cells and layers.

Takes a `Query` (criteria, and how to pick), gives a `Choice` with what every candidate was measured and rated at.
Does not know who asks or what for.
"""
