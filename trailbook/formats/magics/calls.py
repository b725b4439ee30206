"""Python code that calls what stands in for a magic, written so that it leaves no names behind for other cells."""

from __future__ import annotations

HELPERS = "trailbook.kernels.child.ipython.magics"
ALL_NAMES = "globals()"


def using(helper: str, code: str, module: str = HELPERS) -> str:
    """Statements on one line that can call the helper by the name `__helper__`."""
    return f"from {module} import {helper} as {own(helper)}; {code}"


def own(helper: str) -> str:
    # Names like this are a cell's own: they are not passed on.
    return f"__{helper.lower()}__"


def call(helper: str, *arguments: str, target: str = "", module: str = HELPERS) -> str:
    """One call on one line; the arguments are Python expressions."""
    return using(helper, f"{target}{own(helper)}({', '.join(arguments)})", module)


def refusal(reason: str, target: str = "") -> str:
    return call("refuse", repr(reason), target=target)


def refusal_of_text(reason: str, text: str) -> str:
    """The same for a whole cell, whose text stays there as comments."""
    return "\n".join([refusal(reason), *(f"# {line}".rstrip() for line in text.removesuffix("\n").split("\n"))])


def call_with_text(helper: str, text: str, *before: str, after: str = "") -> str:
    """A call over a long text: each line of it stays on the line that it has in the cell, below a magic."""
    opening = "".join(f"{argument}, " for argument in before)
    # Jupyter, too, ends the text with a line's end.
    lines = [repr(f"{line}\n") for line in text.removesuffix("\n").split("\n")]
    return "\n".join([using(helper, f"{own(helper)}({opening}("), *lines, f"){after})"])
