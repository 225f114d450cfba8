"""One module per file format: `sniff` says whether bytes look like it, `read` gives a `Level` or all its faults."""
