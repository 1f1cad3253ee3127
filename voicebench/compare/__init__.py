"""Hold results against each other and against bounds: two sets of scores, a gate, a published table."""
