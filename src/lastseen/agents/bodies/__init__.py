"""Bodies: positions and stances, the orders they carry out, movement in a crowd, and combat."""
