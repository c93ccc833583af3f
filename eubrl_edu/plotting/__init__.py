"""A state in, a Matplotlib figure out; no widget in here."""
