"""Ctrl-C and SIGTERM while a compiled kernel runs.

Their handler runs when the kernel is over, in the first line of Python after it. This line belongs to numba, which
makes Python objects of results, and what is raised there becomes a SystemError ("returned a result with an exception
set") or a crash. So :func:`spare_kernels` lets handlers wait until the kernel's caller goes on. Code that notes a
failed job and goes on to the next asks :func:`raise_stop` first all the same.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType
from typing import Any

from arboretum.failures import Terminated

NEAR = 20  # frames that are looked through; numba's own are the innermost
CONSTRUCTOR = ("<string>", "<lambda>")  # file and name of the code of a named tuple's constructor


def spare_kernels() -> None:
    """From now on no handler of Ctrl-C or SIGTERM raises inside what numba does around a kernel."""
    for number in (signal.SIGINT, signal.SIGTERM):
        handler = signal.getsignal(number)
        ours = getattr(handler, "func", None) is _handle_outside
        if callable(handler) and not ours and handler is not signal.default_int_handler:
            signal.signal(number, partial(_handle_outside, handler))


def _handle_outside(handler: Callable[..., Any], number: int, frame: FrameType | None) -> None:
    """Call ``handler`` now, or as soon as the caller of the kernel goes on."""
    caller = _caller_of_kernel(frame)
    if caller is None:
        handler(number, frame)
        return

    def goes_on(*_: object) -> None:
        sys.settrace(None)
        caller.f_trace = None
        handler(number, caller)

    caller.f_trace = goes_on  # called at the next line of the caller, or when it returns
    sys.settrace(lambda *_: None)  # else nobody looks at f_trace


def _caller_of_kernel(frame: FrameType | None) -> FrameType | None:
    """The frame to go back to from what numba does around a kernel; None where ``frame`` is no part of that."""
    for number, one in enumerate(_frames(frame)):
        code = one.f_code
        numbas = code.co_name == "_numba_unpickle" or (number == 0 and (code.co_filename, code.co_name) == CONSTRUCTOR)
        if numbas or number == NEAR:
            return one.f_back if numbas else None
    return None


def _frames(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def stop_behind(problem: BaseException | None) -> BaseException | None:
    """The interrupt or the SIGTERM that a failure comes from; None where it comes from neither."""
    waiting, seen = [problem], set()
    while waiting:
        one = waiting.pop()
        if isinstance(one, KeyboardInterrupt | Terminated):
            return one
        if one is not None and id(one) not in seen:
            seen.add(id(one))
            waiting += [one.__cause__, one.__context__]
    return None


def raise_stop(problem: BaseException) -> None:
    """End the command where it was stopped; return where the failure is one."""
    stop = stop_behind(problem)
    if stop is not None:
        raise stop from None
