"""Packages of a test's own making: wheels of one module, which need no network."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path


def write_wheel(folder: Path, name: str, version: str, code: str, requires: Sequence[str] = ()) -> str:
    """A wheel with the module `name`; returns the requirement that stands for it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    needs = "".join(f"Requires-Dist: {one}\n" for one in requires)
    files = {
        f"{name}.py": code,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": f"{name}.py,,\n{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n",
    }
    with zipfile.ZipFile(path, "w") as wheel:
        for file, text in files.items():
            # Without the time: the same content is the same file.
            wheel.writestr(zipfile.ZipInfo(file), text)
    return f"{name} @ {path.as_uri()}"
