"""Commands for behaviour trees."""
