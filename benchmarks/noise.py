"""Random last places: every elementary function and sum of NumPy and SciPy moved by up to one unit in the last place.

Another processor or another library rounds the last bit otherwise. Which bits is luck, so a comparison of two machines
finds only what these two round differently. Noise finds everything that hangs on a last bit, on one machine.
:func:`noisy` puts it into this process; a setting of ``switches.py`` puts it into every process of a command.

Products of matrices by ``@`` cannot be reached from Python: ``switches.py`` has OpenBLAS's own switches for them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import scipy.special
from numba.core.registry import cpu_target
from numpy._core import _methods

# fmt: off
NUMPY = [
    "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "logaddexp", "power", "float_power", "sin", "cos", "tan",
    "sinh", "cosh", "tanh", "arcsin", "arccos", "arctan", "arctan2", "arcsinh", "arccosh", "arctanh", "hypot", "cbrt",
    "sum", "nansum", "prod", "cumsum", "cumprod", "average", "dot", "vdot", "inner", "matmul", "einsum", "tensordot",
    "trapezoid", "cov", "corrcoef",
]
SPECIAL = [
    "expit", "logit", "softmax", "logsumexp", "gammaln", "gammainc", "entr", "rel_entr", "kl_div", "xlogy", "xlog1py",
    "ndtr", "ndtri", "binom",
]
# fmt: on


def moved(values: Any, rng: np.random.Generator) -> Any:
    """Real numbers moved by -1, 0 or +1 unit in the last place.

    Whole numbers stay: sums of whole numbers, exp(0) and the like are exact on every processor.
    """
    if not isinstance(values, (np.ndarray, float, np.floating)):
        return values
    array = np.asarray(values)
    if array.dtype.kind != "f":
        return values
    drawn = rng.random(array.shape)
    towards = np.where(drawn < 1 / 3, np.inf, -np.inf).astype(array.dtype)
    found = np.where(
        (drawn > 2 / 3) | (array == np.rint(array)) | ~np.isfinite(array), array, np.nextafter(array, towards)
    )
    return found if isinstance(values, np.ndarray) else array.dtype.type(found)


class Noisy:
    """A function with its results moved, into ``out`` as well; its attributes (``reduce``, ``nin``) are unchanged."""

    def __init__(self, function: Callable, rng: np.random.Generator):
        self.function, self.rng = function, rng

    def __call__(self, *arguments, **options):
        found = moved(self.function(*arguments, **options), self.rng)
        if isinstance(options.get("out"), np.ndarray):
            options["out"][...] = found
            return options["out"]
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self.function, name)


def _changes(rng: np.random.Generator) -> Iterator[tuple[Any, str, Any]]:
    """(module, name, noisy function). Modules of this project that imported a function by name get the noisy one."""
    noisy_of = {}
    for module, names in ((np, NUMPY), (scipy.special, SPECIAL)):
        for name in names:
            function = getattr(module, name)
            noisy_of[id(function)] = Noisy(function, rng)
            yield module, name, noisy_of[id(function)]
    for name in ("umr_sum", "umr_prod"):  # what the methods sum, mean, var and prod of arrays call
        yield _methods, name, Noisy(getattr(_methods, name), rng)
    for module in [module for name, module in sys.modules.items() if name.startswith("arboretum.")]:
        for name, thing in list(vars(module).items()):
            if id(thing) in noisy_of and callable(thing):
                yield module, name, noisy_of[id(thing)]


@contextmanager
def noisy(seed: int) -> Iterator[None]:
    """NumPy and SciPy with random last places, in this process and for the time being."""
    for context in (cpu_target.typing_context, cpu_target.target_context):
        context.refresh()  # numba looks at NumPy's functions once, and must see the true ones
    former = []
    for module, name, function in list(_changes(np.random.Generator(np.random.PCG64(seed)))):
        former.append((module, name, getattr(module, name)))
        setattr(module, name, function)
    try:
        yield
    finally:
        for module, name, function in reversed(former):
            setattr(module, name, function)
