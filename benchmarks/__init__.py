"""Measurements of the engine against its peers; ``python -m benchmarks.bench`` makes every table and plot."""
