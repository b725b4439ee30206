"""What cells leave behind in their names is there in the cells below, as in a notebook of one process."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kernels.cases import read_cases
from tests.kernels.conftest import Bench, Book
from trailbook.kernels.names import GivenValue, MadeUnavailable, MadeValue

NOTEBOOKS = read_cases(Path(__file__).with_name("notebooks.txt"))


@pytest.mark.parametrize("case", NOTEBOOKS)
def test_cells_print_what_they_would_in_one_process(bench: Bench, case: str) -> None:
    notebook = NOTEBOOKS[case]
    assert "".join(cell.text() for cell in bench.cells(*notebook.cells)).rstrip("\n") == notebook.expected


def test_what_was_only_looked_at_is_not_written(bench: Bench) -> None:
    first = (
        "import numpy as np, pandas as pd\nfrom dataclasses import dataclass\n"
        "class A:\n  n = 0\n  def hi(self): return self.n\n@dataclass\nclass D:\n  x: int\na, d = A(), D(1)\n"
        "tags = {'x', 'y', 'z'}\nalso = tags\narray = np.arange(5000.0)\nview = array[3:9]\ntext = 'a' * 5000\nn = 5\n"
        "s = pd.Series(['a', 'b'], dtype='category')\ndef f(x): return x in {'a', 'b'}\n"
    )
    look = "a.hi(), A.n, d.x, D(2), len(tags), array.sum(), view[0], s.unique(), f('a'), also, text.upper(), n, np, pd"
    cells = bench.cells(first, look, look)
    assert [cell.made for cell in cells[1:]] == [{}, {}]


def test_a_change_in_place_writes_the_names_that_share_it_and_no_other(bench: Bench) -> None:
    *_, last = bench.cells("a = [1]\nb = {'a': a}\nc = [2]\nd = (c,)", "a.append(c[0])")
    # Which names share it is something that was read.
    assert last.reads == {"a", "b", "c", "d"}
    assert last.values == {"a", "b"}
    assert last.made["a"].source == last.made["b"].source  # type: ignore[union-attr]


def test_names_are_read_when_they_are_looked_up_also_by_functions_and_instances(bench: Bench) -> None:
    *_, last = bench.cells("class A: pass\nx = A()\nk = 1\nunused = 2\ndef f(): return k", "f(); x")
    assert last.reads == {"f", "k", "x"}
    assert any(name.startswith("@class:A:") for name in last.state_reads)


def test_a_value_tells_what_it_is(bench: Bench) -> None:
    run = bench.run(
        "x = list(range(1000))\ny = {'k': 'v' * 1000}\nclass A:\n  def __repr__(self): print('!'); return 'A'\na = A()"
    )
    about = {name: (one.about.type, one.about.text) for name, one in run.made.items() if isinstance(one, MadeValue)}
    assert about["x"] == ("list", "[0, 1, 2, 3, 4, … 1,000 in all]")
    assert about["a"] == ("A", "<A>")
    assert len(about["y"][1]) == 200
    assert run.text() == ""
    assert isinstance(run.made["x"], MadeValue)
    assert run.made["x"].about.size > 2000


def test_small_values_are_part_of_the_message_and_large_ones_files(bench: Bench) -> None:
    run = bench.run("small = 1\nlarge = b'x' * 10_000")
    sources = {name: type(one.source).__name__ for name, one in run.made.items() if isinstance(one, MadeValue)}
    assert sources == {"small": "bytes", "large": "PosixPath"}


def test_a_large_array_is_mapped_and_its_file_never_changes(bench: Bench) -> None:
    book = Book(bench)
    book.run("import numpy as np\na = np.zeros(10_000)")
    given = book.names["a"]
    assert isinstance(given, GivenValue)
    assert not isinstance(given.source, bytes)
    before = given.source.read_bytes()
    book.run("a[0] = 1\nb = a.base is None")
    assert given.source.read_bytes() == before
    assert book.run("print(a[0])").text() == "1.0\n"


def test_what_can_not_be_kept_is_noted_once_and_fails_only_its_readers(bench: Bench) -> None:
    book = Book(bench)
    first = book.run(
        "import threading\ng = (i for i in 'ab')\nlock = threading.Lock()\nheld = {'f': open('x', 'w')}\nn = 1"
    )
    assert first.notes == [
        "Not kept for other cells, which fail if they read it: g (generator), held (dict), lock (_thread.lock)."
    ]
    assert isinstance(first.made["g"], MadeUnavailable)
    assert book.run("print(n)").text() == "1\n"
    reasons = {name: book.fail(name).error for name in ("g", "lock", "held")}
    assert {error.code for error in reasons.values()} == {"unavailable_value"}
    assert reasons["g"].message == (
        "g can't be read: it is a generator, which lives in one cell only."
        " Make a list of it with list(…), or make it again in the cell that needs it."
    )
    assert reasons["held"].message.startswith("held can't be read: it is a dict, and holds an open file, which lives")


def test_a_value_that_can_not_be_loaded_fails_the_cell_with_its_name(bench: Bench) -> None:
    book = Book(bench)
    own = "open('own.py', 'w').write('class A: pass')\nimport sys; sys.path.insert(0, '.')\nimport own"
    book.run(f"{own}\nx = own.A()\ny = 1")
    error = book.fail("x").error
    assert error.message == "x can't be loaded: ModuleNotFoundError: No module named 'own'"
    assert book.run("print(eval('y'))").text() == "1\n"


def test_a_frame_in_two_places_is_told_of(bench: Bench) -> None:
    first, second = bench.cells(
        "import pandas as pd\ndf = pd.DataFrame({'a': [1]})\nlisted = [df]",
        "df['b'] = 2\nprint(listed[0].columns.tolist())",
    )
    assert first.notes == [
        "df and listed hold one and the same data frame. From the next cell on each has its own:"
        " a change through one name is not seen through another."
    ]
    assert second.text() == "['a']\n"


def test_a_pending_name_is_asked_for_when_it_is_looked_up_and_not_before(bench: Bench) -> None:
    book = Book(bench)
    book.run("x = [1]\ny = 2")
    asked: list[str] = []
    names, pending = dict(book.names), book.pending("x", "y", "gone", "never")

    def resolve(name: str) -> GivenValue | None:
        asked.append(name)
        return names.get(name)  # type: ignore[return-value]

    code = "z = 1\nprint(x, 'gone' in globals())\ntry: gone\nexcept NameError as e: print(e)"
    run = bench.run(code, names=pending, resolve_name=resolve)
    assert run.text() == "[1] False\nname 'gone' is not defined\n"
    assert asked == ["x", "gone"]
    assert {"x", "gone"} <= run.reads
    assert "y" not in run.reads


def test_a_pending_name_whose_writer_fails_fails_its_reader(bench: Bench) -> None:
    def resolve(name: str) -> None:
        raise OSError("the store is gone")

    error = bench.run("x", names=Book(bench).pending("x"), resolve_name=resolve).error
    assert error.message == "x can't be read: OSError: the store is gone"


def test_deletes_are_told(bench: Bench) -> None:
    *_, last = bench.cells("x = y = 1\nz = 2", "del x\ndel z\nz = 3\nfor i in 'a': pass\ndel i")
    assert last.deletes == {"x", "i"}
    assert last.values == {"z"}


def test_a_failed_cell_leaves_nothing(bench: Bench) -> None:
    run = bench.run("x = 1\n1 / 0")
    assert run.outcome
    assert (run.outcome.writes, run.outcome.deletes) == ({}, frozenset())


def test_annotations_are_evaluated_as_in_a_file(bench: Bench) -> None:
    assert bench.run("def f(x: int): ...\nprint(f.__annotations__)").text() == "{'x': <class 'int'>}\n"
