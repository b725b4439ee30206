"""Values are packed and loaded as they were, and unchanged ones to the same bytes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.cases import read_cases
from tests.kernels.child.cells import Cell
from trailbook.kernels.child.values import packed
from trailbook.kernels.child.values.keeping import pack
from trailbook.kernels.child.values.notebook import Notebook

ATOMS = st.one_of(
    *(st.none(), st.booleans(), st.integers(), st.floats(), st.complex_numbers(), st.binary(max_size=3)),
    st.sampled_from(["a", "name", "two words", "é", ""]),
)
HASHABLE = st.recursive(ATOMS, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=4), max_leaves=6)


class Thing:
    """An object whose attributes have the names of values."""

    def __init__(self, attributes: dict[str, Any]) -> None:
        vars(self).update(attributes)


def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    names = st.sampled_from(["a", "name", "other"])
    return st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(HASHABLE, inner, max_size=4),
        st.sets(HASHABLE, max_size=5),
        st.dictionaries(names, inner, max_size=3).map(Thing),
        inner.map(lambda one: [one, one]),
    )


@given(st.recursive(HASHABLE, containers, max_leaves=12))
def test_what_was_loaded_is_packed_to_the_same_bytes_again_and_again(value: Any) -> None:
    notebook = Notebook({})

    def reload(content: packed.Packed) -> packed.Packed:
        return pack(notebook, packed.unpack(packed.content(content), notebook.unpickler))

    once = reload(pack(notebook, {"value": value}))
    assert reload(once).digest == once.digest


@given(st.sets(HASHABLE), st.randoms(use_true_random=False))
def test_a_set_has_the_same_bytes_however_it_was_filled(value: set[Any], random: Any) -> None:
    shuffled = sorted(value, key=lambda one: random.random())
    notebook = Notebook({})
    assert pack(notebook, {"x": set(shuffled)}).digest == pack(notebook, {"x": value}).digest


def test_objects_that_lead_to_each_other_through_sets_of_one_are_packed_once() -> None:
    things = [Thing({}) for _ in range(30)]
    for thing, before in zip(things, [things[-1], *things], strict=False):
        vars(thing).update(before={(before, 1)}, first={(things[0], 2)}, half={(things[15], 3)})
    assert len(pack(Notebook({}), {"things": things}).head) < 10_000


PACK = """
from trailbook.kernels.child.values.keeping import pack
from trailbook.kernels.child.values.notebook import Notebook
class Tags(set): pass
value = [{"one", "two", "three"}, {1, "a", None, (2, "b"), 2.5}, frozenset({frozenset("abc"), b"x"}), Tags("xyz")]
def late(x): return x in {"red", "green", "blue"}
value.append(late)
print(pack(Notebook(globals()), {"value": value}).digest)
"""


def test_the_seed_of_hashes_does_not_matter() -> None:
    digests = set()
    for seed in ("1", "2", "3"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run([sys.executable, "-c", PACK], env=environment, capture_output=True, text=True, check=True)
        digests.add(run.stdout)
    assert len(digests) == 1


CASES = read_cases(Path(__file__).with_name("values.txt"))


@pytest.mark.parametrize("case", CASES)
def test_a_value_survives_two_cells_and_keeps_its_bytes(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = CASES[case].cells
    first = Cell(monkeypatch).run(code)
    second = Cell(monkeypatch).load(first.pack("f"))
    third = Cell(monkeypatch).load(second.pack("f"))
    assert third.pack("f").digest == second.pack("f").digest
    third.run(CASES[case].expected, "<check>")


def test_a_function_that_only_moved_has_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "def f(x):\n  # Why.\n  def g(): return x\n  return g\n"
    here = Cell(monkeypatch).run(code).pack("f").digest
    assert Cell(monkeypatch).run(f"import os\n\n\n{code}\nz = 3").pack("f").digest == here
    assert Cell(monkeypatch).run(code.replace("return x", "return -x")).pack("f").digest != here


def test_a_loaded_function_shows_its_lines_in_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    import traceback

    content = Cell(monkeypatch).run("a = 1\n\ndef divide():\n  return 1 / 0\n").pack("divide")
    again = Cell(monkeypatch).load(Cell(monkeypatch).load(content).pack("divide"))
    with pytest.raises(ZeroDivisionError) as caught:
        again.names["divide"]()
    text = "".join(traceback.format_tb(caught.tb))
    assert 'File "<cell divide>", line 2, in divide\n    return 1 / 0' in text


def test_two_functions_of_one_name_have_each_their_own_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    import inspect

    one = Cell(monkeypatch).run("def f():\n  return 1\n").pack("f")
    two = Cell(monkeypatch).run("def f():\n  return 2\n").pack("f")
    cell = Cell(monkeypatch).load(one)
    first = cell.names["f"]
    second = cell.load(two).names["f"]
    assert (inspect.getsource(first), inspect.getsource(second)) == ("def f():\n  return 1\n", "def f():\n  return 2\n")


def test_a_class_is_one_object_whatever_it_was_loaded_with(monkeypatch: pytest.MonkeyPatch) -> None:
    first = Cell(monkeypatch).run("class A: pass\nclass B(A): pass\nx, y = A(), B()")
    parts = [first.pack(name) for name in ("y", "x", "A", "B")]
    second = Cell(monkeypatch)
    for part in parts:
        second.load(part)
    second.run("assert type(x) is A and type(y) is B and B.__base__ is A")


def test_two_classes_with_the_same_definition_stay_two(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "def make():\n  class C: pass\n  return C\nf = make(), make(), None\nf = f[0], f[1], f[0]()"
    second = Cell(monkeypatch).load(Cell(monkeypatch).run(code).pack("f"))
    second.run("assert f[0] is not f[1] and type(f[2]) is f[0]")


def test_only_the_state_of_a_class_has_other_bytes_when_an_attribute_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    cell = Cell(monkeypatch).run("class A: n = 0\nx = A()")

    def state() -> str:
        found = cell.notebook.classes.state(cell.names["A"])
        return pack(cell.notebook, {found.name: found}).digest

    before = cell.pack("x").digest, cell.pack("A").digest, state()
    cell.run("A.n = 1")
    assert (cell.pack("x").digest, cell.pack("A").digest) == before[:2]
    assert state() != before[2]


@pytest.mark.parametrize(
    "code",
    [
        "x = (i for i in 'a')",
        "import threading\nx = [threading.Lock()]",
        "import socket\nx = socket.socket()",
        "import sys\nx = {'f': open(sys.executable)}",
        "import sys\nx = open(sys.executable, 'rb')",
        "async def f(): pass\nx = f()\nx.close()",
        "import sys\nx = sys._getframe()",
    ],
)  # fmt: skip
def test_what_lives_in_one_process_is_refused(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cell = Cell(monkeypatch).run(code)
    with pytest.raises(TypeError, match="cannot pickle"):
        cell.pack("x")


def test_a_long_chain_can_be_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    cell = Cell(monkeypatch).run("x = None\nfor _ in range(3000): x = [x]")
    assert Cell(monkeypatch).load(cell.pack("x")).names["x"][0][0][0] is not None
