"""What tests need beyond the set-up: a browser with fonts, bubblewrap for the sandbox, Podman, and a driver of Java."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from system import ensure_packages

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
MAC_CHROME = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
DRIVER = Path("/usr/share/java/postgresql.jar")
FONTS = ("fonts-liberation", "fonts-noto-color-emoji")
REASON = "The browser tests need Chromium."


def main() -> None:
    if sys.platform == "linux" and shutil.which("bwrap") is None:
        ensure_packages(["bubblewrap"], "The tests of the sandbox need bubblewrap.")
    if sys.platform == "linux" and shutil.which("podman") is None:
        # The other runtime, which Podman prefers, can't start containers on every kernel.
        ensure_packages(["podman", "runc"], "The tests of containers need Podman.")
    if sys.platform == "linux" and not DRIVER.exists():
        ensure_packages(["libpostgresql-jdbc-java"], "The tests of databases need PostgreSQL's driver of Java.")
    if any(map(shutil.which, CHROMIUM)) or MAC_CHROME.exists():
        return
    if sys.platform == "darwin":
        sys.exit(f"{REASON} Run this, then try again: brew install --cask google-chrome")
    ensure_packages(["chromium", *FONTS], REASON)


if __name__ == "__main__":
    main()
