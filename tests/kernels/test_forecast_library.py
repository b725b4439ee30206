"""What calls of `tb` do with names is foretold where the names are written out, and may be anything where not."""

from __future__ import annotations

import pytest

from trailbook.kernels.forecast import combined, forecast


@pytest.mark.parametrize(
    ("code", "reads", "writes", "deletes"),
    [
        ("tb.dataset('x').pandas()", {"x"}, set(), set()),
        ("tb.save('x', 1)", set(), {"x"}, set()),
        ("tb.save(data=1, name='x')", set(), {"x"}, set()),
        ("tb.create('x', url='https://example.org')", set(), {"x"}, set()),
        ("tb.drop('x')", {"x"}, set(), {"x"}),
        ("tb.rename('a', 'b')", {"a", "b"}, {"b"}, {"a"}),
        ("tb.rename(new='b', old='a')", {"a", "b"}, {"b"}, {"a"}),
        ("def f():\n    tb.save('x', tb.dataset('y'))\nf()", {"y"}, {"f", "x"}, set()),
        ("def f(x):\n    tb.save('x', x)\nf(1)", set(), {"f", "x"}, set()),
        ("tb.show(1)\ntb.progress(1, 2)\ntb.datasets()\ntb.Caveat('?')", set(), set(), set()),
        ("def f(tb):\n    tb.save(tb, tb)", set(), {"f"}, set()),
    ],
)
def test_names_that_are_written_out(code: str, reads: set[str], writes: set[str], deletes: set[str]) -> None:
    told = forecast(code)
    assert [told.reads - {"tb"}, told.writes, told.deletes] == [*map(frozenset, (reads, writes, deletes))]
    assert not told.opaque


@pytest.mark.parametrize(
    ("code", "reads_anything", "writes_anything"),
    [
        ("tb.dataset(n)", True, False),
        ("tb.save(n, 1)", False, True),
        ("tb.save(*given)", False, True),
        ("tb.create(n, url='https://example.org')", False, True),
        ("tb.drop(n)", True, True),
        ("tb.rename('a', n)", True, True),
        ("save = tb.save", True, True),
        ("getattr(tb, 'save')('x', 1)", True, True),
        ("f(tb)", True, True),
        ("[tb.drop(n) for n in 'ab']", True, True),
    ],
)
def test_names_that_only_running_the_code_tells(code: str, reads_anything: bool, writes_anything: bool) -> None:
    told = forecast(code)
    assert (told.reads_anything, told.writes_anything) == (reads_anything, writes_anything)


def test_a_function_of_a_cell_above_saves_where_it_is_called() -> None:
    defined, called = combined([forecast("def put():\n    tb.save('x', 1)"), forecast("put()")])
    assert (defined.writes, called.writes) == (frozenset({"put"}), frozenset({"x"}))
