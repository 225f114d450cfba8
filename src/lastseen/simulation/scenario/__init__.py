"""Scenarios: agents, their brains and scripted events, in a file that people write.

Takes a file or plain values, returns a frozen `Scenario` in which every name is known. Runs nothing.
"""
