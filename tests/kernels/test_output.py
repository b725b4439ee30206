"""Text on its way from a pipe to messages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trailbook.kernels.output import PIECE_CHARACTERS, OutputText
from trailbook.model.runs import NoteMessage, TextMessage


@given(st.text(st.characters(exclude_categories=["Cs"])), st.integers(1, 5))
def test_text_is_whole_however_it_was_cut_on_the_way(text: str, size: int) -> None:
    messages: list[TextMessage | NoteMessage] = []
    output = OutputText(10_000, messages.append)
    data = text.encode()
    for start in range(0, len(data), size):
        output.feed("stdout", data[start : start + size])
    output.close()
    assert "".join(message.text for message in messages) == text


def test_small_pieces_are_gathered_and_streams_kept_apart() -> None:
    messages: list[TextMessage | NoteMessage] = []
    output = OutputText(100_000, messages.append)
    for stream, data in (("stdout", b"a"), ("stdout", b"b"), ("stderr", b"c"), ("stdout", b"d")):
        output.feed(stream, data)  # type: ignore[arg-type]
    output.feed("stdout", b"x" * PIECE_CHARACTERS)
    output.close()
    assert [m.text for m in messages] == ["ab", "c", "d" + "x" * PIECE_CHARACTERS]


def test_the_limit_counts_both_streams_and_never_leaves_half_a_character() -> None:
    messages: list[TextMessage | NoteMessage] = []
    output = OutputText(4, messages.append)
    output.feed("stdout", b"abc")
    output.feed("stderr", "éé".encode())
    output.close()
    assert messages == [
        TextMessage(stream="stdout", text="abc"),
        NoteMessage(text="The first 4 bytes of output are kept; 3 were cut."),
    ]
