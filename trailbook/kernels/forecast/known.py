"""What is known by name: methods that change their object, and code that looks into the notebook's names by itself."""

from __future__ import annotations

import ast
import builtins
import re

BUILTINS = frozenset(dir(builtins))

# Methods of Python's containers that return nothing: where the result is used, the object is no such container.
CHANGING_IN_SILENCE = frozenset(
    {
        "add",
        "append",
        "appendleft",
        "clear",
        "difference_update",
        "discard",
        "extend",
        "extendleft",
        "insert",
        "intersection_update",
        "remove",
        "reverse",
        "rotate",
        "sort",
        "symmetric_difference_update",
        "update",
    }
)
CHANGING = frozenset({"pop", "popitem", "popleft", "setdefault", "__setitem__", "__delitem__", "__setattr__"})
CHANGING_BUILTINS = frozenset({"setattr", "delattr", "next"})
"""The builtins that change what they are given first."""

QUIET_DECORATORS = frozenset(
    {
        "abstractmethod",
        "cache",
        "cached_property",
        "classmethod",
        "contextmanager",
        "dataclass",
        "deleter",
        "getter",
        "lru_cache",
        "overload",
        "property",
        "setter",
        "singledispatch",
        "staticmethod",
        "total_ordering",
        "wraps",
    }
)
"""Decorators that don't call what they decorate."""

WRAPPING = frozenset({"cache", "frompyfunc", "lru_cache", "partial", "partialmethod", "udf", "vectorize", "wraps"})
"""Functions of libraries whose result calls what they are given."""

SUPPRESSING = frozenset({"suppress", "raises"})
"""Context managers after which the rest of their block may not have run."""

RUNS_TEXT = frozenset({"eval", "exec", "get_ipython"})
NAMESPACES = frozenset({"dir", "globals", "locals", "vars"})
LOOKING_METHODS = frozenset({"copy", "get", "items", "keys", "values"})
FRAME_ATTRIBUTES = frozenset({"_getframe", "currentframe", "f_globals", "f_locals", "__globals__"})

TAKES_SQL = frozenset({"execute", "from_query", "query", "sql", "sqldf"})
TAKES_EXPRESSION = frozenset({"eval", "query"})
TAKES_FORMULA = frozenset(
    {
        "dmatrices",
        "dmatrix",
        "from_formula",
        "gee",
        "glm",
        "gls",
        "logit",
        "mixedlm",
        "negativebinomial",
        "ols",
        "phreg",
        "poisson",
        "probit",
        "quantreg",
        "rlm",
        "wls",
    }
)
FRAME_SQL = re.compile(r"\b(from|join|table|describe|summarize|pivot|unpivot|show)\b", re.IGNORECASE)


def last_name(callee: ast.expr) -> str:
    """`sql` for `sql`, `duckdb.sql` and `duckdb.sql(…)`."""
    match callee:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=func):
            return last_name(func)
    return ""


def looks_up_natively(call: ast.Call) -> bool:
    """Whether a library may look into the caller's names: DuckDB for frames, pandas for `@name`, a formula."""
    name, text = last_name(call.func), first_argument(call)
    match call.func:
        case ast.Attribute(value=ast.Name(id="duckdb")):
            return name not in {"close", "connect"}
        case ast.Attribute(value=ast.Name(id="pd" | "pandas"), attr="eval"):
            return True
        case ast.Name() if name not in {"sql", "sqldf"} | TAKES_FORMULA:
            return False
    if name == "evaluate":
        return isinstance(text, str)
    if name in TAKES_FORMULA:
        return text is not None
    if name in TAKES_SQL and (text is UNKNOWN or (isinstance(text, str) and bool(FRAME_SQL.search(text)))):
        return True
    return name in TAKES_EXPRESSION and (text is UNKNOWN or (isinstance(text, str) and "@" in text))


UNKNOWN = object()


def first_argument(call: ast.Call) -> object:
    """The text or other constant given first; None if there is none, UNKNOWN if only running the code tells."""
    given = [*call.args, *(each.value for each in call.keywords if each.arg in {"expr", "formula", "query", "sql"})]
    if not given:
        return None
    return given[0].value if isinstance(given[0], ast.Constant) else UNKNOWN


def changes_in_place(call: ast.Call, *, result_is_used: bool) -> bool:
    """Whether a call of a method is known to change the object it is called on."""
    for keyword in call.keywords:
        if keyword.arg == "inplace":
            return not (isinstance(keyword.value, ast.Constant) and not keyword.value.value)
    name = last_name(call.func)
    return name in CHANGING or (name in CHANGING_IN_SILENCE and not result_is_used)
