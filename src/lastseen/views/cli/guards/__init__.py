"""Commands that place, verify and improve guards."""
