"""What a person sees: command line and pictures. Nothing imports it."""
