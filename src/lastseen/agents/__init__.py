"""Who acts: bodies, senses, what they know, and how they decide.

Takes cells, layers and answers of reasoning, gives orders. Does not know what time it is or who else is in the world.
"""
