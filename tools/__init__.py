"""What developers run by hand: recording which kernels there are, shipping them compiled."""
