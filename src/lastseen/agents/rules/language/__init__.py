"""The rule language: rules, conditions, lines, variables and their sources, and faults."""
