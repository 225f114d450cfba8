"""Sentences about events and recordings; the only place where events become prose."""
