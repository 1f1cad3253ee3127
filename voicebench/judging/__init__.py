"""Judges at work: made by name, run over scores, measured against people, and the gold itself checked."""
