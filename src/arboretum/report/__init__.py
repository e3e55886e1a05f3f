"""Show it: a static site with tables beside print, figures, claims and provenance.

=================  ====================================================================
``inputs.py``      what a site is made from: results, figures, manifests, published data
``numbers.py``     how a number is written
``frames.py``      a csv, and the columns of it that are about one measure
``comparison.py``  how a measure compares with print
``tables.py``      a csv as a table to look at: columns of one measure under one heading
``drawings.py``    SVG inlined without clashes, and a small picture of print against ours
``notes.py``       the misprints of a paper
``provenance.py``  what a build was made with
``findings.py``    what a paper's page says before any table
``compact.py``     a wide table of methods, small enough to read
``explorers.py``   curves that a reader moves along
``citing.py``      BibTeX
``search.py``      what the search finds
``paper_page.py``  the page of a paper
``set_page.py``    the pages of data sets
``site.py``        the pages of all profiles
=================  ====================================================================
"""

from arboretum.report.site import build

__all__ = ["build"]
