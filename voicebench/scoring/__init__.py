"""From a response to scores: read the calls, check them, compare values, count."""
