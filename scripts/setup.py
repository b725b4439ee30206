"""Makes .venv and the web build; does nothing for what was already made from the same manifests.

Runs with the standard library alone, and says what is wrong on a Python that is too old.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys

from steps import ROOT, Step, bring_up_to_date
from system import ensure_packages
from webapp import web_build, web_packages

OLDEST_PYTHON = (3, 11)
VENV = ROOT / ".venv"
BIN = VENV / "bin"


def main() -> None:
    check_python()
    discard_foreign_environment()
    try:
        bring_up_to_date([*python_steps(), web_packages(BIN), web_build(BIN)])
    except subprocess.CalledProcessError as error:
        command = " ".join(map(str, error.cmd))
        sys.exit(f"set-up failed: {command!r} ended with {error.returncode}; what it said is above.")
    except KeyboardInterrupt:
        sys.exit("set-up interrupted; the next `make setup` goes on from the last finished step.")


def python_steps() -> list[Step]:
    return [
        Step(
            name="environment",
            effort="making .venv with a current pip",
            product=VENV,
            inputs=(ROOT / "requirements-build.lock",),
            make=make_environment,
        ),
        Step(
            name="Python packages",
            effort="pip installs requirements-dev.lock (850 MB to download, 460 MB of it Spark; 2 GB on disk)",
            product=VENV,
            inputs=(ROOT / "requirements-dev.lock",),
            make=lambda: pip_install("--require-hashes", "-r", "requirements-dev.lock"),
        ),
        Step(
            name="trailbook",
            effort="installing this tree into .venv",
            product=VENV,
            inputs=(ROOT / "pyproject.toml", ROOT / "trailbook" / "__init__.py"),
            make=lambda: pip_install("--no-deps", "-e", "."),
        ),
        Step(
            name="Spark",
            effort="a trial run, so that it starts in half the time from then on",
            product=VENV,
            inputs=(ROOT / "requirements-dev.lock", ROOT / "trailbook" / "engine" / "archive.py"),
            make=prepare_spark,
        ),
    ]


def check_python() -> None:
    if sys.version_info[:2] < OLDEST_PYTHON:
        oldest = ".".join(map(str, OLDEST_PYTHON))
        sys.exit(
            f"{sys.executable} is Python {sys.version.split()[0]}; Trailbook needs {oldest} or newer. "
            f"With another Python: make setup PYTHON=python{oldest}"
        )


def discard_foreign_environment() -> None:
    """An environment whose Python is gone, or that was made in another folder, can't be used."""
    pip = BIN / "pip"
    belongs_here = pip.is_file() and str(VENV) in pip.read_text() and (BIN / "python").exists()
    if VENV.is_dir() and not belongs_here:
        shutil.rmtree(VENV)


def make_environment() -> None:
    if importlib.util.find_spec("ensurepip") is None:
        package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
        ensure_packages([package], f"{sys.executable} can't make virtual environments.")
    if not VENV.is_dir():
        run(sys.executable, "-m", "venv", str(VENV))
    pip_install("--require-hashes", "-r", "requirements-build.lock")


def pip_install(*arguments: str) -> None:
    """Install with pip, which heeds the user's mirrors, and build with nothing but what the lock files name."""
    run(str(BIN / "python"), "-m", "pip", "install", "--quiet", "--no-build-isolation", *arguments)


def prepare_spark() -> None:
    """Where it fails, Spark only starts more slowly."""
    subprocess.run([str(BIN / "trailbook"), "prepare"], cwd=ROOT, check=False)


def run(*command: str) -> None:
    subprocess.run(command, cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
