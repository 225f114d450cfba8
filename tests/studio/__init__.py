"""What tests of the studio use: a server in a thread, a browser's window, its map, its pen and its rules."""
