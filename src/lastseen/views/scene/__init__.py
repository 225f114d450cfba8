"""The scene: one model of the moment shown and one set of timings, read by pictures, animations and the page."""
