"""A tape of what Python asked of the native engine and what it answered, for rlcores_tape to repeat without Python.

A value is a letter and bytes, lowest byte first: n nothing, i an integer of 16 bytes, f a float64, s a text, l a list,
o an object and a an array by their numbers. A call is: the arrays that are new, or that Python changed since, the
object, the method, its arguments, the answer, and the arrays that the method may see with what it left in them.
"""

import struct
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

# What a call answers when it has done nothing, for arguments that want a closer look by Python.
UNDONE = {"write": -1, "insert": False, "load": False}


class Seen:
    """An array that the tape knows, by a number."""

    def __init__(self, number: int, array: np.ndarray) -> None:
        self.number, self.array, self.content = number, array, None  # unlike an empty one

    def changed(self) -> bool:
        """Whether it has another content than at the last call of this."""
        before, self.content = self.content, self.array.tobytes()
        return before != self.content

    def whole(self) -> bytes:
        """Its number, type, shape and content."""
        a = self.array
        head = struct.pack("<IBBI", self.number, ord(a.dtype.char), a.ndim, a.itemsize)
        return head + struct.pack(f"<{a.ndim}Q", *a.shape) + self.content


class Tape:
    """Stands in for the module _rlcores_native, to which it hands everything on."""

    def __init__(self, engine: ModuleType) -> None:
        self.engine, self.calls, self._parts = engine, 0, []
        self._held: list[dict[int, Seen]] = [{}]  # of each object the arrays that it holds; the first is the module
        self._seen: dict[int, Seen] = {}  # of the present call
        self._numbers = 0  # of arrays that are held

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self.engine, name)
        if isinstance(attribute, type):
            return lambda *args: Recorded(self, *self.made(name, attribute, args))
        return lambda *args: self.call(0, name, attribute, args, {})

    def write(self, path: Path) -> int:
        """The tape as a file; how many calls it has."""
        path.write_bytes(struct.pack("<Q", self.calls) + b"".join(self._parts))
        return self.calls

    def made(self, name: str, cls: type, args: tuple) -> tuple[int, Any]:
        """A new object, which holds the arrays that it is given, and its number."""
        instance = None

        def make(*arguments: Any) -> None:
            nonlocal instance
            instance = cls(*arguments)

        number = len(self._held)
        self._held.append({})
        self.call(number, name, make, args, {})
        self._held[number] = self._seen
        self._numbers += len(self._seen)
        return number, instance

    def call(self, number: int, name: str, method: Any, args: tuple, named: dict) -> Any:
        """Do it and record it."""
        if name == "order":  # counts the calls of the whole process
            return method()
        if name == "stepped":  # converts, and then does what gradients() and update() do
            return -2
        self._seen = dict(self._held[number])
        for x in args:
            self._seen |= self._held[x._number] if isinstance(x, Recorded) else {}
        arguments = self._value([*args, *([key, value] for key, value in named.items())])
        new = [one.whole() for one in self._seen.values() if one.changed()]
        result = method(*(x._real if isinstance(x, Recorded) else x for x in args), **named)
        if name in UNDONE and UNDONE[name] is result:
            return result
        if type(result) in vars(self.engine).values():
            result = Recorded(self, len(self._held), result)
            self._held.append({})
        answer = self._value(result)
        left = []
        for one in self._seen.values():
            left.append(struct.pack("<I?", one.number, changed := one.changed()))
            left.append(one.content if changed else b"")
        self._parts += [struct.pack("<I", len(new)), *new, struct.pack("<I", number), self._value(name), arguments]
        self._parts += [struct.pack("<I", len(answer)), answer, struct.pack("<I", len(self._seen)), *left]
        self.calls += 1
        return result

    def _value(self, value: Any) -> bytes:
        if value is None:
            return b"n"
        if isinstance(value, str):
            return b"s" + struct.pack("<I", len(value)) + value.encode()
        if isinstance(value, Recorded):
            return b"o" + struct.pack("<I", value._number)
        if isinstance(value, np.ndarray):
            one = self._seen.setdefault(id(value), Seen(self._numbers + len(self._seen), value))
            return b"a" + struct.pack("<I", one.number)
        if isinstance(value, (list, tuple)):
            return b"l" + struct.pack("<I", len(value)) + b"".join(map(self._value, value))
        if isinstance(value, (float, np.floating)):
            return b"f" + struct.pack("<d", value)
        return b"i" + int(value).to_bytes(16, "little", signed=True)


class Recorded:
    """An object of the engine that records what it is asked."""

    def __init__(self, tape: Tape, number: int, real: Any) -> None:
        self.__dict__.update(_tape=tape, _number=number, _real=real)

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._real, name)
        if callable(attribute):
            return lambda *args, **named: self._tape.call(self._number, name, attribute, args, named)
        return self._tape.call(self._number, name, lambda: attribute, (), {})

    def __setattr__(self, name: str, value: Any) -> None:
        self._tape.call(self._number, "set", lambda *arguments: setattr(self._real, *arguments), (name, value), {})
