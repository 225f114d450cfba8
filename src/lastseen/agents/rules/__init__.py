"""Rules: contextual lines and reactions as data, for guards and for any game.

Takes rule files and variables and returns one action with its reason. Actions are data; their effect is up to the game.
"""
