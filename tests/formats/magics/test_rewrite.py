"""Magics become plain Python on the lines where they stood; what only looks like a magic is left alone."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailbook.formats.magics import rewrite
from trailbook.kernels.child.ipython.magics import MagicRefused


def code(source: str, *, allow_shell: bool = False) -> str:
    made = rewrite(source, allow_shell=allow_shell)
    assert made.kind == "python"
    text: str = made.parameters["code"]
    return text


@pytest.mark.parametrize(
    "source",
    [
        "",
        "x = 5 % 3",
        'text = """\n%time f()\n!ls\n"""',
        "total = (1\n%2)",
        "rest = 5 \\\n%3",
        "# %matplotlib inline\n# !ls",
        "print('%d%%' % 3)",
        "a != b",
    ],
)
def test_plain_python_stays_as_it_is(source: str) -> None:
    assert code(source) == source


def test_only_magics_change_in_a_cell_that_has_some() -> None:
    source = (
        '%matplotlib inline\nimport os\ntext = """\n%time no\n!no\n"""\nrest = (5\n%3)\n# !no\nprint("!no") # it\'s'
    )
    assert code(source).split("\n") == ["pass  # %matplotlib inline", *source.split("\n")[1:]]


@given(st.lists(st.sampled_from(["%time f()", "!ls \\", "x = 1", '"""', "(", ")", "a?", "  %pwd", "%%x", "'", "#"])))
def test_lines_keep_their_numbers(lines: list[str]) -> None:
    source = "\n".join(["import os", *lines, "last = 1"])
    assert len(code(source).split("\n")) == len(lines) + 2


@pytest.mark.parametrize(
    "source",
    [
        "%time f(x)",
        "%time y = f(x)",
        "%time for i in x: f(i)",
        "y = %time f(x)",
        "if x:\n    %time f(x)\n    y = 1",
        "%%time\nf(x)",
        "%%time\n\nfor i in x:\n    f(i)",
        "%timeit -n 3 -r 2 f(x)",
        "%timeit y = f(x)",
        "%%timeit y = 1\nf(y)\nf(y)",
        "%%capture\nf(x)",
        "%%capture out --no-stderr\n%%time\nf(x)",
        "%env A=1",
        "%env A",
        "here = %pwd",
        "%run -i 'my script.py' 1 2",
        "%cd ..",
        "%who",
        "%pylab inline",
        "%sql SELECT 1",
        "%load_ext autoreload\n%autoreload 2\n%config X.y = 'z'",
        "%%writefile -a a.py\ndef f():\n    return '''x'''",
        "%%html\n<b>it's</b>",
        "%%javascript\nalert(1)",
        "%%python\nprint(1)",
        "x?\n?x\nx.y??",
        "    %matplotlib inline\n    x = 1",
        "!ls",
        "!!ls",
        "files = !ls {folder} \\\n  -l",
        "%%bash\nls\nit's",
        "%nonsense a b",
        "%%nonsense\nit's",
    ],
)
@pytest.mark.parametrize("allow_shell", [False, True])
def test_every_magic_becomes_python(source: str, allow_shell: bool) -> None:
    made = code(source, allow_shell=allow_shell)
    ast.parse(made)
    assert len(made.split("\n")) - len(source.split("\n")) in (0, 1, source.count("%%"))


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("!ls -l", ["!ls -l is for the shell", "subprocess", "allow_shell"]),
        ("%ls", ["%ls is for the shell"]),
        ("%%bash\nls", ["%%bash is for the shell"]),
        ("!pip install polars", ["!pip install polars installs packages", "Add them to the packages of the notebook"]),
        ("%conda install polars", ["%conda install polars installs packages"]),
        ("%store x", ["%store is a magic that Trailbook does not know", "%timeit"]),
        ("%%cython\nx", ["%%cython is a magic that Trailbook does not know", "%%capture"]),
        ("%%sql sqlite:///x.db\nSELECT 1", ["asks another database", "pandas.read_sql"]),
        ("%run other.ipynb", ["only Python files can be run"]),
    ],
)
def test_what_is_refused_fails_when_it_runs_and_says_what_to_do(source: str, words: list[str]) -> None:
    with pytest.raises(MagicRefused) as refusal:
        exec(code(source), {})
    for word in words:
        assert word in str(refusal.value)


def test_the_text_of_a_refused_cell_is_kept() -> None:
    assert code("%%bash\nls\n\nrm x").split("\n")[1:] == ["# ls", "#", "# rm x"]


@pytest.mark.parametrize(
    ("source", "kind", "parameters"),
    [
        ("%%sql\nSELECT 1", "sql", {"query": "SELECT 1"}),
        ("%%sql totals <<\nSELECT 1\n", "sql", {"name": "totals", "query": "SELECT 1\n"}),
        ("%%sql -o totals\nSELECT 1", "sql", {"name": "totals", "query": "SELECT 1"}),
        ("\n%%sql\nSELECT 1", "sql", {"query": "SELECT 1"}),
        ("%%time\n%%sql\nSELECT 1", "sql", {"query": "SELECT 1"}),
        ("%%markdown\n# Title", "markdown", {"text": "# Title"}),
    ],
)
def test_some_magics_are_cells_of_another_kind(source: str, kind: str, parameters: dict[str, str]) -> None:
    made = rewrite(source)
    assert (made.kind, made.parameters) == (kind, parameters)
