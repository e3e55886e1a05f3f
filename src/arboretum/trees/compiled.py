"""How kernels are compiled, and where the machine code is kept.

numba does not notice that a kernel in another file was edited, so the cache folder carries a hash of all sources
of this package: edited sources never meet stale machine code. ``ARBORETUM_CACHE_DIR`` moves the cache.
"""

from __future__ import annotations

import gc
import hashlib
import os
import threading
import warnings
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numba
import platformdirs

from arboretum.trees.first_use import compiling, compiling_own


def cache_folder() -> Path:
    """The numba cache folder that belongs to these very sources."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(source.name.encode() + source.read_bytes())
    base = os.environ.get("ARBORETUM_CACHE_DIR") or platformdirs.user_cache_dir("arboretum")
    return Path(base) / "numba" / digest.hexdigest()[:16]


_CACHE_FOLDER = str(cache_folder())
_COMPILING = threading.Lock()
SELDOM = (20_000, 20, 100)  # thresholds of the garbage collector while kernels are compiled


def kernel(function):
    """A kernel called from Python: compiled on its first call, cached, and run without the interpreter lock.

    Arithmetic is IEEE as written (no fast maths), so results do not depend on the optimiser.
    """
    former, numba.config.CACHE_DIR = numba.config.CACHE_DIR, _CACHE_FOLDER
    try:
        dispatcher = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    finally:
        numba.config.CACHE_DIR = former
    _compile_in_one_process(dispatcher, Path(_CACHE_FOLDER) / f"{function.__module__}.{function.__name__}.lock")
    return dispatcher


def uncached(dispatcher: Any) -> Any:
    """The same kernel, whose machine code is not kept: for types of arguments that our sources do not define."""
    own = numba.njit(nogil=True, error_model="numpy")(dispatcher.py_func)
    compile_ = own.compile

    def compile_and_say(signature):
        with _few_collections(), compiling_own():
            return compile_(signature)

    own.compile = compile_and_say
    return own


def _compile_in_one_process(dispatcher: Any, lock: Path) -> None:
    """Let one process compile a kernel, and others wait for what it puts into the cache. What is there takes no lock.

    numba asks the cache, and compiles what it does not find there. So the lock is taken when it finds nothing, and the
    cache is asked again: another process may have filled it while this one waited.
    """
    compile_, load, call = dispatcher.compile, dispatcher._cache.load_overload, threading.local()

    def load_or_lock(signature, context):
        found = load(signature, context)
        if found is None:
            call.held.enter_context(_locked(lock))
            found = load(signature, context)
        if found is None:
            call.held.enter_context(_few_collections())
            call.held.enter_context(compiling())
        return found

    def compile_once(signature):
        with ExitStack() as call.held:
            return compile_(signature)

    dispatcher._cache.load_overload, dispatcher.compile = load_or_lock, compile_once


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


@contextmanager
def _few_collections():
    """Let Python look for garbage less often. Compiling makes many objects, and a tenth of its time went into that.

    If another thread is compiling, it has seen to it already.
    """
    if not _COMPILING.acquire(blocking=False):
        yield
        return
    former = gc.get_threshold()
    try:
        if 0 < former[0] < SELDOM[0]:  # 0 means never
            gc.set_threshold(*SELDOM)
        yield
    finally:
        gc.set_threshold(*former)
        _COMPILING.release()


def _unfinished_parts() -> dict[str, Any]:
    """Options that leave a part unfinished: neither optimised nor turned into machine code by itself.

    A part only runs inside its callers. numba would finish it by itself, and again in each of its callers. Here that is
    done once, in the kernel. This takes private classes of numba: one that lacks them raises ImportError.
    """
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler

    needed = {
        JITCodeLibrary: ("_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals"),
        Compiler: ("define_pipelines",),
    }
    for owner, names in needed.items():
        for name in names:
            if not hasattr(owner, name):
                raise ImportError(f"{owner.__name__} has no {name}")

    class Unfinished(JITCodeLibrary):
        """The code of a part."""

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

    class PartCompiler(Compiler):
        """numba's compiler, for parts."""

        def define_pipelines(self):
            self.state.library = Unfinished(self.state.targetctx.codegen(), "part")
            return super().define_pipelines()

    return {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": PartCompiler}


_PLAIN = {"nogil": True, "error_model": "numpy"}
try:
    _INNER = _PLAIN | _unfinished_parts()
    _NO_COUNTS, _COUNTS = {"_nrt": False}, {"_nrt": True}
except ImportError as _problem:
    _INNER, _NO_COUNTS, _COUNTS = _PLAIN, {}, {}
    warnings.warn(
        f"numba {numba.__version__} lacks what short compile times rest on ({_problem}). Trees are the same; the first "
        "call takes longer, and so may growing. Versions that have it: see the bounds of numba in pyproject.toml.",
        RuntimeWarning,
        stacklevel=2,
    )

#: A function called only by kernels, which neither allocates nor returns arrays. It needs no Python wrapper, no cache
#: entry and no reference counts (which would take longer than the work of a small node), and it is inlined.
part = numba.njit(**_INNER, **_NO_COUNTS, forceinline=True)

#: The same for the few functions that allocate arrays.
allocating_part = numba.njit(**_INNER, **_COUNTS)

#: A part that is compiled by itself. Some loops are done for several numbers at a time only then, and not if inlined.
vector_part = numba.njit(**_PLAIN, **_NO_COUNTS, no_cpython_wrapper=True, no_cfunc_wrapper=True)

#: A part that numba splices into its caller before it infers types. That shortens the chain of callers; numba would
#: optimise each link of the chain again.
spliced_part = numba.njit(**_INNER, **_NO_COUNTS, inline="always")
