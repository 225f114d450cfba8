"""Scenarios: who is where, how they think, and what happens to them, in a file people write.

Takes a file or plain values, gives a frozen `Scenario` whose every name is known. Does not run anything.
"""
