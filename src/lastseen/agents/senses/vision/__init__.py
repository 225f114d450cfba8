"""Vision: three models of sight, the shapes and rays they share, and the sightings they produce."""
