"""The cab domain: find places, ask for fares, book and cancel rides."""
