"""Panels at the right of the page: each a script and, if it asks the studio for data, a module that answers."""
