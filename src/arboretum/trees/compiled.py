"""How kernels are compiled, and where the machine code is kept.

numba does not notice that a kernel in another file was edited, so the cache folder carries a hash of all sources
of this package: edited sources never meet stale machine code. ``ARBORETUM_CACHE_DIR`` moves the cache.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path

import numba
import platformdirs
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


def cache_folder() -> Path:
    """The numba cache folder that belongs to these very sources."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(source.name.encode() + source.read_bytes())
    base = os.environ.get("ARBORETUM_CACHE_DIR") or platformdirs.user_cache_dir("arboretum")
    return Path(base) / "numba" / digest.hexdigest()[:16]


_CACHE_FOLDER = str(cache_folder())


def kernel(function):
    """A kernel called from Python: compiled on its first call, cached, without the interpreter lock.

    Arithmetic is IEEE as written (no fast maths), so results do not depend on the optimiser.
    """
    former, numba.config.CACHE_DIR = numba.config.CACHE_DIR, _CACHE_FOLDER
    try:
        dispatcher = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    finally:
        numba.config.CACHE_DIR = former
    dispatcher.compile = _one_process_at_a_time(dispatcher.compile, f"{function.__module__}.{function.__name__}")
    return dispatcher


def _one_process_at_a_time(compile_: Callable, name: str) -> Callable:
    """Compile a kernel in one process only: the others wait, and then find it in the cache."""

    def compile_once(signature):
        with _locked(Path(_CACHE_FOLDER) / f"{name}.lock"):
            return compile_(signature)

    return compile_once


@contextmanager
def _locked(path: Path):
    """Hold a lock on a file; where files cannot be locked, go on without."""
    try:
        import fcntl

        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("w")
    except (ImportError, OSError):
        yield
        return
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


class _Unfinished(JITCodeLibrary):
    """Code that only ever runs inside its callers: it is neither optimised nor turned into machine code by itself.

    numba would do both for every function and again for each of its callers; here it is done once, in the kernel.
    """

    def _optimize_final_module(self):
        pass

    def _finalize_final_module(self):
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name):
        return 0

    @property
    def codegen(self):
        return self

    def set_env(self, name, environment):
        """Nothing to set: no machine code."""


class _PartCompiler(Compiler):
    """numba's compiler, for parts: the code stays unfinished."""

    def define_pipelines(self):
        self.state.library = _Unfinished(self.state.targetctx.codegen(), "part")
        return super().define_pipelines()


_INNER = {
    "nogil": True,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": _PartCompiler,
}

#: A kernel called from other kernels only, which neither makes nor returns arrays: it needs no Python wrapper, no cache
#: entry and no reference counts (which would cost more than the work of a small node), and is inlined.
part = numba.njit(**_INNER, forceinline=True, _nrt=False)

#: The same for the few that make arrays.
maker = numba.njit(**_INNER, _nrt=True)

#: A part with one caller, spliced into it before types are inferred: a step less in the chain of callers, each of which
#: numba optimises anew.
step = numba.njit(**_INNER, inline="always", _nrt=False)
