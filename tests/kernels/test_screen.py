"""What a cell shows and takes back, on its way to those who watch."""

from __future__ import annotations

from pathlib import Path

import pytest

from trailbook.kernels import screen as module
from trailbook.kernels.screen import MOST_SHOWN, BinaryDisplay, Screen, Telling, Update
from trailbook.model.runs import ClearMessage, DisplayMessage, NoteMessage, TextMessage

CLEAR = ClearMessage()


def shown(text: str, id: str | None = None) -> DisplayMessage:
    return DisplayMessage(data={"text/plain": text}, id=id)


def text(text: str) -> TextMessage:
    return TextMessage(stream="stdout", text=text)


@pytest.fixture
def told() -> list[Telling]:
    return []


@pytest.fixture
def screen(told: list[Telling]) -> Screen:
    return Screen(told.append)


@pytest.fixture
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSE_SECONDS", 0)


@pytest.fixture
def long_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSE_SECONDS", 3600)


@pytest.mark.usefixtures("no_pause")
def test_what_is_shown_under_an_id_is_changed_in_place(screen: Screen, told: list[Telling]) -> None:
    screen.show(shown("1", "a"))
    screen.write(text("x"))
    screen.update(shown("2", "a"))
    assert told == [shown("1", "a"), text("x"), Update(shown("2", "a"))]


@pytest.mark.usefixtures("no_pause")
def test_a_clear_may_wait_for_something_else_and_spares_notes(screen: Screen, told: list[Telling]) -> None:
    screen.write(text("old"))
    screen.clear(wait=True)
    screen.note(NoteMessage(text="note"))
    assert told == [text("old"), NoteMessage(text="note")]
    screen.write(text("new"))
    screen.clear(wait=False)
    assert told[2:] == [CLEAR, text("new"), CLEAR]


@pytest.mark.usefixtures("no_pause")
def test_what_was_taken_back_stays_away_and_what_others_showed_is_shown_here(
    screen: Screen, told: list[Telling]
) -> None:
    screen.show(shown("1", "a"))
    screen.clear(wait=False)
    screen.update(shown("2", "a"))
    screen.update(shown("3", "of another cell"))
    assert told[2:] == [shown("3", "of another cell")]


@pytest.mark.usefixtures("long_pause")
def test_of_many_changes_at_once_the_last_is_told(screen: Screen, told: list[Telling], tmp_path: Path) -> None:
    files = [tmp_path / str(number) for number in range(3)]
    screen.show(shown("0", "a"))
    for file in files:
        file.touch()
        screen.update(BinaryDisplay(files={"image/png": file}, id="a"))
    screen.close()
    assert told == [shown("0", "a"), Update(BinaryDisplay(files={"image/png": files[2]}, id="a"))]
    assert [file.exists() for file in files] == [False, False, True]


@pytest.mark.usefixtures("long_pause")
def test_what_is_cleared_before_anybody_saw_it_is_not_told(screen: Screen, told: list[Telling]) -> None:
    for number in range(100):
        screen.clear(wait=True)
        screen.write(text(str(number)))
    screen.close()
    assert told == [CLEAR, text("0"), CLEAR, text("99")]


def test_of_too_much_the_first_is_kept_and_the_rest_counted_until_all_is_cleared(
    screen: Screen, told: list[Telling]
) -> None:
    for number in range(MOST_SHOWN + 2):
        screen.show(shown(str(number)))
    screen.clear(wait=True)
    for number in range(MOST_SHOWN + 3):
        screen.show(shown(str(number)))
    screen.close()
    after = told[len(told) - 1 - told[::-1].index(CLEAR) :]
    assert len(after) == MOST_SHOWN + 2
    assert after[-1] == NoteMessage(text="The first 1,000 things shown are kept, 3 are not.")
