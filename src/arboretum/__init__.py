"""Arboretum: five papers on randomised tree ensembles, regenerated from raw data.

The rooms, in the order in which data flows through them:

=============  ==========================================================================
``datasets``   where data comes from: sources, parsing, generators
``trees``      grow and read one tree, fast
``ensembles``  combine trees: scikit-learn estimators, one file per method
``measures``   what is measured: pure functions of arrays
``papers``     what each paper asked: experiments, tables, figures, claims
``pipeline``   run it: compose, tasks, task store, stages, verify
``report``     show it: tables beside print, figures, claims, provenance
=============  ==========================================================================
"""

__version__ = "0.1.0"
