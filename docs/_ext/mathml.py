"""Formulas as MathML, which browsers draw themselves: pages need no network and no script."""

from __future__ import annotations

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.errors import ExtensionError


def drawn(tex: str, as_block: bool) -> str:
    try:
        return tex2mathml(tex.strip(), as_block=as_block)
    except Exception as problem:  # docutils has an error of its own for what it cannot read
        raise ExtensionError(f"formula {tex.strip()!r}: {problem}") from None


def inline(translator, node: nodes.math) -> None:
    translator.body.append(drawn(node.astext(), as_block=False))
    raise nodes.SkipNode


def block(translator, node: nodes.math_block) -> None:
    translator.body.append(f'<div class="formula">{drawn(node.astext(), as_block=True)}</div>')
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True}
