"""What a pickle describes, as plain data: nothing is imported, nothing is called, so no code of the file can run.

A pickle is a program that builds objects. This reader follows the program, but where it would call a function or make
an object of a class, it writes down only which one: a Call, with the name of the class in a Global. The readers of
tensors and arrays look for the few names that they know.
"""

import encodings.raw_unicode_escape  # noqa: F401 - pickletools would import it when a file has such a string
import pickletools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rlcores.errors import UserError

MOST_STEPS = 5_000_000  # steps of one pickle; a policy's has some hundreds

_PLAIN = (str, int, float, bytes, bool, type(None))


@dataclass(frozen=True)
class Global:
    """A name that the pickle would import, such as `collections.OrderedDict`."""

    name: str


@dataclass(eq=False)
class Persistent:
    """A reference to something outside the pickle, as PyTorch's storages are."""

    key: Any


@dataclass(eq=False)
class Call:
    """A call that is not made: what would be called, with what, and what would be put into the result."""

    function: Any
    arguments: tuple
    state: Any = None
    items: list = field(default_factory=list)
    pairs: dict = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Name of what would be called, or an empty text."""
        return self.function.name if isinstance(self.function, Global) else ""


class _Mark:
    pass


class _Machine:
    def __init__(self) -> None:
        self.stack: list = []
        self.memo: dict[int, Any] = {}
        self.mark = _Mark()

    def pop(self) -> Any:
        value = self.stack.pop()
        if value is self.mark:
            raise ValueError("a mark where a value should be")
        return value

    def to_mark(self) -> list:
        at = max(i for i, value in enumerate(self.stack) if value is self.mark)
        items = self.stack[at + 1 :]
        del self.stack[at:]
        return items

    def put(self, key: int) -> None:
        self.memo[key] = self.stack[-1]

    def set_items(self, flat: list) -> None:
        target = self.stack[-1]
        pairs = target if isinstance(target, dict) else target.pairs
        for key, value in zip(flat[::2], flat[1::2], strict=True):
            if isinstance(key, _PLAIN):  # the others say nothing about a network
                pairs[key] = value

    def append(self, values: list) -> None:
        target = self.stack[-1]
        (target if isinstance(target, list) else target.items).extend(values)

    def build(self) -> None:
        state = self.pop()
        target = self.stack[-1]
        if isinstance(target, Call):
            target.state = state

    def step(self, name: str, argument: Any) -> None:
        push = self.stack.append
        if name in _PUSHED:
            push(argument)
        elif name in _MADE:
            push(_MADE[name]())
        elif name in _PUT:
            self.put(argument)
        elif name in _GOT:
            push(self.memo[argument])
        else:
            _STEPS[name](self, argument)


def _global(machine: _Machine, argument: str) -> None:
    machine.stack.append(Global(argument.replace(" ", ".", 1)))


def _stack_global(machine: _Machine, _: Any) -> None:
    name, module = machine.pop(), machine.pop()
    machine.stack.append(Global(f"{module}.{name}"))


def _call(machine: _Machine, _: Any) -> None:
    arguments, function = machine.pop(), machine.pop()
    if not isinstance(arguments, tuple):
        raise ValueError("arguments that are no tuple")
    machine.stack.append(Call(function, arguments))


def _call_with_names(machine: _Machine, _: Any) -> None:
    names, arguments, function = machine.pop(), machine.pop(), machine.pop()
    if not isinstance(arguments, tuple) or not isinstance(names, dict):
        raise ValueError("arguments of another kind")
    machine.stack.append(Call(function, arguments, pairs=names))


def _tuple_of(count: int) -> Callable[[_Machine, Any], None]:
    def make(machine: _Machine, _: Any) -> None:
        values = [machine.pop() for _ in range(count)]
        machine.stack.append(tuple(reversed(values)))

    return make


def _list(machine: _Machine, _: Any) -> None:
    machine.stack.append(machine.to_mark())


def _dict(machine: _Machine, _: Any) -> None:
    flat = machine.to_mark()
    machine.stack.append({})
    machine.set_items(flat)


def _set_item(machine: _Machine, _: Any) -> None:
    value, key = machine.pop(), machine.pop()
    machine.set_items([key, value])


# Steps that push what they carry.
_PUSHED = {
    "INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT", "STRING", "BINSTRING",
    "SHORT_BINSTRING", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "BYTEARRAY8", "UNICODE", "SHORT_BINUNICODE",
    "BINUNICODE", "BINUNICODE8",
}  # fmt: skip
_MADE: dict[str, Callable[[], Any]] = {
    "NONE": lambda: None,
    "NEWTRUE": lambda: True,
    "NEWFALSE": lambda: False,
    "EMPTY_LIST": list,
    "EMPTY_TUPLE": tuple,
    "EMPTY_DICT": dict,
    "EMPTY_SET": list,
}
_PUT = {"PUT", "BINPUT", "LONG_BINPUT"}
_GOT = {"GET", "BINGET", "LONG_BINGET"}
_STEPS: dict[str, Callable[[_Machine, Any], None]] = {
    "PROTO": lambda machine, _: None,
    "FRAME": lambda machine, _: None,
    "MARK": lambda machine, _: machine.stack.append(machine.mark),
    "POP": lambda machine, _: machine.stack.pop() and None,
    "POP_MARK": lambda machine, _: machine.to_mark() and None,
    "DUP": lambda machine, _: machine.stack.append(machine.stack[-1]),
    "MEMOIZE": lambda machine, _: machine.put(len(machine.memo)),
    "GLOBAL": _global,
    "STACK_GLOBAL": _stack_global,
    "REDUCE": _call,
    "NEWOBJ": _call,
    "NEWOBJ_EX": _call_with_names,
    "BUILD": lambda machine, _: machine.build(),
    "TUPLE": lambda machine, _: machine.stack.append(tuple(machine.to_mark())),
    "TUPLE1": _tuple_of(1),
    "TUPLE2": _tuple_of(2),
    "TUPLE3": _tuple_of(3),
    "LIST": _list,
    "FROZENSET": _list,
    "DICT": _dict,
    "APPEND": lambda machine, _: machine.append([machine.pop()]),
    "APPENDS": lambda machine, _: machine.append(machine.to_mark()),
    "ADDITEMS": lambda machine, _: machine.append(machine.to_mark()),
    "SETITEM": _set_item,
    "SETITEMS": lambda machine, _: machine.set_items(machine.to_mark()),
    "BINPERSID": lambda machine, _: machine.stack.append(Persistent(machine.pop())),
}


def read(data: bytes) -> Any:
    """What a pickle describes: lists, tuples, dicts, numbers, texts, and Call, Global and Persistent for the rest.

    Dicts keep plain keys only. Nothing is imported or called. Raises UserError if this is no pickle, if it is damaged,
    or if it takes more than MOST_STEPS steps.

    >>> import pickle, datetime
    >>> tree = read(pickle.dumps({"day": datetime.date(2024, 1, 2)}, protocol=2))
    >>> tree["day"].name
    'datetime.date'
    """
    machine = _Machine()
    try:
        for count, (operation, argument, _) in enumerate(pickletools.genops(data)):
            if count >= MOST_STEPS:
                raise ValueError("too many steps")
            if operation.name == "STOP":
                return machine.pop()
            machine.step(operation.name, argument)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, MemoryError) as error:
        raise UserError("the pickle inside is damaged or uses a step that no saved policy has") from error
    raise UserError("the pickle inside is damaged: it has no end")
