"""Kernels that decide for agents: matching rules and assigning roles."""
