"""Numbers in words, read in canonical text."""
