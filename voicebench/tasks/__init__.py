"""The task set: read it, check it."""
