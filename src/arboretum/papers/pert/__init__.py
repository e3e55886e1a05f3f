"""Cutler and Zhao (2001), PERT: perfect random tree ensembles, Computing Science and Statistics 33."""
