"""The open game: its thread, clock, stage, inputs and announcements."""
