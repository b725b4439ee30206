"""Classes of the notebook as values.

A class is one object in a process, whatever refers to it. It has a token for good: the digest of its definition when
it was first packed. What refers to a class, its name and its instances, holds the token and that definition. What its
attributes are now is a value of its own, a `ClassState`, which is there for as long as the notebook is, whatever
becomes of the name. So an instance stays as it is when a class attribute changes, and meets the change when it is read.
"""

from __future__ import annotations

import abc
import enum
import hashlib
import io
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trailbook.kernels.child.values.about import CLASS_STATE
from trailbook.kernels.child.values.functions import Reduced, intern_text, is_importable

if TYPE_CHECKING:
    from trailbook.kernels.child.values.notebook import Notebook
    from trailbook.kernels.child.values.pickler import ValuePickler

TOKEN_LENGTH = 24
_GIVEN_AT_THE_START = ("__slots__", "__orig_bases__")
_MADE_WITH_THE_CLASS = {
    *("__dict__", "__weakref__", "__module__", "__doc__", *_GIVEN_AT_THE_START),
    *("_abc_impl", "__slotnames__"),
}
_MADE_BY_ENUM = {
    *("_generate_next_value_", "_member_names_", "_member_map_", "_member_type_", "_value2member_map_"),
    *("_unhashable_values_", "_use_args_", "_value_repr_", "_new_member_", "__new_member__", "__new__"),
    *("_flag_mask_", "_singles_mask_", "_all_bits_", "_boundary_", "_inverted_"),
}
_BUILTIN = {value: name for name, value in vars(types).items() if isinstance(value, type)}


def state_name(qualname: str, token: str, index: int) -> str:
    return f"{CLASS_STATE}{qualname}:{token}:{index}"


@dataclass(frozen=True)
class Definition:
    """A class as it was when it was first packed: the class number `index` of those that `content` defines together."""

    token: str
    index: int
    content: bytes

    @property
    def key(self) -> tuple[str, int]:
        return self.token, self.index


@dataclass(frozen=True)
class ClassState:
    """The present attributes of a class, under the name of which the cells below find them."""

    cls: type
    name: str

    def __repr__(self) -> str:
        return f"{type(self.cls).__name__} {self.cls.__qualname__}"


class Classes:
    """The classes of the notebook that there are in this process. `is_taken` knows the states of those above."""

    def __init__(self, is_taken: Callable[[str], bool]) -> None:
        self._is_taken = is_taken
        self._states: dict[type, ClassState] = {}
        self._definitions: dict[type, Definition] = {}
        self._by_key: dict[tuple[str, int], type] = {}
        self._loading: list[tuple[str, bytes]] = []
        self._filled: set[type] = set()
        self._current: set[type] = set()

    def definition(self, cls: type, pickler: ValuePickler) -> Definition:
        if cls not in self._definitions:
            self._define(cls, pickler)
        return self._definitions[cls]

    def is_defined(self, cls: type) -> bool:
        return cls in self._definitions

    def key(self, cls: type) -> tuple[str, int] | None:
        found = self._definitions.get(cls)
        return found.key if found else None

    def find(self, key: tuple[str, int]) -> type | None:
        return self._by_key.get(key)

    def _define(self, cls: type, pickler: ValuePickler) -> None:
        """Classes that refer to each other are defined together."""
        stream = io.BytesIO()
        inner = pickler.for_definition(stream)
        inner.dump(cls)
        content = stream.getvalue()
        token = self._new_token(content, cls.__qualname__)
        for index, one in enumerate(inner.defines):
            self._add(one, Definition(token, index, content))
            self._filled.add(one)
            self._current.add(one)

    def _new_token(self, content: bytes, qualname: str) -> str:
        """Another one than that of any class, here or above, that is defined by the same words."""
        digest = hashlib.sha256(content).hexdigest()[:TOKEN_LENGTH]
        token, number = digest, 1
        while (token, 0) in self._by_key or self._is_taken(state_name(qualname, token, 0)):
            number += 1
            token = f"{digest}-{number}"
        return token

    def _add(self, cls: type, definition: Definition) -> None:
        self._definitions[cls] = definition
        self._by_key[definition.key] = cls
        self._states[cls] = ClassState(cls, state_name(cls.__qualname__, *definition.key))

    def forget(self, token: str) -> None:
        """The classes of a definition, which can't be used."""
        for key in [key for key in self._by_key if key[0] == token]:
            cls = self._by_key.pop(key)
            del self._definitions[cls], self._states[cls]

    def state(self, cls: type) -> ClassState:
        return self._states[cls]

    def states(self, token: str | None = None) -> list[ClassState]:
        """Those of one definition, or of all classes."""
        return [self._states[cls] for cls, one in self._definitions.items() if token in (None, one.token)]

    @contextmanager
    def loading(self, token: str, content: bytes) -> Iterator[None]:
        self._loading.append((token, content))
        try:
            yield
        finally:
            self._loading.pop()

    def known(self, index: int) -> type | None:
        """The class of that number in the definition that is being loaded, if it is there already."""
        return self._by_key.get((self._loading[-1][0], index))

    def add_loaded(self, cls: type, index: int) -> type:
        token, content = self._loading[-1]
        self._add(cls, Definition(token, index, content))
        return cls

    def is_to_fill(self, cls: type) -> bool:
        """Once for each class."""
        is_new = cls not in self._filled
        self._filled.add(cls)
        return is_new

    def is_to_update(self, cls: type) -> bool:
        """Once for each class that was not made here."""
        is_new = cls not in self._current
        self._current.add(cls)
        return is_new


def reduce_class(pickler: ValuePickler, cls: type) -> Any:
    if is_importable(cls) or cls in (type(None), type(...), type(NotImplemented)):
        return NotImplemented
    if cls in _BUILTIN:
        return getattr, (types, _BUILTIN[cls])
    classes = pickler.notebook.classes
    if pickler.is_defining and not classes.is_defined(cls):
        made = (pickler.notebook, pickler.number_of(cls), *_skeleton(cls))
        return make_class, made, (pickler.notebook, _attributes(cls)), None, None, fill_class
    definition = classes.definition(cls, pickler)
    return load_class, (pickler.notebook, definition.token, definition.index, definition.content)


def load_class(notebook: Notebook, token: str, index: int, content: bytes) -> type:
    """The class that there is, or else a new one by its definition, with the attributes that it has by now."""
    classes = notebook.classes
    if classes.find((token, index)) is None:
        try:
            with classes.loading(token, content):
                notebook.unpickler(io.BytesIO(content), ()).load()
            for state in classes.states(token):
                notebook.load_class_state(state)
        except BaseException:
            classes.forget(token)
            raise
    found = classes.find((token, index))
    assert found is not None
    return found


def reduce_class_state(pickler: ValuePickler, state: ClassState) -> Reduced:
    attributes = (pickler.notebook, _attributes(state.cls))
    return load_state, (pickler.notebook, state.cls), attributes, None, None, update_class


def load_state(notebook: Notebook, cls: type) -> ClassState:
    return notebook.classes.state(cls)


def make_class(
    notebook: Notebook, index: int, meta: type, name: str, bases: tuple[type, ...], body: dict[str, Any]
) -> type:
    """A class without its attributes, so that they may refer to it."""
    if (known := notebook.classes.known(index)) is not None:
        return known
    name, body = sys.intern(name), {sys.intern(key): intern_text(value) for key, value in body.items()}
    with _quiet(bases):
        if issubclass(meta, enum.EnumMeta):
            made: Any = _make_enum(meta, name, bases, body)
        elif issubclass(meta, abc.ABCMeta):
            made = abc.ABCMeta.__new__(meta, name, bases, body)
        else:
            made = type.__new__(meta, name, bases, body)
    return notebook.classes.add_loaded(made, index)


def fill_class(cls: type, state: tuple[Notebook, dict[str, Any]]) -> None:
    notebook, attributes = state
    if notebook.classes.is_to_fill(cls):
        _set_attributes(cls, attributes)


def update_class(state: ClassState, given: tuple[Notebook, dict[str, Any]]) -> None:
    (notebook, attributes), cls = given, state.cls
    if notebook.classes.is_to_update(cls):
        for name in _attributes(cls).keys() - attributes.keys() - {REGISTERED}:
            type.__delattr__(cls, name)
        _set_attributes(cls, attributes)


REGISTERED = "<registered>"
"""Where an abstract class keeps what was registered with it; no attribute has such a name."""


def _set_attributes(cls: type, attributes: dict[str, Any]) -> None:
    for name, value in attributes.items():
        if name == REGISTERED:
            for other in value:
                cls.register(other)  # type: ignore[attr-defined]
        else:
            type.__setattr__(cls, name, value)
            if type(value) is property:
                # It says which one it is when it refuses to be set.
                value.__set_name__(cls, name)  # type: ignore[attr-defined]


def _attributes(cls: type) -> dict[str, Any]:
    """What a class holds, but for what Python makes anew with it."""
    left_out = set(_MADE_WITH_THE_CLASS)
    if isinstance(cls, enum.EnumMeta):
        left_out |= _MADE_BY_ENUM | set(cls.__members__)
    if not vars(cls).get("__annotations__"):
        # Asking a class for them puts an empty one there.
        left_out.add("__annotations__")
    found = {
        name: value
        for name, value in vars(cls).items()
        if name not in left_out and not isinstance(value, types.MemberDescriptorType)
    }
    if isinstance(cls, abc.ABCMeta):
        registered = [one for reference in abc._get_dump(cls)[0] if (one := reference()) is not None]  # type: ignore[attr-defined]
        if registered:
            found[REGISTERED] = sorted(registered, key=lambda one: (one.__module__, one.__qualname__))
    return found


def _skeleton(cls: type) -> Reduced:
    """What a class is made from."""
    body = {"__module__": cls.__module__, "__qualname__": cls.__qualname__, "__doc__": vars(cls).get("__doc__")}
    body |= {name: vars(cls)[name] for name in _GIVEN_AT_THE_START if name in vars(cls)}
    if isinstance(cls, enum.EnumMeta):
        methods = {name: value for name, value in _attributes(cls).items() if isinstance(value, types.FunctionType)}
        new = {"__new__": vars(cls)["__new_member__"]} if "__new_member__" in vars(cls) else {}
        members: dict[str, Any] = dict(cls.__members__)
        body |= {**methods, **new, **{name: member.value for name, member in members.items()}}
    return type(cls), cls.__name__, cls.__bases__, body


def _make_enum(meta: Any, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Any:
    prepared = meta.__prepare__(name, bases)
    for key, value in body.items():
        prepared[key] = value
    return meta.__new__(meta, name, bases, prepared)


@contextmanager
def _quiet(bases: tuple[type, ...]) -> Iterator[None]:
    """Without telling the notebook's own base classes, which have heard of this class already."""
    told = [
        one for base in bases for one in base.__mro__ if "__init_subclass__" in vars(one) and not is_importable(one)
    ]
    kept = {one: vars(one)["__init_subclass__"] for one in told}
    for one in kept:
        type.__setattr__(one, "__init_subclass__", classmethod(lambda cls, **_: None))
    try:
        yield
    finally:
        for one, original in kept.items():
            type.__setattr__(one, "__init_subclass__", original)
