"""No more cells run at once than there are slots, and whoever was refused is told when one is free."""

from __future__ import annotations

from trailbook.workflow.slots import Slots


def test_slots_are_given_until_none_is_left() -> None:
    slots = Slots(2)
    assert [slots.take(lambda: None) for _ in range(3)] == [True, True, False]
    slots.give_back()
    assert slots.take(lambda: None)


def test_who_was_refused_is_told_once() -> None:
    slots = Slots(1)
    told: list[str] = []

    def tell() -> None:
        told.append("free")

    assert slots.take(tell)
    assert not slots.take(tell)
    assert not slots.take(tell)
    assert slots.give_back() == [tell]
    assert slots.take(tell)
    assert slots.give_back() == []
