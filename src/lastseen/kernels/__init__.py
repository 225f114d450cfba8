"""Hot loops: arrays in, arrays and a status out.

Kernels take and return numpy arrays. They know no objects, files or errors: a kernel never raises but returns a status.
"""
