"""Plain Python versions of every tree the engine grows; README.md states the conventions."""
