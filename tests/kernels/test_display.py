"""What cells show."""

from __future__ import annotations

from tests.kernels.conftest import Bench
from trailbook.kernels.python import BinaryDisplay
from trailbook.model.runs import DisplayMessage

PNG = b"\x89PNG"


def test_the_last_expression_is_shown_unless_it_is_none_or_silenced(bench: Bench) -> None:
    assert [m.data for m in bench.run("1\n'two'").shown if isinstance(m, DisplayMessage)] == [{"text/plain": "'two'"}]
    assert bench.run("None").shown == []
    assert bench.run("1;").shown == []
    assert bench.run("").shown == []


def test_a_value_is_shown_in_every_media_type_it_offers(bench: Bench) -> None:
    code = """
class Thing:
    def _repr_html_(self): return '<b>thing</b>'
    def _repr_svg_(self): return None
    def _repr_markdown_(self): return '**thing**', {'meta': 1}
    def _repr_json_(self): return {'a': [1]}
    def _repr_mimebundle_(self, include=None, exclude=None): return {'application/x': {'b': 2}}
    def __repr__(self): return 'thing'
tb.show(Thing())
Thing"""
    thing, cls = bench.run(code).shown
    assert isinstance(thing, DisplayMessage)
    assert thing.data == {
        "text/plain": "thing",
        "text/html": "<b>thing</b>",
        "text/markdown": "**thing**",
        "application/json": {"a": [1]},
        "application/x": {"b": 2},
    }
    assert isinstance(cls, DisplayMessage)
    assert list(cls.data) == ["text/plain"]


def test_a_representation_that_fails_is_noted_and_the_others_are_shown(bench: Bench) -> None:
    run = bench.run("class Bad:\n  def _repr_html_(self): return 1 / 0\n  def __repr__(self): return 'bad'\nBad()")
    assert run.notes == ["Bad._repr_html_ failed: ZeroDivisionError: division by zero"]
    assert [m.data for m in run.shown if isinstance(m, DisplayMessage)] == [{"text/plain": "bad"}]


def test_what_json_does_not_know_is_replaced(bench: Bench) -> None:
    code = (
        "class Odd:\n  def _repr_json_(self): return {'nan': float('nan'), 'object': {1, }}\n"
        "  def _repr_html_(self): return 'half \\ud800'\nOdd()"
    )
    (shown,) = bench.run(code).shown
    assert isinstance(shown, DisplayMessage)
    assert shown.data["application/json"] == {"nan": None, "object": "{1}"}
    assert shown.data["text/html"] == "half ?"


def test_long_text_and_bytes_are_files(bench: Bench) -> None:
    code = (
        "class Big:\n  def _repr_html_(self): return 'x' * 70_000\n  def _repr_png_(self): return b'\\x89PNG'\n"
        "  def __repr__(self): return 'big'\nBig()"
    )
    (shown,) = bench.run(code).shown
    assert isinstance(shown, BinaryDisplay)
    assert shown.text == {"text/plain": "big"}
    assert shown.files["text/html"].read_text() == "x" * 70_000
    assert shown.files["image/png"].read_bytes() == PNG


def test_figures_are_shown_by_show_at_the_end_and_never_twice(bench: Bench) -> None:
    code = """
import matplotlib.pyplot as plt
plt.plot([1, 2]); plt.show()
print('between')
shown, _ = plt.subplots()
display(shown)
open_, _ = plt.subplots()"""
    run = bench.run(code)
    assert [isinstance(m, BinaryDisplay) for m in run.messages] == [True, False, True, True]
    assert all(m.files["image/png"].read_bytes().startswith(PNG) for m in run.shown if isinstance(m, BinaryDisplay))


def test_frames_are_shown_as_small_tables(bench: Bench) -> None:
    code = (
        "import pandas as pd, polars as pl, pyarrow as pa\ndf = pd.DataFrame({'n': range(1000)})\n"
        "display(df, pl.from_pandas(df), pa.Table.from_pandas(df))\n_s = pd.Series([1])\n_s"
    )
    *frames, series = bench.run(code).shown
    for frame in frames:
        assert isinstance(frame, DisplayMessage)
        assert frame.data["text/html"].count("<tr") < 70
    assert isinstance(series, DisplayMessage)
    assert list(series.data) == ["text/plain"]
