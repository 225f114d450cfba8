"""One module per kind of file; each has `sniff(data, suffix)` and `read(data, source, **options)`.

Takes the bytes of a file, gives a `Level` or a `LevelError` with every fault. Does not open files.
"""
