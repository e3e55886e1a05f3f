"""Plain Python versions of every tree that the engine grows; README.md has the conventions."""
