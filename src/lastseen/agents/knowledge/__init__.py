"""What agents know of others: where, which way, how fast, when, and how they came to know.

Takes what was perceived, gives places and losses. Does not know how things are perceived or what is done about them.
"""
