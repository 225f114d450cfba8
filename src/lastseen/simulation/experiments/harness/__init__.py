"""Parts that all experiments share."""
