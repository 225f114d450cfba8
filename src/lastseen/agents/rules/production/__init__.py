"""Production rules: units that turn resources into others."""
