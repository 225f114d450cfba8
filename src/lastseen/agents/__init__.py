"""Agents: bodies, senses, knowledge, behaviour trees, rules and crews.

Takes cells, layers and results of reasoning, and gives orders. Does not know when a step begins.
"""
