"""Podman or Docker, as far as both understand the same words."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache

from trailbook.errors import BadSetting

PROGRAMS = ("podman", "docker")
OTHERWISE = "or use isolation = sandbox or process"


def found_command(wanted: str) -> tuple[str, ...]:
    """The words to begin with; the first program that there is, if none is wanted."""
    if sys.platform != "linux":
        raise BadSetting(
            "isolation = container works on Linux only: elsewhere containers run on a machine inside this one, "
            "whose processes the server can't see. Use isolation = process."
        )
    try:
        words = shlex.split(wanted) or [program for program in PROGRAMS if shutil.which(program)][:1]
    except ValueError as error:
        raise BadSetting(f"container_command = {wanted!r} is no command: {error}.") from error
    if not words:
        raise BadSetting(
            f"isolation = container needs one of {', '.join(PROGRAMS)}, none of which is installed. "
            f"Install one, {OTHERWISE}."
        )
    if shutil.which(words[0]) is None:
        raise BadSetting(
            f"container_command = {wanted!r} can't be used: {words[0]} is not installed. "
            f"Install it, leave the setting empty for one of {', '.join(PROGRAMS)}, {OTHERWISE}."
        )
    return tuple(words)


def image_id(command: Sequence[str], image: str) -> str:
    """What the name of an image means now, and always will."""
    if not image:
        raise BadSetting("isolation = container needs an image for cells to run in (setting container_image).")
    asked = _ask(command, "image", "inspect", "--format", "{{.Id}}", image)
    if asked.returncode:
        get = shlex.join([*command, "pull", image])
        raise BadSetting(f"container_image = {image!r} can't be used: {asked.stderr.strip()}. Build it, or try: {get}")
    return asked.stdout.strip()


@cache
def user_inside(command: tuple[str, ...]) -> str:
    """Who in a container is the server's user outside of it: without root's rights for all of it, that is its root."""
    asked = _ask(command, "info", "--format", "{{json .}}")
    if asked.returncode:
        raise BadSetting(f"isolation = container can't be used here: {asked.stderr.strip()}.")
    info = json.loads(asked.stdout)
    options = info.get("SecurityOptions") or ()
    is_rootless = info["host"]["security"]["rootless"] if "host" in info else "name=rootless" in options
    return "0:0" if is_rootless else f"{os.getuid()}:{os.getgid()}"


def client_variables() -> dict[str, str]:
    """The server's, but for what is its own. Podman would hand proxies on, and the passwords in their addresses."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("TRAILBOOK_") and not name.lower().endswith("_proxy")
    }


def _ask(command: Sequence[str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*command, *words], capture_output=True, text=True, check=False, env=client_variables())
