"""What each line magic becomes: one line of plain Python.

A function takes what follows the magic's name and what its value is assigned to.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable

from trailbook.formats.magics.calls import ALL_NAMES, call, own, refusal, using
from trailbook.formats.magics.shell import INSTALLERS, SHELL_MAGICS, install, shell
from trailbook.kernels.syntax import parsed

Rewrite = Callable[[str, str], str]

NOT_NEEDED = frozenset(
    {
        *("alias_magic", "autoreload", "automagic", "autosave", "colors", "config", "load_ext", "logoff", "logon"),
        *("logstart", "logstate", "logstop", "matplotlib", "pdb", "pprint", "precision", "rehashx", "reload_ext"),
        *("unload_ext", "xmode"),
    }
)
"""About Jupyter's own appearance and working, which has no counterpart; displaying plots needs no asking."""
PYLAB = (
    "import numpy, matplotlib; from matplotlib import pylab, mlab, pyplot; np = numpy; plt = pyplot; "
    "from pylab import *; from numpy import *"
)
_OPTION = re.compile(r"-(?:(?P<name>[nrp])\s*(?P<number>\d+)|(?P<flag>[qoctv]))(?:\s+|$)")


def rewrite_line(name: str, arguments: str, target: str, *, allow_shell: bool) -> str:
    """The code for `%name arguments`."""
    if name in NOT_NEEDED and not target:
        return f"pass  # %{name} {arguments}".rstrip()
    if name in INSTALLERS:
        return install(name, arguments, target, allow_shell=allow_shell)
    if name in SHELL_MAGICS:
        return shell(f"%{name} {arguments}".rstrip(), SHELL_MAGICS[name], arguments, target, allow_shell=allow_shell)
    if name in REWRITES:
        return REWRITES[name](arguments, target)
    known = ", ".join(f"%{each}" for each in sorted(REWRITES))
    return refusal(f"%{name} is a magic that Trailbook does not know; write it in Python. Known: {known}.", target)


def _time(arguments: str, target: str) -> str:
    code = arguments.rstrip("; ")
    clock = f"{own('Clock')} = {own('Clock')}()"
    stop = f"{own('Clock')}.stop()"
    if is_expression(code):
        value = target or f"{own('value')} = "
        shown = "" if target or arguments.rstrip().endswith(";") else f"; {own('value')}"
        return using("Clock", f"{clock}; {value}({code}); {stop}{shown}")
    # A loop on one line can't stand beside other statements.
    ran = code if is_simple(code) else f"exec({code!r}, {ALL_NAMES})"
    return using("Clock", f"{clock}; {ran}; {stop}")


def _timeit(arguments: str, target: str) -> str:
    options, statement = timeit_options(arguments)
    timed = f"lambda: ({statement})" if is_expression(statement) else repr(statement)
    return call("time_it", timed, ALL_NAMES, *options, target=target)


def timeit_options(arguments: str) -> tuple[list[str], str]:
    """The options as arguments in Python, and what is left."""
    numbers, flags = {"n": "number", "r": "repeat"}, {"q": "quiet", "o": "output"}
    options = []
    while found := _OPTION.match(arguments):
        if found["name"] in numbers:
            options.append(f"{numbers[found['name']]}={int(found['number'])}")
        elif found["flag"] in flags:
            options.append(f"{flags[found['flag']]}=True")
        arguments = arguments[found.end() :]
    return options, arguments.strip()


def _env(arguments: str, target: str) -> str:
    environ = '__import__("os").environ'
    name, equals, value = arguments.partition("=" if "=" in arguments else " ")
    if not arguments:
        return f"{target}dict({environ})"
    if not equals:
        return f"{target}{environ}[{arguments!r}]"
    name, value = name.strip(), value.strip()
    return f"{environ}[{name!r}] = {value!r}; print({f'env: {name}={value}'!r})"


def _run(arguments: str, target: str) -> str:
    try:
        words = [word for word in shlex.split(arguments) if word not in ("-i", "-t", "-n", "-e")]
    except ValueError:
        words = []
    if not words or words[0].startswith("-") or words[0].endswith(".ipynb"):
        return refusal(f"%run {arguments} can't be done here: only Python files can be run. Copy the code into a cell.")
    path = words[0] if words[0].endswith(".py") else f"{words[0]}.py"
    return call("run_script", repr(path), repr(words[1:]), ALL_NAMES, target=target)


def _sql(arguments: str, target: str) -> str:
    return f"{target}spark.sql({arguments!r})"


def _prun(arguments: str, target: str) -> str:
    """Without the profile, which is about Jupyter's process anyway."""
    return f"{target}{arguments}"


REWRITES: dict[str, Rewrite] = {
    "cd": lambda arguments, target: call("change_directory", repr(arguments.strip("'\"")), target=target),
    "env": _env,
    "prun": _prun,
    "pwd": lambda arguments, target: f'{target}__import__("os").getcwd()',
    "pylab": lambda arguments, target: PYLAB,
    "run": _run,
    "set_env": _env,
    "sql": _sql,
    "time": _time,
    "timeit": _timeit,
    "who": lambda arguments, target: call("print_names", ALL_NAMES, target=target),
    "whos": lambda arguments, target: call("print_names", ALL_NAMES, target=target),
}


def is_expression(code: str) -> bool:
    try:
        parsed(f"({code})", "eval")
    except (SyntaxError, ValueError):
        return False
    return bool(code.strip())


def is_simple(code: str) -> bool:
    """Whether it may stand on one line with other statements."""
    try:
        tree = parsed(f"pass; {code}; pass")
    except (SyntaxError, ValueError):
        return False
    return bool(tree.body)
