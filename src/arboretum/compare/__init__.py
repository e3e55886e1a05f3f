"""``arboretum compare``: learners by repeated cross-validation on one or many data sets, yours or the project's.

``settings`` reads the command, ``folds`` computes, ``verdicts`` tests, ``page`` shows.
"""
