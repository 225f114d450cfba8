"""Records of arrays that kernels take, and bit fields."""
