"""Agents that hear audio themselves: one file each."""
