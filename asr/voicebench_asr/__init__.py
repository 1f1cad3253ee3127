"""Transcribers: one file each."""
