"""Kernels of moving bodies: steering, right of way, contact, lines of fire."""
