"""Place guards in a level, and verify whether players can still sneak through.

Takes levels, intended paths and guard kinds; returns guard routes, solutions of players, and how similar they are.
"""
