"""Any evaluation over many parameters, levels and seeds: designed in a file, run anywhere, kept as Parquet.

Takes a sweep file, gives a folder of results that grows safely. Draws nothing.
"""
