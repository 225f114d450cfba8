"""Experiments: seeded, paired measurements, and sweeps over their parameters."""
