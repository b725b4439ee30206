"""A set-up does each step once for the same inputs, and never takes half of one for the whole."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import steps


@dataclass
class Workshop:
    """A folder with one manifest and one step that makes a product from it."""

    folder: Path
    made: int = 0
    trouble: BaseException | None = None
    leftovers: list[Path] = field(default_factory=list)

    @property
    def manifest(self) -> Path:
        return self.folder / "manifest"

    def step(self) -> steps.Step:
        return steps.Step("a product", "making it", self.folder / "product", (self.manifest,), self.make)

    def make(self) -> None:
        product = self.folder / "product"
        product.mkdir(exist_ok=True)
        self.leftovers = [path for path in product.iterdir() if not path.name.startswith(".")]
        (product / f"part-{self.made}").touch()
        self.made += 1
        if self.trouble:
            raise self.trouble

    def set_up(self) -> None:
        steps.bring_up_to_date([self.step()])


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    monkeypatch.setattr(steps, "ROOT", tmp_path)
    (tmp_path / "manifest").write_text("one")
    return Workshop(tmp_path)


def test_a_second_set_up_does_nothing(workshop: Workshop) -> None:
    workshop.set_up()
    workshop.set_up()
    assert workshop.made == 1


def test_a_changed_manifest_has_the_step_done_again(workshop: Workshop) -> None:
    workshop.set_up()
    workshop.manifest.write_text("two")
    workshop.set_up()
    assert workshop.made == 2


def test_a_deleted_product_is_made_again(workshop: Workshop) -> None:
    workshop.set_up()
    for path in (workshop.folder / "product").iterdir():
        path.unlink()
    workshop.set_up()
    assert workshop.made == 2


@pytest.mark.parametrize("trouble", [KeyboardInterrupt(), subprocess.CalledProcessError(-9, "tool")])
def test_what_an_interrupted_step_left_is_thrown_away(workshop: Workshop, trouble: BaseException) -> None:
    workshop.set_up()
    workshop.manifest.write_text("two")
    workshop.trouble = trouble
    with pytest.raises(type(trouble)):
        workshop.set_up()
    workshop.trouble = None
    workshop.set_up()
    assert workshop.made == 3
    assert workshop.leftovers == []


def test_what_was_there_before_a_reported_failure_is_kept(workshop: Workshop) -> None:
    workshop.set_up()
    workshop.manifest.write_text("two")
    workshop.trouble = subprocess.CalledProcessError(1, "tool")
    with pytest.raises(subprocess.CalledProcessError):
        workshop.set_up()
    workshop.trouble = None
    workshop.set_up()
    assert workshop.made == 3
    assert workshop.leftovers
