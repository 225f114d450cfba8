"""The vocabulary of roles and the leaves of crew trees shipped with lastseen."""
