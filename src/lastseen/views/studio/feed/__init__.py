"""What a user's own game needs to show itself in the studio."""
