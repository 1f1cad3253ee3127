"""The engine: plan requests, ask agents, keep what is finished, go on where it stopped."""
