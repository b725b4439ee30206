"""The repository as a whole: nothing of one machine in it, nothing locked by halves, nothing undocumented."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from trailbook.errors import TrailbookError
from trailbook.settings import about_settings

ROOT = Path(__file__).parent.parent
PYTHON_LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-build.lock")

REGISTRY = re.compile(r"https?://[\w.-]*(pypi|npm|registry|hosted|mirror|debian)[\w.-]*", re.IGNORECASE)
MACHINE_PATH = re.compile(r"(?<![\w.}])/(root|home|Users|work|opt)/[\w.]+")


def texts() -> Iterator[tuple[Path, str]]:
    """Every text file that is, or could be, committed."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if path.is_file() and b"\0" not in (content := path.read_bytes()):
            yield Path(name), content.decode("utf-8", "replace")


def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def web_manifest(name: str) -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads((ROOT / "web" / name).read_text("utf-8"))
    return manifest


def package_name(requirement: str) -> str:
    return re.split(r"[\[<>=!~; ]", requirement)[0]


@pytest.mark.parametrize("pattern", [REGISTRY, MACHINE_PATH], ids=["registry", "machine path"])
def test_no_file_names_a_registry_or_a_place_on_one_machine(pattern: re.Pattern[str]) -> None:
    found = [f"{path}: {match[0]}" for path, text in texts() for match in pattern.finditer(text)]
    assert not found


@pytest.mark.parametrize("lock", PYTHON_LOCKS)
def test_python_locks_pin_everything_with_hashes_and_no_address(lock: str) -> None:
    text = (ROOT / lock).read_text("utf-8")
    assert "://" not in text
    assert "--index-url" not in text
    requirements = re.split(r"^(?=\w)", re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE), flags=re.MULTILINE)
    for requirement in filter(str.strip, requirements):
        assert re.match(r"[\w.\[\]-]+==\S+", requirement), requirement
        assert "--hash=sha256:" in requirement, requirement


def test_development_and_users_get_the_same_versions() -> None:
    pin = re.compile(r"^\w\S+==\S+(?: ; .*?)?(?= \\$)", re.MULTILINE)
    runtime, development = (set(pin.findall((ROOT / lock).read_text("utf-8"))) for lock in PYTHON_LOCKS[:2])
    assert runtime <= development


def test_the_npm_lock_has_hashes_and_no_address() -> None:
    for name, package in web_manifest("package-lock.json")["packages"].items():
        assert "resolved" not in package, name
        assert not name or "integrity" in package, name


def test_the_npm_lock_covers_every_system() -> None:
    packages = web_manifest("package-lock.json")["packages"]
    locked = {name.rpartition("node_modules/")[2] for name in packages}
    wanted = {name for package in packages.values() for name in package.get("optionalDependencies", {})}
    assert not wanted - locked


def test_every_dependency_is_explained() -> None:
    groups = pyproject()["dependency-groups"]
    requirements = [*pyproject()["project"]["dependencies"], *groups["build"], *groups["dev"]]
    manifest = web_manifest("package.json")
    wanted = (
        {package_name(r) for r in requirements} | manifest["dependencies"].keys() | manifest["devDependencies"].keys()
    )
    rows = re.findall(r"^\| ([^|]+) \|", (ROOT / "docs/dependencies.md").read_text("utf-8"), re.MULTILINE)
    explained = {name.strip() for row in rows for name in row.split(",")} - {"package", "---"}
    assert explained == wanted


def test_everything_imported_is_a_declared_dependency() -> None:
    project = pyproject()["project"]
    requirements = [*project["dependencies"], *chain.from_iterable(project["optional-dependencies"].values())]
    declared = {package_name(requirement).lower() for requirement in requirements}
    # Comes with pyspark[connect], in the version that it needs.
    declared |= {"grpcio", "grpcio-status", "googleapis-common-protos", "numpy", "starlette"}
    known = packages_distributions()
    for path in (ROOT / "trailbook").rglob("*.py"):
        for module in imported_modules(path) - sys.stdlib_module_names - {"trailbook"}:
            assert declared & {name.lower() for name in known[module]}, f"{path} imports {module}"


def imported_modules(path: Path) -> set[str]:
    modules = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules.add(node.module.partition(".")[0])
    return modules


@pytest.mark.parametrize("name", [about.name for about in about_settings()])
def test_every_setting_is_documented(name: str) -> None:
    assert f"| `{name}` |" in (ROOT / "docs/operations.md").read_text("utf-8")


def test_every_error_code_is_documented_with_its_status() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \|", (ROOT / "docs/api.md").read_text("utf-8"), re.MULTILINE)
    assert {(code, int(status)) for code, status in rows} >= {(e.code, e.status) for e in every(TrailbookError)}


def every(kind: type[TrailbookError]) -> Iterator[type[TrailbookError]]:
    yield kind
    for narrower in kind.__subclasses__():
        yield from every(narrower)


def test_links_between_documents_lead_somewhere() -> None:
    for path, text in texts():
        if path.suffix == ".md":
            for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", text):
                assert (ROOT / path.parent / target).exists(), f"{path} links to {target}"
