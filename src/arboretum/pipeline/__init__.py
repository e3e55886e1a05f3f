"""Run it: from ``conf/`` to verified tables.

===============  ===============================================================
``workspace``    where things lie in a checkout
``params``       compose ``conf/`` into ``params.yaml`` and read it
``data``         fetch and prepare data sets, write manifests
``tasks``        the identity of a task: parameters, data, code
``store``        finished tasks, kept so that a killed run resumes
``engines``      carry out tasks: in this process, on all cores, on Dask
``experiment``   plan, run what is missing, collect complete raw results
``render``       raw results to tables, figures, claims, metrics
``verify``       regenerate elsewhere and compare with what is stored
``reproduce``    all of it, in order
``sweep``        Hydra multirun over data sets, learners and seeds
``explain``      from a cell of a table back to its tasks
===============  ===============================================================
"""
