"""What each cell magic becomes: a cell of another kind, or Python code in which every line keeps its number."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from trailbook.formats.magics.calls import ALL_NAMES, call, call_with_text, own, refusal_of_text, using
from trailbook.formats.magics.last_value import with_last_value
from trailbook.formats.magics.line_magics import timeit_options
from trailbook.formats.magics.shell import PROGRAMS, program
from trailbook.model.base import Json

SHOWN_AS = {
    "html": "text/html",
    "HTML": "text/html",
    "javascript": "text/html",
    "js": "text/html",
    "latex": "text/latex",
    "svg": "image/svg+xml",
    "SVG": "image/svg+xml",
}
TRANSPARENT = frozenset({"pyspark", "spark", "prun", "local"})
"""Cell magics around Python code that runs here as it is."""
CAPTURE = "trailbook.kernels.child.ipython.capture"
_SQL_NAME = re.compile(
    r"(?:^|\s)(?:(?P<before>[^\W\d_]\w*)\s*<<|(?:-o|--out|--save)[ =](?P<option>[^\W\d_]\w*))(?=\s|$)"
)


@dataclass(frozen=True)
class Rewritten:
    """The kind and the parameters of the cell that stands for a Jupyter cell."""

    kind: str
    parameters: dict[str, Json]


Inner = Callable[[str], Rewritten]
"""Rewrites what stands below a magic."""


def python(code: str) -> Rewritten:
    return Rewritten("python", {"code": code})


def rewrite_cell(name: str, arguments: str, body: str, inner: Inner, *, allow_shell: bool) -> Rewritten:
    """The cell for `%%name arguments` over a body."""
    if name in ("markdown", "md"):
        return Rewritten("markdown", {"text": body})
    if name == "sql":
        return _sql(arguments, body)
    if name in ("time", "capture") or name in TRANSPARENT:
        within = inner(body)
        return within if within.kind != "python" else python(_around(name, arguments, within.parameters["code"]))
    if name in PROGRAMS or name == "script":
        return python(program(name, arguments, body, allow_shell=allow_shell))
    return python(_code(name, arguments, body))


def _code(name: str, arguments: str, body: str) -> str:
    if name in SHOWN_AS:
        text = f"<script>{body}</script>" if name in ("javascript", "js") else body
        return call_with_text("Shown", text, repr(SHOWN_AS[name]))
    match name:
        case "timeit":
            options, setup = timeit_options(arguments)
            named = [f"setup={setup!r}"] if setup else []
            return call_with_text("time_it", body, after="".join(f", {each}" for each in [ALL_NAMES, *options, *named]))
        case "writefile" | "file":
            words = arguments.split()
            append = ", append=True" if "-a" in words else ""
            return call_with_text("write_file", body, repr(" ".join(w for w in words if w != "-a")), after=append)
        case "python" | "python3":
            return call_with_text("run_apart", body)
    return refusal_of_text(
        f"%%{name} is a magic that Trailbook does not know; write it in Python. Known: %%bash, %%capture, %%html, "
        "%%javascript, %%latex, %%markdown, %%python, %%sql, %%svg, %%time, %%timeit, %%writefile.",
        body,
    )


def _around(name: str, arguments: str, code: str) -> str:
    """Code that a magic does something before and after."""
    if name in TRANSPARENT:
        return f"pass  # %%{name} {arguments}".rstrip() + f"\n{code}"
    if name == "time":
        code, value = with_last_value(code, own("value"))
        start, end = using("Clock", f"{own('Clock')} = {own('Clock')}()"), f"{own('Clock')}.stop()"
        return f"{start}\n{code}\n{end}; {value}" if value else f"{start}\n{code}\n{end}"
    names = [word for word in arguments.split() if word.isidentifier()]
    target = names[0] if names else own("Captured")
    start = call("Captured", target=f"{target} = ", module=CAPTURE)
    return f"{start}\n{code}\n{target}.stop()"


def _sql(arguments: str, body: str) -> Rewritten:
    """`%%sql name <<` and `%%sql -o name` say what the result is called."""
    found = _SQL_NAME.search(arguments)
    if "://" in arguments:
        return python(
            refusal_of_text(
                f"%%sql {arguments} asks another database, which a SQL cell can't. Load the table into a data frame "
                "(pandas.read_sql), and query that.",
                body,
            )
        )
    named = {"name": found["before"] or found["option"]} if found else {}
    return Rewritten("sql", {**named, "query": body})
