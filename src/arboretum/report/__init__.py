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
``site.py``        the pages
=================  ====================================================================
"""

from arboretum.report.site import build

__all__ = ["build"]
