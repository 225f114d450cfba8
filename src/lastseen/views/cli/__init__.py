"""The command line: one file per command. Heavy imports happen when a command runs, not before."""
