"""Hot loops: arrays in, arrays and a status out.

Takes and gives numpy arrays. Does not know objects, files or errors: a kernel never raises, it returns a status.
"""
