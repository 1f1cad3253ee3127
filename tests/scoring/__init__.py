"""Tests of the scoring."""
