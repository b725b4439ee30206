"""Shell commands and installers: refused, with what to do instead, unless they are allowed."""

from __future__ import annotations

import re

from trailbook.formats.magics.calls import ALL_NAMES, call, call_with_text, refusal, refusal_of_text

INSTALLERS = {
    "conda": "conda",
    "mamba": "mamba",
    "micromamba": "micromamba",
    "pip": "{__import__('sys').executable} -m pip",
    "uv": "uv",
}
"""Magics that install packages, and the command for each."""
SHELL_MAGICS = {name: name for name in ("cat", "cp", "ldir", "ll", "ls", "man", "mkdir", "more", "mv", "rm", "rmdir")}
SHELL_MAGICS |= {"ldir": "ls -l", "ll": "ls -l", "sx": "", "system": ""}
PROGRAMS = {"bash": ["bash"], "sh": ["sh"], "perl": ["perl"], "ruby": ["ruby"], "cmd": ["cmd"]}
"""Cell magics that hand the cell's text to a program."""
_INSTALL = re.compile(r"(?:python3?\s+-m\s+)?(pip3?|conda|mamba|micromamba|uv)\b")
ALLOWED_BY = "with the setting allow_shell (--allow-shell)"


def shell(shown: str, command: str, arguments: str, target: str, *, allow_shell: bool) -> str:
    """The code for a shell command on one line; `shown` is how it was written."""
    command = f"{command} {arguments}".strip()
    if allow_shell:
        return call("shell_lines" if target else "shell", repr(command), ALL_NAMES, target=target)
    if _INSTALL.match(command):
        return refusal(_no_installing(shown), target)
    return refusal(_no_shell(shown), target)


def install(name: str, arguments: str, target: str, *, allow_shell: bool) -> str:
    """The code for `%pip install …` and its like."""
    shown = f"%{name} {arguments}"
    if allow_shell:
        return call("shell", repr(f"{INSTALLERS[name]} {arguments}"), ALL_NAMES, target=target)
    return refusal(_no_installing(shown), target)


def program(name: str, arguments: str, body: str, *, allow_shell: bool) -> str:
    """The code for a cell that is a script for another program."""
    words = arguments.split() if name == "script" else PROGRAMS[name]
    if allow_shell and words:
        return call_with_text("run_program", body, repr(words))
    return refusal_of_text(_no_shell(f"%%{name} {arguments}".rstrip()), body)


def _no_shell(shown: str) -> str:
    return (
        f"{shown} is for the shell, which cells may not use. Do it in Python (pathlib, shutil, subprocess), "
        f"or import the notebook {ALLOWED_BY}."
    )


def _no_installing(shown: str) -> str:
    return (
        f"{shown} installs packages, which a cell may not do. Add them to the packages of the notebook, and delete "
        f"this line; or import the notebook {ALLOWED_BY}."
    )
