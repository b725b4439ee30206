"""The values of the cells above: loaded when their names are looked up, with the names that share objects with them."""

from __future__ import annotations

from collections.abc import KeysView
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any

from trailbook.kernels.child.errors import CellProblem, UnavailableValue
from trailbook.kernels.child.lookahead import NATIVE_READERS, names_needed_by_code, with_inner
from trailbook.kernels.child.values import packed
from trailbook.kernels.child.values.classes import ClassState
from trailbook.kernels.child.values.notebook import Notebook

if TYPE_CHECKING:
    from trailbook.kernels.child.namespace import Namespace
    from trailbook.kernels.child.scope import Packet, Scope


class Values:
    """What was loaded so far."""

    def __init__(self, namespace: Namespace, scope: Scope) -> None:
        self.mentioned: set[str] = set()
        """The names and modules in the code of functions that were loaded."""
        self.notebook = Notebook(namespace, self)
        self._namespace = namespace
        self._scope = scope
        self._brought_in: dict[str, Any] = {}
        self._packets: dict[str, Packet] = {}
        self._loaded: dict[str, dict[str, Any]] = {}
        self._loading: set[str] = set()
        self._sharing: set[str] = set()

    def bring_in(self, name: str) -> None:
        """Put into the namespace what the name means in the cells above."""
        self._scope.check_available(name)
        is_packed = name in self._scope.packets
        value = self._load(name)[name] if is_packed else self._scope.dataset(name).original()
        self._brought_in[name] = value
        dict.__setitem__(self._namespace, name, value)
        self._bring_in_for(self.notebook.take_code())
        if isinstance(value, ModuleType) and value.__name__ in NATIVE_READERS:
            self._namespace.load(self._scope.every_name())

    @property
    def brought_in(self) -> KeysView[str]:
        """The names that were put into the namespace, whatever became of them."""
        return self._brought_in.keys()

    def forget(self, name: str) -> None:
        """It may be brought in once more."""
        self._brought_in.pop(name, None)

    def came_as(self, name: str, value: Any) -> bool:
        """Whether a name still holds the object that came from above."""
        return name in self._brought_in and self._brought_in[name] is value

    def packet_of(self, name: str, value: Any) -> Packet | None:
        """Where an object was loaded from, if the name means it as it did above."""
        packet = self._packets.get(name)
        return packet if packet and self._loaded[packet.id][name] is value else None

    def companions(self) -> dict[str, Any]:
        """What came along with values that were looked up, and was neither looked up itself nor given up."""
        return {
            name: self._loaded[packet.id][name]
            for name, packet in self._packets.items()
            if self._scope.packets.get(name) == packet and self._namespace.still_offers(name)
        }

    def record_sharing(self) -> None:
        """Which names share objects with what was looked up is something that was read, if a change depends on it."""
        for name in sorted(self._sharing):
            if self._namespace.still_offers(name):
                self._scope.record_read(name)

    def load_state(self, name: str) -> Any:
        """The state of a library that a cell above left."""
        return self._load(name)[name]

    def load_class_state(self, state: ClassState) -> None:
        if self.has_class_state(state.name):
            self._scope.check_available(state.name)
            # If it is being loaded, then it brings the class up to date at its end.
            if self._scope.packets[state.name].id not in self._loading:
                self._load(state.name)

    def has_class_state(self, name: str) -> bool:
        self._scope.record_read(name)
        if self._scope.has_waited:
            # A cell that was waited for changed more than the name by which it was expected to.
            self._scope.ask_again(name)
        return name in self._scope

    def load_for_comparison(self, packet: Packet) -> tuple[Notebook, dict[str, Any]]:
        """The names of a packet as they came, and the notebook in which they are what they are."""
        notebook = self.notebook.for_comparison()
        return notebook, packed.unpack(packet.source, notebook.unpickler)

    def _load(self, name: str) -> dict[str, Any]:
        packet = self._scope.packets[name]
        if packet.id not in self._loaded:
            values = self._unpack(name, packet)
            if len(values) > 1:
                self._sharing |= values.keys()
                # Whether a name still shares is not known before it is settled what it means.
                for one in sorted(self._scope.pending & values.keys()):
                    self._scope.resolve(one)
            still = [one for one in values if self._scope.packets.get(one) == packet]
            self._loaded[packet.id] = {one: values[one] for one in still}
            self._packets |= dict.fromkeys(still, packet)
        return self._loaded[packet.id]

    def _unpack(self, name: str, packet: Packet) -> dict[str, Any]:
        if packet.id in self._loading:
            raise UnavailableValue(f"{name} can't be loaded: it refers to itself by its name")
        self._loading.add(packet.id)
        try:
            values: dict[str, Any] = packed.unpack(packet.source, self.notebook.unpickler)
        except CellProblem:
            raise
        except Exception as error:
            raise UnavailableValue(f"{name} can't be loaded: {type(error).__name__}: {error}") from error
        finally:
            self._loading.discard(packet.id)
        return values

    def _bring_in_for(self, made: list[CodeType]) -> None:
        """Bring in what functions need that were just loaded, and that look names up past the namespace."""
        for code in made:
            self.mentioned.update(name for part in with_inner(code) for name in part.co_names)
            self._namespace.load(names_needed_by_code(code, self._scope.names, self._scope.every_name))
