"""The command line: `lastseen …`."""
