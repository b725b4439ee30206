"""How Spark writes the call of a function into the name of a column: not always as the user did."""

from __future__ import annotations

from trailbook.algebra.bind.functions import CASTS, WITH_UNIT

IN_CAPITALS = """
    acos acosh asin asinh atan atan2 atanh cbrt ceil cos cosh cot csc degrees dense_rank e exp expm1 floor log
    log10 log1p log2 percent_rank pi power radians rank regexp regexp_like rint rlike sec signum sin sinh sqrt
    tan tanh
"""
UPPER = frozenset(IN_CAPITALS.split())
OTHER_NAMES = {"array_agg": "collect_list"}
FIRST_ONLY = {"any_value", "first", "first_value", "last", "last_value"}
SHIFTS = {"shiftleft": "<<", "shiftright": ">>", "shiftrightunsigned": ">>>"}
TRIMS = {"ltrim": "LEADING", "rtrim": "TRAILING"}

TIME_FORMAT = "yyyy-MM-dd HH:mm:ss"
IDENTITY = "lambdafunction(namedlambdavariable(), namedlambdavariable())"
DEFAULTS: dict[str, tuple[str, ...]] = {
    "aggregate": ("", "", "", IDENTITY),
    "approx_percentile": ("", "", "10000"),
    "bround": ("", "0"),
    "from_unixtime": ("", TIME_FORMAT),
    "lag": ("", "1", "NULL"),
    "lead": ("", "1", "NULL"),
    "listagg": ("", "NULL"),
    "locate": ("", "", "1"),
    "lpad": ("", "", " "),
    "months_between": ("", "", "true"),
    "overlay": ("", "", "", "-1"),
    "percentile": ("", "", "1"),
    "percentile_approx": ("", "", "10000"),
    "position": ("", "", "1"),
    "reduce": ("", "", "", IDENTITY),
    "regexp_extract": ("", "", "1"),
    "regexp_extract_all": ("", "", "1"),
    "regexp_replace": ("", "", "", "1"),
    "replace": ("", "", ""),
    "round": ("", "0"),
    "rpad": ("", "", " "),
    "sort_array": ("", "true"),
    "split": ("", "", "-1"),
    "string_agg": ("", "NULL"),
    "substr": ("", "", "2147483647"),
    "substring": ("", "", "2147483647"),
    "to_unix_timestamp": ("", TIME_FORMAT),
    "unix_timestamp": ("current_timestamp()", TIME_FORMAT),
}
"""Arguments that Spark adds where they are missing."""


def call_name(name: str, arguments: list[str]) -> str:
    if is_cast(name, len(arguments)):
        return arguments[0]
    if name in SHIFTS:
        return f"({f' {SHIFTS[name]} '.join(arguments)})"
    if name in TRIMS and len(arguments) == 2:
        return f"TRIM({TRIMS[name]} {' FROM '.join(arguments)})"
    if name in ("isnull", "isnotnull"):
        return f"({arguments[0]} IS {'NOT ' if name == 'isnotnull' else ''}NULL)"
    return f"{_called(name, len(arguments))}({', '.join(_completed(name, arguments))})"


def is_cast(name: str, count: int) -> bool:
    """Whether this is a cast in the form of a function: int(x)."""
    return name in CASTS and count == 1


def _called(name: str, count: int) -> str:
    if name in WITH_UNIT and count == 3:
        return "timestampdiff" if "diff" in name else "timestampadd"
    if name in ("ceil", "floor") and count == 2:
        return name
    return name.upper() if name in UPPER else OTHER_NAMES.get(name, name)


def _completed(name: str, arguments: list[str]) -> list[str]:
    if name == "log" and len(arguments) == 1:
        return ["E()", *arguments]
    if name in FIRST_ONLY:
        return arguments[:1]
    return [*arguments, *DEFAULTS.get(name, ())[len(arguments) :]]
