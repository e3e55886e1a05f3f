"""Faults injected into a small checkout, one file per family; tests run a few, ``make soak`` many."""
