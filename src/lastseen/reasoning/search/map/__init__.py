"""The search map: influence that spreads, is cleaned and returns, and the destinations it suggests."""
