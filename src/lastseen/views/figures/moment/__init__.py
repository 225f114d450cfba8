"""Pictures of a chase and of a moment of a recording."""
