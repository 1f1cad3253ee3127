"""Read what τ-bench, τ²-bench and SEATauBench left behind: result files and published tables."""
