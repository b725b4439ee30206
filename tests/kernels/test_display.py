"""What cells show."""

from __future__ import annotations

from tests.kernels.conftest import Bench
from trailbook.kernels.screen import BinaryDisplay
from trailbook.model.runs import DisplayMessage, Message

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


def test_a_repr_that_fails_does_not_fail_the_cell(bench: Bench) -> None:
    run = bench.run("class Bad:\n  def __repr__(self): raise OSError('gone')\nBad()\n_b = [Bad()]\n_b")
    assert run.notes == ["list.__repr__ failed: OSError: gone"]
    (shown,) = run.shown
    assert isinstance(shown, DisplayMessage)
    assert shown.data["text/plain"].startswith("<list at 0x")


def test_a_value_that_shows_itself_is_asked_for_nothing_else(bench: Bench) -> None:
    code = """
class Own:
    def _ipython_display_(self): display('itself')
    def _repr_html_(self): return 'html'
class Declines(Own):
    def _ipython_display_(self): raise NotImplementedError
    def __repr__(self): return 'declines'
display(Own(), Declines())"""
    shown = [m.data for m in bench.run(code).shown if isinstance(m, DisplayMessage)]
    assert shown == [{"text/plain": "'itself'"}, {"text/plain": "declines", "text/html": "html"}]


def test_media_types_can_be_chosen_or_given_as_they_are(bench: Bench) -> None:
    code = """
class Rich:
    def _repr_mimebundle_(self, include=None, exclude=None):
        return {'text/html': str(include), 'text/latex': str(exclude)}, {'text/html': {'isolated': True}}
display(Rich(), include=['text/html'])
display(Rich(), exclude=['text/html', 'text/plain'])
display({'text/plain': 'as it is'}, raw=True)"""
    shown = [m.data for m in bench.run(code).shown if isinstance(m, DisplayMessage)]
    assert shown == [
        {"text/html": "['text/html']"},
        {"text/latex": "['text/html', 'text/plain']"},
        {"text/plain": "as it is"},
    ]


def test_an_object_that_answers_to_any_name_offers_no_media_types(bench: Bench) -> None:
    run = bench.run("from unittest.mock import MagicMock\nMagicMock(name='any')")
    (shown,) = run.shown
    assert isinstance(shown, DisplayMessage)
    assert list(shown.data) == ["text/plain"]
    assert run.notes == []


def test_a_figure_looks_as_under_jupyter(bench: Bench) -> None:
    code = """
import io, sys
import matplotlib.pyplot as plt
from IPython.core.pylabtools import print_figure
fig, ax = plt.subplots(figsize=(3, 2)); ax.plot([1, 3, 2]); ax.set_title('t')
_png = print_figure(fig, fmt='png', bbox_inches='tight', base64=False)
with open('png', 'wb') as _file: _file.write(_png)
_empty = plt.figure()
display(_empty)
fig"""
    attempt = bench.prepare(code)
    empty, figure = attempt.run().shown
    assert isinstance(empty, DisplayMessage)
    assert empty.data == {"text/plain": "<Figure size 640x480 with 0 Axes>"}
    assert isinstance(figure, BinaryDisplay)
    assert figure.text == {"text/plain": "<Figure size 300x200 with 1 Axes>"}
    wanted = attempt.python._request.scratch / "work" / "png"
    assert figure.files["image/png"].read_bytes() == wanted.read_bytes()


def test_axes_are_shown_as_text_and_their_figure_once(bench: Bench) -> None:
    axes, figure = bench.run("import matplotlib.pyplot as plt\nplt.gca().set_title('t')").shown
    assert isinstance(axes, DisplayMessage)
    assert axes.data == {"text/plain": "Text(0.5, 1.0, 't')"}
    assert isinstance(figure, BinaryDisplay)


def test_what_is_printed_and_shown_keeps_its_order(bench: Bench) -> None:
    steps = ("print('out')", "display(i)", "print('err', file=sys.stderr)", "display(-i)")
    code = f"import sys\nfor i in range(3): {'; '.join(steps)}"
    told = [m.data["text/plain"] if isinstance(m, DisplayMessage) else m.text for m in bench.run(code).messages]
    assert told == ["out\n", "0", "err\n", "0", "out\n", "1", "err\n", "-1", "out\n", "2", "err\n", "-2"]


def test_wide_frames_are_as_wide_as_under_jupyter(bench: Bench) -> None:
    code = "import pandas as pd\nprint(pd.get_option('display.max_columns'))\npd.DataFrame([range(30)])"
    run = bench.run(code)
    (shown,) = run.shown
    assert isinstance(shown, DisplayMessage)
    assert run.text() == "20\n"
    assert shown.data["text/html"].count("<td>") == 21


def test_what_is_shown_is_changed_by_its_handle_and_taken_back(bench: Bench) -> None:
    code = """
from IPython.display import clear_output, update_display
print('gone')
display('gone')
clear_output()
handle = display('one', display_id=True)
display('two', display_id='two')
print('between')
update_display('three', display_id='two')
handle.update('four')
clear_output(wait=True)"""
    assert [told(m) for m in bench.run(code).seen] == ["'four'", "'three'", "between\n"]
    assert [told(m) for m in bench.run(f"{code}\nprint('last')").seen] == ["last\n"]


def test_a_handle_of_another_cell_shows_in_the_cell_that_uses_it(bench: Bench) -> None:
    first = "handle = display('one', display_id=True)"
    made, used = bench.cells(first, "display('other', display_id=True)\nhandle.update('two')\nhandle.update('three')")
    assert [told(m) for m in made.seen] == ["'one'"]
    assert [told(m) for m in used.seen] == ["'other'", "'three'"]
    assert "handle" not in used.made


def told(message: Message) -> object:
    return message.data["text/plain"] if isinstance(message, DisplayMessage) else message.text
