"""Everything a person sees: command line, pictures and studio. Nothing imports it."""
