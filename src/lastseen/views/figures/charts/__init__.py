"""Charts of measurements."""
