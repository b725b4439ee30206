"""The lock that is given to whoever has waited longest."""

from __future__ import annotations

import threading

import pytest

from trailbook.store.turns import Turns


def test_one_that_comes_back_at_once_waits_for_those_that_were_there_before() -> None:
    turns, order = Turns(), list[str]()

    def greedy() -> None:
        for _ in range(3):
            with turns.taken():
                order.append("greedy")

    def patient() -> None:
        with turns.taken():
            order.append("patient")

    threads = [threading.Thread(target=greedy), threading.Thread(target=patient)]
    with turns.taken():
        for waiting, thread in enumerate(threads, 2):
            thread.start()
            while len(turns._queue) < waiting:
                pass
    for thread in threads:
        thread.join()
    assert order == ["greedy", "patient", "greedy", "greedy"]


def test_an_error_gives_the_turn_on() -> None:
    turns = Turns()
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), turns.taken():
            raise ZeroDivisionError


def test_a_thread_does_not_wait_for_itself() -> None:
    turns = Turns()
    with turns.taken(), pytest.raises(RuntimeError, match="itself"), turns.taken():
        pass
