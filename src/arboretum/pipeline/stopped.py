"""Ctrl-C and SIGTERM that look like a failure.

One that arrives in a compiled kernel is raised when the kernel returns, and Python may turn it into a SystemError
("returned a result with an exception set"). Code that notes a failed job and goes on asks here first.
"""

from __future__ import annotations

from arboretum.failures import Terminated


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
