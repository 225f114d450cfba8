"""Commands that check, bake, draw and query one level."""
