"""The settings: each is given by a flag, by TRAILBOOK_<NAME> in the environment, or in one TOML file.

The first of these that names a setting wins. The file is `trailbook/trailbook.toml` in the user's configuration
home, or what TRAILBOOK_CONFIG names.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any

from trailbook.errors import BadSetting

GIB = 1024**3
MIB = 1024**2


def user_folder(variable: str, fallback: str) -> Path:
    """Where this user's data or configuration lives, by the XDG rules."""
    return Path(os.environ.get(variable) or Path.home() / fallback) / "trailbook"


def _setting(default: Any, help: str) -> Any:
    if callable(default):
        return field(default_factory=default, metadata={"help": help})
    return field(default=default, metadata={"help": help})


def _quarter_of_memory() -> int:
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min(total // 4, 4 * GIB)


@dataclass(frozen=True)
class Settings:
    """Everything that can be set, with its default."""

    data: Path = _setting(lambda: user_folder("XDG_DATA_HOME", ".local/share"), "The directory that holds everything.")
    host: str = _setting("127.0.0.1", "The address to listen on. Anything but loopback lets other machines in.")
    port: int = _setting(0, "The port to listen on; 0 takes a free one.")
    auth: str = _setting("token", "How people get in: token, password or none.")
    token: str = _setting("", "The local person's access token; empty makes one and keeps it in the data directory.")
    password: str = _setting("", "The password, with auth = password.")
    person: str = _setting(lambda: os.environ.get("USER", "") or "local", "The name that edits are signed with.")
    browser: bool = _setting(True, "Open the app in a browser once it answers.")
    example: bool = _setting(True, "Put an example notebook into an empty data directory.")
    spark: str = _setting("", "A Spark Connect server to use (sc://host:port); empty starts one.")
    engine_memory: int = _setting(_quarter_of_memory, "Heap of the embedded Spark, in bytes (or with k, m, g).")
    engine_wait: float = _setting(120.0, "Seconds that a cell waits for the engine before it fails.")
    java: str = _setting("", "The java to run Spark with; empty looks for one of version 17 or newer.")
    database: str = _setting("", "URL of the metadata database; empty is SQLite in the data directory.")
    folders: tuple[Path, ...] = _setting(lambda: (Path.home(),), "Folders that Load cells may read local files from.")
    upload_limit: int = _setting(10 * GIB, "Largest upload, in bytes (or with k, m, g).")
    output_limit: int = _setting(1 * MIB, "Most text that is kept of one run's output, in bytes (or with k, m, g).")
    gc_grace: float = _setting(7 * 86400.0, "Seconds that unreachable artifacts are kept before gc deletes them.")


def setting_names() -> list[str]:
    return [f.name for f in fields(Settings)]


def config_file(environ: Mapping[str, str]) -> Path:
    named = environ.get("TRAILBOOK_CONFIG")
    return Path(named) if named else user_folder("XDG_CONFIG_HOME", ".config") / "trailbook.toml"


@dataclass(frozen=True)
class Origin:
    """A setting's value and where it came from."""

    name: str
    value: Any
    source: str
    help: str


def load_settings(flags: Mapping[str, Any], environ: Mapping[str, str] = os.environ) -> Settings:
    """The settings that hold, from flags, environment and file."""
    return Settings(**{origin.name: origin.value for origin in explain_settings(flags, environ)})


def explain_settings(flags: Mapping[str, Any], environ: Mapping[str, str] = os.environ) -> list[Origin]:
    """Each setting with its value and the place that decided it."""
    path = config_file(environ)
    from_file = _read_file(path)
    origins = []
    for f in fields(Settings):
        variable = f"TRAILBOOK_{f.name.upper()}"
        if flags.get(f.name) is not None:
            raw, source = flags[f.name], f"--{f.name.replace('_', '-')}"
        elif variable in environ:
            raw, source = environ[variable], variable
        elif f.name in from_file:
            raw, source = from_file[f.name], str(path)
        else:
            raw = f.default if f.default is not MISSING else f.default_factory()  # type: ignore[misc]
            source = "default"
        origins.append(Origin(f.name, _convert(f.name, str(f.type), raw, source), source, f.metadata["help"]))
    return origins


def _read_file(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSetting(f"{path} is not valid TOML: {error}") from error
    unknown = sorted(set(values) - set(setting_names()))
    if unknown:
        raise BadSetting(f"{path} names unknown settings: {', '.join(unknown)}. Known: {', '.join(setting_names())}.")
    return values


def _convert(name: str, type_: str, raw: Any, source: str) -> Any:
    try:
        match type_:
            case "str":
                value: Any = str(raw)
            case "int":
                value = _number(raw)
            case "float":
                value = float(raw)
            case "bool":
                value = raw if isinstance(raw, bool) else _BOOLEANS[str(raw).strip().lower()]
            case "Path":
                value = Path(raw).expanduser().absolute()
            case _:
                parts = raw.split(os.pathsep) if isinstance(raw, str) else raw
                value = tuple(Path(part).expanduser().absolute() for part in parts if str(part))
    except (KeyError, TypeError, ValueError) as error:
        raise BadSetting(f"{name} = {raw!r} (from {source}) is not a value of type {type_}.") from error
    if name == "auth" and value not in AUTH_MODES:
        raise BadSetting(f"auth = {raw!r} (from {source}) is not one of {', '.join(AUTH_MODES)}.")
    return value


AUTH_MODES = ("token", "password", "none")
_BOOLEANS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
_UNITS = {"k": 1024, "m": MIB, "g": GIB}


def _number(raw: Any) -> int:
    if isinstance(raw, str) and raw and raw[-1].lower() in _UNITS:
        return int(float(raw[:-1]) * _UNITS[raw[-1].lower()])
    return int(raw)
