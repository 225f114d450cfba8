"""Other people's programs that benchmarks compare with; `make bench-peers` fetches and compiles them."""
