"""Pick places to go to, appear at or hide in, with one kind of query over cells and layers.

Takes a `Query` (criteria and how to pick) and returns a `Choice` with the measurements and ratings of every candidate.
Knows nothing about the asker or its purpose.
"""
