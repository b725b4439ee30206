"""Files that are not the store's."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from trailbook.store.outside import file_digest, signs_of


def test_a_files_digest_is_that_of_its_bytes_even_if_it_was_remembered(tmp_path: Path) -> None:
    file = tmp_path / "file"
    for text in (b"one", b"two"):
        file.write_bytes(text)
        # Old enough to be remembered.
        os.utime(file, (1, 1))
        assert file_digest(str(file)) == hashlib.sha256(text).hexdigest()


def test_a_directorys_digest_is_that_of_its_names(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    before = file_digest(str(tmp_path))
    (tmp_path / "a").write_text("more")
    assert file_digest(str(tmp_path)) == before
    (tmp_path / "b").touch()
    assert file_digest(str(tmp_path)) not in (before, None)


def test_what_is_not_there_or_can_not_be_read_to_an_end_has_none(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert file_digest(str(tmp_path / "pipe")) is None
    assert file_digest(str(tmp_path / "absent")) is None
    assert file_digest("\0") is None


def test_signs_change_with_the_content_and_with_another_file_in_its_place(tmp_path: Path) -> None:
    file, other = tmp_path / "file", tmp_path / "other"
    file.write_text("one")
    seen = {signs_of(str(file))}
    file.write_text("more")
    seen.add(signs_of(str(file)))
    other.write_text("more")
    other.replace(file)
    seen.add(signs_of(str(file)))
    file.unlink()
    seen.add(signs_of(str(file)))
    assert len(seen) == 4
    assert None in seen
