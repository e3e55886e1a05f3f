"""A checkout of the project, as the pipeline and the report both read it.

===============  ======================================================================
``workspace``    where things lie
``params``       what params.yaml says: profiles, papers, experiments, data sets
``manifest``     which data sets there are, or why one cannot be had
``stored``       the results of a paper as they are stored: raw results, printed numbers
===============  ======================================================================
"""
