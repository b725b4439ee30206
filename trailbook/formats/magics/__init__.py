"""Jupyter's magics as plain Python, or as cells of other kinds: done once, when a notebook is imported."""

from __future__ import annotations

import re

from trailbook.formats.magics.cell_magics import Rewritten, python, rewrite_cell
from trailbook.formats.magics.line_magics import rewrite_line
from trailbook.formats.magics.lines import Magic, magics_in
from trailbook.formats.magics.shell import shell
from trailbook.kernels.syntax import parsed

_CELL_MAGIC = re.compile(r"(?P<blank>\s*)%%(?P<name>[A-Za-z_]\w*)(?P<arguments>[^\n]*)(?:\n(?P<body>.*))?", re.DOTALL)


def rewrite(code: str, *, allow_shell: bool = False) -> Rewritten:
    """The cell that does what the code does in Jupyter. Lines keep their numbers."""
    found = _CELL_MAGIC.fullmatch(code)
    if found:
        return rewrite_cell(
            found["name"],
            found["arguments"].strip(),
            found["body"] or "",
            lambda body: rewrite(body, allow_shell=allow_shell),
            allow_shell=allow_shell,
        )
    return python(code if _is_python(code) else _without_magics(code, allow_shell))


def _is_python(code: str) -> bool:
    """A magic is never valid Python, so code that is has none."""
    try:
        parsed(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _without_magics(code: str, allow_shell: bool) -> str:
    lines = _dedented(code).split("\n")
    for magic in magics_in(list(lines)):
        blank = [""] * (magic.end - magic.first - 1)
        lines[magic.first : magic.end] = [magic.indent + _rewritten(magic, allow_shell), *blank]
    return "\n".join(lines)


def _rewritten(magic: Magic, allow_shell: bool) -> str:
    if magic.sign == "?":
        # Asks for help in a pane beside the notebook; in the notebook itself it shows nothing.
        return f"pass  # {magic.text}"
    if magic.sign == "!":
        return shell(f"!{magic.text}", "", magic.text, magic.target, allow_shell=allow_shell)
    name, _, arguments = magic.text.partition(" ")
    return rewrite_line(name, arguments.strip(), magic.target, allow_shell=allow_shell)


def _dedented(code: str) -> str:
    """Without the indentation of the first line, which Jupyter does not mind."""
    indent = re.match(r"[ \t]*", code)
    if not indent or not indent[0]:
        return code
    return "\n".join(line.removeprefix(indent[0]) for line in code.split("\n"))
