"""What comes from the operating system: installed where that is possible, named exactly where it isn't."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys


def ensure_packages(packages: list[str], reason: str) -> None:
    """Install Debian packages as root; anybody else is told what to install."""
    names = " ".join(packages)
    if shutil.which("apt-get") is None:
        sys.exit(f"{reason} Install what your system calls these Debian packages, then try again: {names}")
    if os.geteuid() != 0:
        sys.exit(f"{reason} Run this, then try again: sudo apt-get install {names}")
    print(f"system packages: {reason} Installing {names} with apt-get", flush=True)
    _apt_get("update")
    _apt_get("install", "--yes", "--no-install-recommends", *packages)


def _apt_get(*arguments: str) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "-qq", *arguments], check=True, env=environment, stdout=subprocess.DEVNULL)
