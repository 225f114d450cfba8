"""What the designer drew: readers, validation, sample levels.

Takes files of many kinds, gives one frozen `Level`. Does not know who can walk where.
"""
