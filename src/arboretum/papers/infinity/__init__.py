"""Breiman (2000), Some Infinity Theory for Predictor Ensembles: a theory paper, computed."""
