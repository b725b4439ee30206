"""What the code of a cell is foretold to do, and what it then does."""

from __future__ import annotations

import sys

import pytest

from tests.kernels.programs import Recorder, programs
from trailbook.kernels.forecast import (
    ANYTHING,
    Edge,
    Forecast,
    StatementEdge,
    combined,
    depth,
    forecast,
    graph,
    parallelism,
)

FIELDS = ("reads", "writes", "deletes", "mutates", "touches")


def told(code: str) -> dict[str, str]:
    """The sets of a forecast that are not empty, as text."""
    found = forecast(code)
    assert not found.opaque
    return {field: " ".join(sorted(getattr(found, field))) for field in FIELDS if getattr(found, field)}


STRAIGHT = [
    ("", {}),
    ("x = 1; print(x)", {"writes": "x"}),
    ("print(x); x = 1", {"reads": "x", "writes": "x"}),
    ("x = x + 1", {"reads": "x", "writes": "x"}),
    ("x += 1", {"reads": "x", "writes": "x", "mutates": "x"}),
    ("x = 1; x += y", {"reads": "y", "writes": "x", "mutates": "x"}),
    ("a, (b, *c) = d", {"reads": "d", "writes": "a b c"}),
    ("a = b = c", {"reads": "c", "writes": "a b"}),
    ("(y := x) + y", {"reads": "x", "writes": "y"}),
    ("a and (y := 1); y", {"reads": "a y", "writes": "y"}),
    ("(y := a) and y", {"reads": "a", "writes": "y"}),
    ("(y := 1) if a else (y := 2); y", {"reads": "a", "writes": "y"}),
    ("(y := 1) if a else 2; y", {"reads": "a y", "writes": "y"}),
    ("a < (b := 1) < (c := 2); b; c", {"reads": "a c", "writes": "b c"}),
    ("{a: b, (a := 1): 2}", {"reads": "a b", "writes": "a"}),
    ("f'{x!r:>{width}}'", {"reads": "width x"}),
    ("x: int = 1", {"writes": "x"}),
    ("x: T", {"reads": "T"}),
    ("x: T = v", {"reads": "T v", "writes": "x"}),
    ("from __future__ import annotations\nx: T = 1\ndef f(a: U) -> V: pass", {"writes": "annotations f x"}),
    ("assert a, b", {"reads": "a b"}),
    ("raise E\nx = y", {"reads": "E"}),
    ("del x", {"reads": "x", "deletes": "x"}),
    ("del x; x", {"reads": "x", "deletes": "x"}),
    ("x = 1; del x", {"writes": "x", "deletes": "x"}),
    ("x = 1; del x; x", {"reads": "x", "writes": "x", "deletes": "x"}),
    ("x = 1; del x; x = 2; x", {"writes": "x", "deletes": "x"}),
]

BRANCHES = [
    ("if c: x = 1\nprint(x)", {"reads": "c x", "writes": "x"}),
    ("if c: x = 1\nelse: x = 2\nx", {"reads": "c", "writes": "x"}),
    ("if c: x = 1\nelif d: x = 2\nx", {"reads": "c d x", "writes": "x"}),
    ("if c: raise E\nelse: x = 2\nx", {"reads": "E c", "writes": "x"}),
    ("if True: x = 1\nx", {"writes": "x"}),
    ("x = 1\nif c: del x\nx", {"reads": "c x", "writes": "x", "deletes": "x"}),
    ("for i in xs: y = i\ni; y", {"reads": "i xs y", "writes": "i y"}),
    ("for i in xs: pass\nelse: y = 1\ny", {"reads": "xs", "writes": "i y"}),
    ("for i in xs:\n  if i: break\nelse: y = 1\ny", {"reads": "xs y", "writes": "i y"}),
    ("for d['k'] in xs: pass", {"reads": "d xs", "mutates": "d"}),
    ("x = 1\nfor i in ys:\n  x\n  del x", {"reads": "ys", "writes": "i x", "deletes": "x"}),
    ("while (n := f()): m = n\nn; m", {"reads": "f m", "writes": "m n"}),
    ("while True:\n  x = 1\n  if c: break\nx", {"reads": "c", "writes": "x"}),
    ("while True:\n  if c: break\n  x = 1\nx", {"reads": "c x", "writes": "x"}),
    ("while c:\n  continue\n  x = y", {"reads": "c"}),
    ("try: x = 1\nexcept E: pass\nx", {"reads": "E x", "writes": "x"}),
    ("try: x = 1\nexcept E: x = 2\nx", {"reads": "E", "writes": "x"}),
    ("try: x = 1\nexcept E: raise\nx", {"reads": "E", "writes": "x"}),
    ("try: x = 1\nfinally: x", {"reads": "x", "writes": "x"}),
    ("try: f()\nfinally: x = 1\nx", {"reads": "f", "writes": "x"}),
    ("try: x = 1\nfinally: y = 1\nx; y", {"writes": "x y"}),
    ("try: x = 1\nexcept E: pass\nelse: x", {"reads": "E", "writes": "x"}),
    ("try: f()\nexcept E as e: e\ne", {"reads": "E e f", "writes": "e", "deletes": "e"}),
    ("try: f()\nexcept* E as e: x = e", {"reads": "E f", "writes": "e x", "deletes": "e"}),
    (
        "for i in a:\n  x = 1\n  try: break\n  finally: del x\nelse: x = 2\nx",
        {"reads": "a x", "writes": "i x", "deletes": "x"},
    ),
    ("with open(p) as f: x = f\nf; x", {"reads": "p", "writes": "f x"}),
    ("with suppress(E): x = 1\nx", {"reads": "E suppress x", "writes": "x", "touches": "E"}),
    ("with a as b, b as (c, d): pass", {"reads": "a", "writes": "b c d"}),
    ("match v:\n  case [x, *y]: pass\n  case {'k': K.z, **rest}: pass\nx", {"reads": "K v x", "writes": "rest x y"}),
    ("match v:\n  case P(x=x) | [x]: pass\n  case x: pass\nx", {"reads": "P v", "writes": "x"}),
    ("match v:\n  case x if x > low: y = x\n  case _: y = 0\ny", {"reads": "low v", "writes": "x y"}),
]

SCOPES = [
    ("[x * k for x in xs if x > low]", {"reads": "k low xs"}),
    ("[(x, y) for x in xs for y in x]", {"reads": "xs"}),
    ("{k: v for k, v in d.items()}", {"reads": "d", "touches": "d"}),
    ("[x for x in x]", {"reads": "x"}),
    ("any((hit := x) > 3 for x in xs); hit", {"reads": "hit xs", "writes": "hit"}),
    ("[y := 1, y] + [y for _ in z]", {"reads": "z", "writes": "y"}),
    ("f = lambda a, b=c: a + b + d", {"reads": "c", "writes": "f"}),
    ("f = lambda: d\nf()", {"reads": "d", "writes": "f"}),
    ("sorted(xs, key=lambda x: x * w)", {"reads": "w xs"}),
    ("def f(a, b=c, *d, e=g, **h): return a, b, d, e, h, i", {"reads": "c g", "writes": "f"}),
    ("def f(a: T) -> U: return V", {"reads": "T U", "writes": "f"}),
    ("def f(): return a\na = 1\nf()", {"writes": "a f"}),
    ("def f(): return a\nf()\na = 1", {"reads": "a", "writes": "a f"}),
    ("def f(): return a\ng(f)", {"reads": "a g", "writes": "f", "touches": "f"}),
    ("def f(): return a\nd['f'] = f", {"reads": "a d", "writes": "f", "mutates": "d"}),
    ("@deco\ndef f(): return a", {"reads": "a deco", "writes": "f"}),
    ("@functools.lru_cache(None)\ndef f(): return a", {"reads": "functools", "writes": "f", "touches": "functools"}),
    ("def f(): return g()\ndef g(): return a\nf()", {"reads": "a", "writes": "f g"}),
    ("def f(n): return f(n - k)\nf(3)", {"reads": "k", "writes": "f"}),
    ("def f():\n  global x\n  x = 1\n  return x", {"writes": "f"}),
    ("def f():\n  global x\n  x = 1\n  return x\nf()", {"writes": "f x"}),
    ("def f():\n  global x\n  if c: return\n  x = 1\nf(); x", {"reads": "c x", "writes": "f x"}),
    ("def f():\n  global x\n  del x\nx = 1\nf()\nx", {"reads": "x", "writes": "f x", "deletes": "x"}),
    ("def f():\n  x = 1\n  return x\nf()", {"writes": "f"}),
    ("def f():\n  return 1\n  return a\nf()", {"writes": "f"}),
    ("def f():\n  import os, a.b\n  return os, a\nf()", {"writes": "f"}),
    (
        "def f():\n  xs.append(1); d['k'] = 2\n  ys = []; ys.append(1)\nf()",
        {"reads": "d xs", "writes": "f", "mutates": "d xs"},
    ),
    # Figure 3 of the paper: scopes are captured at definition, and stay changeable.
    ("def foo(): print(a)\na = 1\nfoo()\ndef bar():\n  a = 2\n  foo()\nbar()", {"writes": "a bar foo"}),
    (
        "def foo():\n  def bar(): print(a)\n  a = 2\n  return bar\nbar = foo()\nbar()\na = 1\nbar()",
        {"writes": "a bar foo"},
    ),
    ("def foo():\n  def bar(): return a\n  return bar\nbar = foo()", {"reads": "a", "writes": "bar foo"}),
    ("def f():\n  def g():\n    nonlocal n\n    n += k\n  n = 0\n  g()\nf()", {"reads": "k", "writes": "f"}),
    ("def f():\n  x = 1\n  def g():\n    global x\n    x = 2\n  g()\nf()", {"writes": "f x"}),
    ("class C(B, metaclass=M):\n  a = b\n  def m(self): return d", {"reads": "B M b", "writes": "C"}),
    ("class C:\n  def m(self): return d\nc = C()", {"reads": "d", "writes": "C c"}),
    ("class C:\n  x = 1\n  y = x\n  def m(self): return x\nC().m()", {"reads": "x", "writes": "C"}),
    ("class C:\n  x = x", {"reads": "x", "writes": "C"}),
    ("class C:\n  ks = [k for _ in ks]\n  k = 1", {"reads": "k ks", "writes": "C"}),
    ("class C:\n  def make(): return d\n  x = make()", {"reads": "d", "writes": "C"}),
    ("class A: x = 1\nclass B: y = x", {"reads": "x", "writes": "A B"}),
    ("class C:\n  @property\n  def a(self): return d\n  @a.setter\n  def a(self, v): e.f = v", {"writes": "C"}),
    ("async def f():\n  async with a as b: return [c async for c in b]\nawait f()", {"reads": "a", "writes": "f"}),
]

IMPORTS = [
    ("import a.b", {"writes": "a"}),
    ("import a.b as c, d", {"writes": "c d"}),
    ("from a import b as c, d", {"writes": "c d"}),
    ("import numpy as np\nnp.sin(x)", {"reads": "x", "writes": "np", "touches": "x"}),
    ("try: import a\nexcept ImportError: a = None\na", {"writes": "a"}),
]

CHANGES = [
    ("df['x'] = 1", {"reads": "df", "mutates": "df"}),
    ("df.loc[mask, 'x'] = y", {"reads": "df mask y", "mutates": "df"}),
    ("a.b.c = 2", {"reads": "a", "mutates": "a"}),
    ("del d[k]", {"reads": "d k", "mutates": "d"}),
    ("d[k] += 1", {"reads": "d k", "mutates": "d"}),
    ("a.b, c = 1, 2", {"reads": "a", "writes": "c", "mutates": "a"}),
    ("xs.append(1)", {"reads": "xs", "mutates": "xs"}),
    ("a.xs[0].append(1)", {"reads": "a", "mutates": "a"}),
    ("[xs.append(i) for i in ys]", {"reads": "xs ys", "mutates": "xs"}),
    ("x = xs.pop()", {"reads": "xs", "writes": "x", "mutates": "xs"}),
    ("new = df.sort('x')", {"reads": "df", "writes": "new", "touches": "df"}),
    ("df.sort('x').show()", {"reads": "df", "touches": "df"}),
    ("df.drop(columns='a', inplace=True)", {"reads": "df", "mutates": "df"}),
    ("df.drop(columns='a', inplace=False)", {"reads": "df", "touches": "df"}),
    ("df.head()", {"reads": "df", "touches": "df"}),
    ("d.get(k).append(1)", {"reads": "d k", "touches": "d k"}),
    ("fit(model, data=df)", {"reads": "df fit model", "touches": "df model"}),
    ("print(len(df), df.shape)", {"reads": "df"}),
    ("setattr(a, 'b', c)", {"reads": "a c", "mutates": "a"}),
    ("next(it)", {"reads": "it", "mutates": "it"}),
    ("df.query('a > 1')", {"reads": "df", "touches": "df"}),
    ("model.eval()", {"reads": "model", "touches": "model"}),
    ("model.evaluate(x)", {"reads": "model x", "touches": "model x"}),
    ("spark.table('sales')", {"reads": "sales spark", "touches": "spark"}),
    ("con.execute('create index i')", {"reads": "con", "touches": "con"}),
    ("vars(a), dir(a)", {"reads": "a"}),
    ("def f(): return locals(), vars(), dir()\nf()", {"writes": "f"}),
]

TYPE_PARAMETERS = [
    ("type Pair[T] = tuple[T, U]", {"reads": "U", "writes": "Pair"}),
    ("def f[T](a: T) -> U: return T", {"reads": "U", "writes": "f"}),
    ("class C[T](B[T]): x: T", {"reads": "B", "writes": "C"}),
]

CASES = [*STRAIGHT, *BRANCHES, *SCOPES, *IMPORTS, *CHANGES, *(TYPE_PARAMETERS if sys.version_info >= (3, 12) else [])]


@pytest.mark.parametrize(("code", "expected"), CASES)
def test_what_a_cell_does_is_told_by_its_code(code: str, expected: dict[str, str]) -> None:
    assert told(code) == expected


@pytest.mark.parametrize(
    ("code", "reads", "writes"),
    [
        ("eval(text)", True, True),
        ("exec('x = 1')", True, True),
        ("list(map(eval, texts))", True, True),
        ("def f(): exec(text)\nf()", True, True),
        ("def f(): exec(text)", False, False),
        ("def f(eval): return eval(1)\nf(g)", False, False),
        ("if (eval := f)(x): eval(y)", False, False),
        ("from pylab import *", False, True),
        ("from __main__ import x", True, True),
        ("get_ipython().system('ls')", True, True),
        ("__import__(name)", True, False),
        ("globals()['x'] = 1", True, True),
        ("globals().update(d)", True, True),
        ("f(globals)", True, True),
        ("def f(): return globals()\nf()", True, True),
        ("x = globals()['x']", True, False),
        ("x = globals().get('x')", True, False),
        ("if 'x' not in globals(): x = 1", True, False),
        ("'{x}'.format(**locals())", True, True),
        ("[vars() for _ in xs]", True, True),
        ("dir()", True, False),
        ("sys._getframe().f_globals", True, True),
        ("df.query('a > @low')", True, False),
        ("df.query(condition)", True, False),
        ("df.eval(f'c = {x}')", True, False),
        ("pd.eval('a + b')", True, False),
        ("ne.evaluate('a + b')", True, False),
        ("duckdb.sql('select * from df')", True, False),
        ("con.execute('select * from df').df()", True, False),
        ("spark.sql(f'select * from {t}')", True, False),
        ("smf.ols('np.log(y) ~ x', data=df)", True, False),
        ("x =", True, True),
        ("%matplotlib inline", True, True),
        ("x = '\0'", True, True),
        ("x = '\ud800'", True, True),
        ("-" * 100_000 + "1", True, True),
        ("(" * 300 + ")" * 300, True, True),
        ("+".join("1" * 20_000), True, True),
        ("x" + ".y" * 3_000, True, True),
        ("x = 1\n" * 100_000, True, True),
    ],
)
def test_code_that_can_not_be_seen_through_may_do_anything(code: str, reads: bool, writes: bool) -> None:
    found = forecast(code)
    assert (found.reads_anything, found.writes_anything, found.opaque) == (reads, writes, reads or writes)


def test_builtins_are_told_apart_unless_the_cell_binds_them() -> None:
    assert forecast("print(len(xs))").builtins_read == {"print", "len"}
    assert forecast("len = 1\nlen").builtins_read == frozenset()
    assert forecast("if c: len = f\nlen(xs)").builtins_read == {"len"}


def test_imports_name_the_modules_they_need() -> None:
    found = forecast("import pandas as pd, os.path\nfrom a.b import c as d\nfrom . import e\ndef f(): import g")
    assert found.modules == {"pd": "pandas", "os": "os.path", "d": "a.b", "e": "."}


def test_what_is_written_for_certain_is_told() -> None:
    assert forecast("x = 1\nif c: y = 1\nz = 1\ndel z\nwith a as b: v = 1").surely_writes == {"x", "b", "v"}


def functions(code: str) -> dict[str, tuple[str, str]]:
    found = forecast(code).functions
    return {name: (" ".join(sorted(each.reads)), " ".join(sorted(each.writes))) for name, each in found.items()}


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("def f(a): return a + b", {"f": ("b", "")}),
        ("f = lambda a: a + b", {"f": ("b", "")}),
        ("f = g = lambda: a", {"f": ("a", ""), "g": ("a", "")}),
        ("def f():\n  global x\n  x = g()\ndef g(): return y", {"f": ("g y", "x"), "g": ("y", "")}),
        ("def f():\n  def g(): return a, b\n  a = 1\n  return g", {"f": ("b", "")}),
        ("class C:\n  x = a\n  def m(self): return b\n  def n(self): return [c for c in d]", {"C": ("b d", "")}),
        ("class A:\n  def m(self): return a\nclass B(A):\n  def n(self): return b", {"A": ("a", ""), "B": ("a b", "")}),
        ("class C:\n  key = lambda self: a", {"C": ("a", "")}),
        ("def f(): return a\ng = f", {"f": ("a", ""), "g": ("a", "")}),
        ("def f(): return a\nd = {'f': f}", {"f": ("a", ""), "d": ("a", "")}),
        ("def f(): return a\nfs.append(f)", {"f": ("a", ""), "fs": ("a", "")}),
        ("def f(x): return x > a\nys = f(xs)", {"f": ("a", "")}),
        ("def f(x): return x > a\nys = xs.apply(f)", {"f": ("a", "")}),
        ("def f(x): return x > a\ng = functools.partial(f, 1)", {"f": ("a", ""), "g": ("a", "")}),
        ("ys = xs.apply(lambda x: x > a)", {}),
        ("def f(x): return x.assign(y=lambda r: r.z > a)\nys = f(xs)", {"f": ("a", "")}),
        ("def f(x):\n  def g(y): return y > a\n  return g(x)\nys = f(xs)", {"f": ("a", "")}),
        ("def f():\n  g = lambda: a\n  h = [g]\n  return h\ni = f()", {"f": ("a", ""), "i": ("a", "")}),
        ("def f():\n  class C:\n    def m(self): return a\n  return C()\nc = f()", {"f": ("a", ""), "c": ("a", "")}),
        ("def f():\n  yield lambda: a\ng = next(f())", {"f": ("a", ""), "g": ("a", "")}),
        ("def f(): plt.plot(lambda: a)", {"f": ("a plt", "")}),
        ("fs = [lambda: i + a for i in xs]", {"fs": ("a", "")}),
        ("def outer():\n  return lambda: a\nf = outer()", {"outer": ("a", ""), "f": ("a", "")}),
        (
            "class C:\n  def m(self): return a\ndef make(): return C()\nc = make()",
            {"C": ("a", ""), "make": ("C a", ""), "c": ("C a", "")},
        ),
        (
            "def deco(f):\n  def g(): return f(a)\n  return g\n@deco\ndef h(): return b",
            {"deco": ("a", ""), "h": ("a b", "")},
        ),
        ("def f():\n  global g\n  g = lambda: a\nf()", {"f": ("a", "g"), "g": ("a", "g")}),
    ],
)
def test_what_functions_do_when_called_is_told(code: str, expected: dict[str, tuple[str, str]]) -> None:
    assert functions(code) == expected


def test_statements_are_linked_by_what_they_write_and_read() -> None:
    found = forecast("xs = [1]\nif c:\n    xs = [2]\nxs.append(y)\n\n@d\ndef f():\n    return xs\nxs = f()\nprint(xs)")
    assert [(each.first_line, each.last_line) for each in found.statements] == [
        (1, 1),
        (2, 3),
        (4, 4),
        (6, 8),
        (9, 9),
        (10, 10),
    ]
    assert found.statements[2].reads == {"xs", "y"}
    assert {edge for edge in found.edges if edge.name == "xs" and edge.reader != 3} == {
        StatementEdge(0, 2, "xs"),
        StatementEdge(1, 2, "xs"),
        StatementEdge(2, 4, "xs"),
        StatementEdge(4, 5, "xs"),
    }
    assert StatementEdge(3, 4, "f") in found.edges


def together(*cells: str) -> list[Forecast]:
    return combined([forecast(cell) for cell in cells])


@pytest.mark.parametrize(
    ("cells", "reads"),
    [
        (("def f(): return a", "f()"), "a f"),
        (("def f(): return a", "a = 1; f()"), "f"),
        (("def f(): return a", "f(); a = 1"), "a f"),
        (("def f(): return a", "def f(): return b", "f()"), "b f"),
        (("def f(): return a", "if c:\n  def f(): return b", "f()"), "a b f"),
        (("def f(): return a", "f = 1", "f"), "f"),
        (("def f(): return g()", "def g(): return a", "f()"), "a f g"),
        (("def f(): return g()", "def g(): return a\nf()"), "a f"),
        (("def f(): return g()", "def g(): return a", "def g(): return b", "f()"), "b f g"),
        (("def f(): return a", "def g(): return f()", "g()"), "a f g"),
        (("def f(): return a", "g = f", "g()"), "a g"),
        (("def f(): return a", "y = f()", "y"), "y"),
        (("class C:\n  def m(self): return a", "c = C()", "c.m()"), "a c"),
        (("class C:\n  def m(self): return a", "def make(): return C()", "c = make()", "c.m()"), "C a c"),
        (("class A:\n  def m(self): return a", "class B(A): pass", "b = B()", "b.m()"), "a b"),
        (("def f(): return f() + a", "f()"), "a f"),
        (("def f(): return a\nf = deco(f)", "f()"), "a f"),
        (("def f(): return a", "f = deco(f)", "f()"), "a f"),
    ],
)
def test_calls_are_followed_to_functions_of_cells_above(cells: tuple[str, ...], reads: str) -> None:
    assert " ".join(sorted(together(*cells)[-1].reads)) == reads


def test_functions_of_cells_above_write_and_change_too() -> None:
    last = together("def f():\n  global n\n  n = 1\n  log.append(n)\n  exec(text)", "f()")[-1]
    assert (last.writes, last.mutates) == (frozenset({"n"}), frozenset({"log"}))
    assert last.reads_anything
    assert last.writes_anything


def test_a_cell_waits_for_the_last_that_wrote_what_it_reads() -> None:
    cells = together("x = 1", "y = 1", "x = 2", "z = x + y", "zs = []", "zs.append(z)", "zs")
    assert graph(cells) == {
        Edge(3, 2, "x"),
        Edge(3, 1, "y"),
        Edge(5, 4, "zs"),
        Edge(5, 3, "z"),
        Edge(6, 5, "zs"),
    }
    assert depth(graph(cells), len(cells)) == 4
    assert parallelism(graph(cells), len(cells)) == 7 / 4


def test_a_cell_waits_for_all_that_may_have_written_since() -> None:
    cells = together("x = 1", "from pylab import *", "x", "x = 2", "x", "1")
    assert graph(cells) == {Edge(2, 0, "x"), Edge(2, 1, ANYTHING), Edge(4, 3, "x")}


def test_a_cell_that_may_read_anything_waits_for_every_last_writer() -> None:
    cells = together("x = 1", "y = 1", "x = 2", "exec(text)", "len(z)")
    assert graph(cells) == {Edge(3, 1, "y"), Edge(3, 2, "x"), Edge(4, 3, ANYTHING)}


def test_a_builtin_that_a_cell_binds_is_waited_for() -> None:
    assert graph(together("sum = 3", "sum(xs)")) == {Edge(1, 0, "sum")}


def test_no_cells_have_no_depth() -> None:
    assert (graph([]), depth([], 0), parallelism([], 0)) == (frozenset(), 0, 1.0)
    assert (depth([], 3), parallelism([], 3)) == (1, 3.0)


def test_all_that_random_cells_do_was_foretold() -> None:
    for seed, cells in programs(500):
        names = Recorder()
        for number, (cell, expected) in enumerate(zip(cells, together(*cells), strict=True)):
            ended = names.run_cell(cell)
            where = f"seed {seed}, cell {number}:\n" + "\n----\n".join(cells[: number + 1])
            assert names.read <= expected.reads, where
            assert names.written <= expected.writes | expected.deletes, where
            assert names.deleted <= expected.deletes, where
            assert not expected.opaque, where
            if not ended:
                # What is certain after a cell is so only if it does not fail.
                break
