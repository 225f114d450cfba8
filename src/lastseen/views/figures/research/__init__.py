"""Figures of the article and of evaluations."""
