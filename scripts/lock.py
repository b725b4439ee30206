"""Writes the lock files anew: versions and hashes for every Python and system we support, and no registry's address."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from steps import ROOT
from webapp import npm

UV = Path(sys.executable).parent / "uv"


def main() -> None:
    compile_lock("requirements-build.lock", "--group", "build")
    compile_lock("requirements.lock", "pyproject.toml")
    # The same versions in both, so that the tests try what users get.
    compile_lock("requirements-dev.lock", "pyproject.toml", "--group", "dev", "--constraints", "requirements.lock")
    npm(UV.parent, "install", "--package-lock-only", "--no-audit", "--no-fund")


def compile_lock(lock: str, *sources: str) -> None:
    print(f"writing {lock}", flush=True)
    options = ["--quiet", "--universal", "--generate-hashes", "--upgrade", "--python-version=3.11"]
    header = "--custom-compile-command=make lock"
    subprocess.run([UV, "pip", "compile", *options, header, *sources, f"--output-file={lock}"], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
