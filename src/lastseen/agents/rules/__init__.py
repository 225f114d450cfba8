"""Rules: contextual lines and reactions as data, for guards and for any game.

Takes rule files and variables, gives one action with its reason. Does not know what an action does: it is data.
"""
