"""The flood: the spread of heat over cells by which a chase predicts."""
