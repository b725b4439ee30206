"""Values in files: exact, mapped, and never crashing the reader."""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trailbook.kernels.child.values import packed
from trailbook.kernels.child.values.packed import ALIGNMENT, SMALLEST_BUFFER, BadPack, Packed
from trailbook.kernels.child.values.plain import plain_pickler, plain_unpickler

LARGE = SMALLEST_BUFFER // 8 + 5
EXAMPLES = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
nested = st.recursive(
    plain, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner, inner)
)
lengths = st.integers(0, 3 * LARGE)


def pack(value: Any) -> Packed:
    return packed.pack(value, plain_pickler)


def through(value: Any, path: Path) -> Any:
    packed.write(pack(value), str(path))
    return packed.unpack(str(path), plain_unpickler)


@EXAMPLES
@given(nested, st.lists(lengths, max_size=4))
def test_a_value_comes_back_as_it_was_from_a_file_and_from_its_content(
    tmp_path: Path, value: Any, sizes: list[int]
) -> None:
    arrays = [np.arange(size) for size in sizes]
    file = tmp_path / "value"
    for back in (through((value, arrays), file), packed.unpack(file.read_bytes(), plain_unpickler)):
        assert back[0] == value
        assert [array.tolist() for array in back[1]] == [array.tolist() for array in arrays]
        assert all(array.flags.writeable for array in back[1])


@EXAMPLES
@given(nested, lengths)
def test_size_and_digest_are_those_of_the_file(tmp_path: Path, value: Any, size: int) -> None:
    file = tmp_path / "value"
    made = pack([value, np.arange(size)])
    packed.write(made, str(file))
    content = file.read_bytes()
    assert (made.size, made.digest) == (len(content), hashlib.sha256(content).hexdigest())
    assert packed.content(made) == content
    assert packed.same(made, str(file))
    assert packed.alike(made, pack([value, np.arange(size)]))


def test_large_buffers_are_aligned_in_the_file_and_small_ones_in_the_pickle() -> None:
    made = pack([np.arange(LARGE), np.arange(3), np.arange(2 * LARGE)])
    assert [len(buffer) for buffer in made.buffers] == [8 * LARGE, 16 * LARGE]
    content = packed.content(made)
    assert [content.index(bytes(buffer)) % ALIGNMENT for buffer in made.buffers] == [0, 0]


def test_what_is_changed_in_memory_stays_there(tmp_path: Path) -> None:
    file = tmp_path / "value"
    first = through(np.zeros(LARGE), file)
    before = file.read_bytes()
    first[:] = 7
    assert file.read_bytes() == before
    assert packed.unpack(str(file), plain_unpickler).sum() == 0
    file.unlink()
    assert first.sum() == 7 * LARGE


def test_what_could_not_be_changed_still_can_not(tmp_path: Path) -> None:
    for size in (3, LARGE):
        array = np.arange(size)
        array.flags.writeable = False
        assert not through(array, tmp_path / "value").flags.writeable


@pytest.mark.parametrize("cut", [lambda a: a.T, lambda a: a[:, ::2], lambda a: a[::-1], lambda a: a[5:]])
def test_arrays_of_any_layout_come_back(tmp_path: Path, cut: Callable[[Any], Any]) -> None:
    array = cut(np.arange(4 * LARGE).reshape(LARGE, 4))
    assert through(array, tmp_path / "value").tolist() == array.tolist()


def test_a_buffer_with_gaps_is_refused() -> None:
    with pytest.raises(pickle.PicklingError, match="non-contiguous"):
        pack(pickle.PickleBuffer(memoryview(bytes(2 * SMALLEST_BUFFER))[::2]))


def test_a_file_that_was_cut_off_anywhere_is_refused(tmp_path: Path) -> None:
    content = packed.content(pack([np.arange(LARGE), "text", np.arange(LARGE)]))
    file = tmp_path / "value"
    for length in [*range(200), *range(200, len(content), 97), len(content) - 1]:
        file.write_bytes(content[:length])
        with pytest.raises(BadPack, match="value"):
            packed.unpack(str(file), plain_unpickler)
    with pytest.raises(BadPack, match="bytes and should have"):
        packed.unpack(content + b"x", plain_unpickler)


@pytest.mark.parametrize(
    "content",
    [b"", b"PAR1", os.urandom(100), pickle.dumps([1, 2, 3]), bytes(1000)],
    ids=["nothing", "Parquet", "random", "pickle", "zeros"],
)
def test_a_file_of_another_kind_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "value").write_bytes(content)
    with pytest.raises(BadPack, match="is not a packed value"):
        packed.unpack(str(tmp_path / "value"), plain_unpickler)


def test_a_file_of_another_version_is_refused() -> None:
    content = bytearray(packed.content(pack(1)))
    content[8] = 9
    with pytest.raises(BadPack, match="version 9"):
        packed.unpack(bytes(content), plain_unpickler)


@pytest.mark.parametrize("size", [LARGE, packed.BLOCK // 8, packed.BLOCK // 4 + 1])
def test_any_change_is_seen(tmp_path: Path, size: int) -> None:
    file = str(tmp_path / "value")
    array = np.zeros(size)
    before = pack([array.copy()])
    packed.write(before, file)
    for place in (0, size // 2, size - 1):
        array[place] = 1
        assert not packed.same(pack([array]), file)
        assert not packed.alike(pack([array]), before)
        array[place] = 0
        assert packed.same(pack([array]), file)
        assert packed.alike(pack([array]), before)
    assert not packed.same(pack([array[:-1]]), file)
    assert not packed.same(pack((array,)), file)


def test_a_mark_of_doubt_after_the_value_is_no_part_of_it(tmp_path: Path) -> None:
    file = tmp_path / "value"
    made = pack([np.arange(LARGE)])
    file.write_bytes(packed.content(made) + packed.DOUBTFUL)
    assert packed.same(made, str(file))
    assert packed.unpack(str(file), plain_unpickler)[0].tolist() == list(range(LARGE))
    file.write_bytes(packed.content(made) + packed.DOUBTFUL[::-1])
    assert not packed.same(made, str(file))
