"""The settings: each is given by a flag, by TRAILBOOK_<NAME> in the environment, or in one TOML file.

The first of these that names a setting wins. The file is `trailbook/trailbook.toml` in the user's configuration
home, or what TRAILBOOK_CONFIG names.
"""

from __future__ import annotations

import json
import math
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints

from trailbook.errors import BadSetting

GIB = 1024**3
MIB = 1024**2
PROCESS, SANDBOX, CONTAINER = "process", "sandbox", "container"
NONE, PUBLIC, ANY = "none", "public", "any"


def user_folder(variable: str, fallback: str) -> Path:
    """Where this user's data or configuration lives, by the XDG rules."""
    return Path(os.environ.get(variable) or Path.home() / fallback) / "trailbook"


def _quarter_of_memory() -> int:
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min(total // 4, 4 * GIB)


@dataclass(frozen=True)
class Settings:
    """Everything that can be set, with its default."""

    data: Annotated[Path, "The directory that holds everything."] = field(
        default_factory=lambda: user_folder("XDG_DATA_HOME", ".local/share")
    )
    host: Annotated[str, "The address to listen on. Anything but loopback lets other machines in."] = "127.0.0.1"
    port: Annotated[int, "The port to listen on; 0 takes a free one."] = 0
    auth: Annotated[str, "How people get in: token, password or none."] = "token"
    token: Annotated[str, "The access token; empty makes one and keeps it in the data directory."] = ""
    password: Annotated[str, "The password, with auth = password."] = ""
    person: Annotated[str, "The name that edits are signed with."] = field(
        default_factory=lambda: os.environ.get("USER") or "local"
    )
    browser: Annotated[bool, "Open the app in a browser once it answers."] = True
    example: Annotated[bool, "Put an example notebook into an empty data directory."] = True
    spark: Annotated[str, "A Spark Connect server to use (sc://host:port); empty starts one."] = ""
    engine_memory: Annotated[int, "Heap of the embedded Spark, in bytes (or with k, m, g)."] = field(
        default_factory=_quarter_of_memory
    )
    engine_wait: Annotated[float, "Seconds that a cell waits for the engine before it fails."] = 120.0
    java: Annotated[str, "The java to run Spark with; empty looks for one of version 17 or newer."] = ""
    database: Annotated[str, "URL of the metadata database; empty is SQLite in the data directory."] = ""
    folders: Annotated[
        tuple[Path, ...],
        "Folders that Load cells may read local files from; empty is your own, and none where cells are isolated.",
    ] = ()
    export_folders: Annotated[
        tuple[Path, ...],
        "Folders that Export cells may write to; empty is those of folders, and none where cells are isolated.",
    ] = ()
    databases: Annotated[
        Mapping[str, str], "Databases by name, each a URL with its password; as JSON but in the file."
    ] = field(default_factory=dict)
    drivers: Annotated[
        tuple[Path, ...], "Jars of the drivers of databases with jdbc: URLs, for the embedded Spark."
    ] = ()
    upload_limit: Annotated[int, "Largest upload, or file or table that is fetched, in bytes (or with k, m, g)."] = (
        10 * GIB
    )
    fetch: Annotated[
        str, "Where cells may fetch from: none, public or any; empty is public, and none where cells are isolated."
    ] = ""
    archive_limit: Annotated[int, "Most that an archive of a project may unpack to, in bytes (or with k, m, g)."] = (
        100 * GIB
    )
    archive_ratio: Annotated[int, "How many times its own size an archive may unpack to, beyond 1 GiB."] = 100
    output_limit: Annotated[int, "Most text that is kept of one run's output, in bytes (or with k, m, g)."] = MIB
    workers: Annotated[int, "How many cells run at once."] = field(default_factory=lambda: max(2, os.cpu_count() or 2))
    broker: Annotated[str, "A Redis (redis://host:port) to run cells on other machines by; empty runs them here."] = ""
    worker_silence: Annotated[float, "Seconds without a sign of life after which a worker counts as dead."] = 10.0
    home: Annotated[str, "A folder whose files Python cells find in their working directory; empty is none."] = ""
    isolation: Annotated[
        str, "What Python cells can reach: process (all that the server can), or less: sandbox, container."
    ] = PROCESS
    container_image: Annotated[str, "The image that Python cells run in, with isolation = container."] = ""
    container_command: Annotated[str, "What makes containers; empty is podman, or docker where there is none."] = ""
    cell_seconds: Annotated[float, "Longest that a Python cell may take, in seconds; 0 is as long as it likes."] = 0.0
    cell_cpu: Annotated[float, "Most processor time of a Python cell, in seconds; 0 is no limit."] = 0.0
    cell_memory: Annotated[int, "Most memory of a Python cell, in bytes (or with k, m, g); 0 is no limit."] = 0
    environments: Annotated[str, "The folder of the packages of notebooks; empty is one in the data directory."] = ""
    package_urls: Annotated[bool, "Let notebooks name packages by URL, or by the path of a file."] = False
    allow_shell: Annotated[bool, "Let shell commands in imported Jupyter notebooks run, such as !ls."] = False
    gc_grace: Annotated[float, "Seconds that unreachable artifacts are kept before gc deletes them."] = 7 * 86400.0

    @property
    def readable_folders(self) -> tuple[Path, ...]:
        return self.folders or ((Path.home(),) if self.isolation == PROCESS else ())

    @property
    def writable_folders(self) -> tuple[Path, ...]:
        return self.export_folders or (self.readable_folders if self.isolation == PROCESS else ())

    @property
    def home_folder(self) -> Path | None:
        return Path(self.home).expanduser().absolute() if self.home else None

    @property
    def environments_folder(self) -> Path:
        return Path(self.environments).absolute() if self.environments else self.data / "environments"


@dataclass(frozen=True)
class About:
    """A setting's name, type and meaning."""

    name: str
    type: Any
    help: str


def about_settings() -> list[About]:
    hints = get_type_hints(Settings, include_extras=True)
    return [About(f.name, *get_args(hints[f.name])) for f in fields(Settings)]


def config_file(environ: Mapping[str, str]) -> Path:
    named = environ.get("TRAILBOOK_CONFIG")
    return Path(named) if named is not None else user_folder("XDG_CONFIG_HOME", ".config") / "trailbook.toml"


@dataclass(frozen=True)
class Origin:
    """A setting's value and where it came from."""

    about: About
    value: Any
    source: str


def load_settings(flags: Mapping[str, Any], environ: Mapping[str, str] = os.environ) -> Settings:
    """The settings that hold, from flags, environment and file."""
    return Settings(**{origin.about.name: origin.value for origin in explain_settings(flags, environ)})


def explain_settings(flags: Mapping[str, Any], environ: Mapping[str, str] = os.environ) -> list[Origin]:
    """Each setting with its value and the place that decided it."""
    path = config_file(environ)
    from_file = _read_file(path) if path.exists() or "TRAILBOOK_CONFIG" in environ else {}
    defaults = Settings()
    origins = []
    for about in about_settings():
        variable = f"TRAILBOOK_{about.name.upper()}"
        if flags.get(about.name) is not None:
            raw, source = flags[about.name], f"--{about.name.replace('_', '-')}"
        elif variable in environ:
            raw, source = environ[variable], variable
        elif about.name in from_file:
            raw, source = from_file[about.name], str(path)
        else:
            raw, source = getattr(defaults, about.name), "default"
        origins.append(Origin(about, _convert(about, raw, source), source))
    return origins


def _read_file(path: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise BadSetting(f"{path} can't be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSetting(f"{path} is not valid TOML: {error}.") from error
    known = [about.name for about in about_settings()]
    unknown = sorted(set(values) - set(known))
    if unknown:
        raise BadSetting(f"{path} names unknown settings: {', '.join(unknown)}. Known: {', '.join(known)}.")
    return values


def _convert(about: About, raw: Any, source: str) -> Any:
    try:
        value = _CONVERTERS[about.type](raw)
    except (KeyError, OverflowError, TypeError, ValueError) as error:
        name = getattr(about.type, "__name__", str(about.type))
        raise BadSetting(f"{about.name} = {raw!r} (from {source}) is not a value of type {name}.") from error
    fits, wanted = _LIMITS.get(about.name, (_is_sensible, "0 or more"))
    if not fits(value):
        raise BadSetting(f"{about.name} = {raw!r} (from {source}) can't be used: it should be {wanted}.")
    return value


def _is_sensible(value: Any) -> bool:
    return not isinstance(value, int | float) or 0 <= value < math.inf


AUTH_MODES = ("token", "password", "none")
_LIMITS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "auth": (AUTH_MODES.__contains__, f"one of {', '.join(AUTH_MODES)}"),
    "drivers": (lambda drivers: all(map(Path.is_file, drivers)), "paths of jar files"),
    "fetch": (("", NONE, PUBLIC, ANY).__contains__, f"{NONE}, {PUBLIC} or {ANY}"),
    "home": (lambda home: not home or Path(home).expanduser().is_dir(), "a folder"),
    "host": (bool, "a name or an address; 127.0.0.1 is this machine only"),
    "isolation": ((PROCESS, SANDBOX, CONTAINER).__contains__, f"{PROCESS}, {SANDBOX} or {CONTAINER}"),
    "person": (str.isprintable, "one line of text"),
    "port": (range(65536).__contains__, "from 0 to 65535"),
    "worker_silence": (lambda seconds: 1 <= seconds < math.inf, "1 or more"),
}
_BOOLEANS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
_UNITS = {"k": 1024, "m": MIB, "g": GIB}


def _number(raw: Any) -> int:
    if isinstance(raw, bool | float):
        raise TypeError
    if isinstance(raw, str) and raw and raw[-1].lower() in _UNITS:
        return int(float(raw[:-1]) * _UNITS[raw[-1].lower()])
    return int(raw)


def _text(raw: Any) -> str:
    if not isinstance(raw, str | int):
        raise TypeError
    return str(raw)


def _boolean(raw: Any) -> bool:
    return raw if isinstance(raw, bool) else _BOOLEANS[str(raw).strip().lower()]


def _path(raw: Any) -> Path:
    # Python takes an empty path for the current directory, which nobody means by it.
    if not str(raw):
        raise ValueError
    return Path(raw).expanduser().absolute()


def _paths(raw: Any) -> tuple[Path, ...]:
    parts = raw.split(os.pathsep) if isinstance(raw, str) else raw
    return tuple(_path(part) for part in parts if str(part))


def _urls(raw: Any) -> dict[str, str]:
    try:
        given = json.loads(raw or "{}") if isinstance(raw, str) else raw
        if all(isinstance(url, str) and ":" in url and ":" not in name for name, url in given.items()):
            return dict(given)
    except (AttributeError, ValueError):
        pass
    # Without what was given: there are passwords in it.
    raise BadSetting('databases can\'t be used: it should be names and URLs, such as {"sales": "postgresql://…"}.')


_CONVERTERS: dict[Any, Callable[[Any], Any]] = {
    str: _text,
    int: _number,
    float: float,
    bool: _boolean,
    Path: _path,
    tuple[Path, ...]: _paths,
    Mapping[str, str]: _urls,
}
