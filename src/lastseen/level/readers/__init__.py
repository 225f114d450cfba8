"""One module per file format: `sniff` recognises its bytes, `read` returns a `Level` or raises its faults."""
