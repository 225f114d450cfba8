"""The command that predicts where a lost target ran."""
