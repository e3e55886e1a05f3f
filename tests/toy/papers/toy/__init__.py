"""A paper small enough to test the pipeline with: it throws coins."""
