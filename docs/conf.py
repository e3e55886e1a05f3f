"""How the documentation is built: ``make docs``."""

import os
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))
os.environ.setdefault("TQDM_DISABLE", "1")
warnings.filterwarnings("ignore", message=".*FigureCanvasAgg is non-interactive.*")

from arboretum import __version__  # noqa: E402

project = "Arboretum"
author = "The Arboretum developers"
copyright = "the Arboretum developers, BSD-3-Clause"
version = release = __version__

extensions = [
    "commands",
    "house_docstrings",
    "mathml",
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = [
    "_build",
    "examples",
    "tutorials",
    "gallery/*.ipynb",
    "gallery/*.py",
    "tutorial/*.ipynb",
    "tutorial/*.py",
]
suppress_warnings = ["config.cache"]  # the gallery's settings cannot be stored between builds; nothing is lost

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
numpydoc_show_class_members = False
html_math_renderer = "mathml"
autodoc_member_order = "bysource"
autodoc_typehints = "none"

sphinx_gallery_conf = {
    "examples_dirs": ["tutorials", "examples"],
    "gallery_dirs": ["tutorial", "gallery"],
    "filename_pattern": r"plot_",
    "abort_on_example_error": True,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 1e9,
    "write_computation_times": False,
    "remove_config_comments": True,
    "reset_modules": ("matplotlib", "house_colours.reset"),
    "within_subsection_order": "FileNameSortKey",
}

WIDE = ("deviations", "guide/habits", "pipeline", "results", "speed")  # pages with tables that need the room
html_theme = "pydata_sphinx_theme"
html_title = "Arboretum"
html_static_path = ["_static"]
html_css_files = ["arboretum.css"]
html_favicon = "_static/leaf.svg"
html_show_sourcelink = False
html_theme_options = {
    "logo": {"text": "Arboretum", "image_light": "_static/leaf.svg", "image_dark": "_static/leaf.svg"},
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "footer_start": ["copyright"],
    "footer_end": [],
    "header_links_before_dropdown": 7,
    "secondary_sidebar_items": {"**": ["page-toc"], **{page: [] for page in WIDE}},
}
