"""Which program makes containers, and which image a name means."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.containers import add_image
from tests.support.containers import image as image
from trailbook.errors import BadSetting
from trailbook.kernels.containers.command import found_command, image_id


def test_a_command_may_have_options_of_its_own(image: str) -> None:
    command = found_command("podman --log-level 'error'")
    assert command == ("podman", "--log-level", "error")
    assert image_id(command, image) == image_id(("podman",), image)


def test_podman_is_taken_before_docker(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for program in ("docker", "podman"):
        (tmp_path / program).touch(0o755)
        assert found_command("") == (program,)


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("", "needs one of podman, docker, none of which is installed"),
        ("nerdctl --debug", "nerdctl is not installed"),
        ("podman 'run", "No closing quotation"),
    ],
)
def test_without_a_program_it_is_said_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, wanted: str, said: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BadSetting, match=said):
        found_command(wanted)


def test_a_name_may_come_to_mean_another_image_and_an_id_never_does(image: str, tmp_path: Path) -> None:
    name = add_image(tmp_path, f"{image}:changing", "LABEL note=first")
    first = image_id(("podman",), name)
    add_image(tmp_path, name, "LABEL note=second")
    assert image_id(("podman",), name) != first
    assert image_id(("podman",), first) == first


@pytest.mark.parametrize(
    ("name", "said"), [("", "needs an image"), ("localhost/none", "try: podman pull localhost/none")]
)
def test_without_an_image_it_is_said_how_to_get_one(name: str, said: str) -> None:
    with pytest.raises(BadSetting, match=said):
        image_id(("podman",), name)
