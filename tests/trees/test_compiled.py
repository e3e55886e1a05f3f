"""Compiling leaves the garbage collector as it found it."""

import gc
import threading

import pytest

from arboretum.trees.compiled import SELDOM, _few_collections


@pytest.mark.parametrize(
    ("former", "meanwhile"), [((700, 10, 10), SELDOM), ((0, 10, 10), (0, 10, 10)), ((50_000, 5, 5), (50_000, 5, 5))]
)
def test_thresholds_are_raised_and_restored(former, meanwhile):
    before = gc.get_threshold()
    gc.set_threshold(*former)
    try:
        with pytest.raises(ZeroDivisionError), _few_collections():
            assert gc.get_threshold() == meanwhile
            raise ZeroDivisionError
        assert gc.get_threshold() == former
    finally:
        gc.set_threshold(*before)


def test_a_second_thread_that_leaves_last_restores_nothing_wrong():
    before, entered, leave = gc.get_threshold(), threading.Event(), threading.Event()

    def second():
        with _few_collections():
            entered.set()
            leave.wait(10)

    with _few_collections():
        thread = threading.Thread(target=second)
        thread.start()
        assert entered.wait(10)
    leave.set()
    thread.join()
    assert gc.get_threshold() == before
