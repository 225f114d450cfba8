"""Fights of crews: ranks, attack turns, the reserve, and the vocabulary of fights."""
