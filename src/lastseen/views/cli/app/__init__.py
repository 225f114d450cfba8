"""The program itself: dispatch, console, shared options, inputs and outputs of commands."""
