"""Builds the web app into the Python package: for `make setup`, and for whoever builds a wheel."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from steps import ROOT, Step

WEB = ROOT / "web"
STATIC = ROOT / "trailbook" / "server" / "static"

MANIFESTS = (WEB / "package.json", WEB / "package-lock.json", WEB / ".npmrc")
SOURCES = (
    *MANIFESTS,
    WEB / "index.html",
    WEB / "public",
    WEB / "src",
    WEB / "tsconfig.json",
    WEB / "vite.config.ts",
)


def web_packages(node: Path) -> Step:
    """Install what package-lock.json says, with the npm in the folder `node`."""
    return Step(
        name="web packages",
        effort="npm installs web/package-lock.json (150 MB to download)",
        product=WEB / "node_modules",
        inputs=MANIFESTS,
        make=lambda: npm(node, "ci", "--no-audit", "--no-fund", "--loglevel=error"),
    )


def web_build(node: Path) -> Step:
    """Compile web/ into the package, with the npm in the folder `node`."""
    return Step(
        name="web build",
        effort="compiling web/ into trailbook/server/static",
        product=STATIC,
        inputs=SOURCES,
        make=lambda: npm(node, "run", "--silent", "build", "--", "--logLevel=warn"),
    )


def npm(node: Path, *arguments: str) -> None:
    """Run npm in web/; the tools it starts find the same Node."""
    path = f"{node}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    # In the package's own folder, npm is a copy of a link that leads nowhere: wheels hold no links.
    program = node.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    command = [str(node / "node"), str(program)] if program.is_file() else [str(node / "npm")]
    subprocess.run([*command, *arguments], cwd=WEB, env={**os.environ, "PATH": path}, check=True)
