"""Canvas, colours, text, signs and ground that all pictures share."""
