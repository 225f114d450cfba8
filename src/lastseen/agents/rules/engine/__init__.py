"""The rule engine: compiled handlers, matching, action selection, packs, checks and explanations."""
