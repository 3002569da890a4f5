"""A native core under a C++ driver of its own, which clocks it and checks every answer; here is what calls it."""

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np

from rlcores.eda import library, slang

Result = TypeVar("Result")
FOLDER = Path(__file__).resolve().parent
POINTER, NUMBER = ctypes.c_void_p, ctypes.c_uint64
WORDS = 4  # of 64 bits, as native.h has it


def load(
    vlnv: str,
    top: str,
    parameters: Mapping[str, int | str],
    driver: str,
    headers: Sequence[str] = (),
) -> ctypes.CDLL:
    """The library of a core with a driver that stands beside this file. See rlcores.eda.library.build.

    The driver includes "Vtop.h", the model, and "parameters.h", which defines RLC_<parameter> for every one given.
    """
    files = [FOLDER / name for name in ("native.h", *headers)]
    lines = (f"#define RLC_{name} {slang.literal(value)}\n" for name, value in sorted(parameters.items()))
    written = {"parameters.h": "".join(lines)}
    made = library.build(vlnv, top, parameters, FOLDER / driver, files, written=written)
    return ctypes.CDLL(str(made))


def in_words(numbers: Sequence[int]) -> np.ndarray:
    """Numbers without signs as put_words() of native.h takes them: WORDS words of 64 bits each."""
    return np.array([number >> 64 * word & 2**64 - 1 for number in numbers for word in range(WORDS)], np.uint64)


def plan(**fields: int | Sequence[int]) -> ctypes.Structure:
    """What a driver is asked for: whole numbers of 64 bits, and rows of them, in the order of its fields."""
    kinds = {name: NUMBER * len(value) if isinstance(value, Sequence) else NUMBER for name, value in fields.items()}
    made = type("Plan", (ctypes.Structure,), {"_fields_": list(kinds.items())})()
    for name, value in fields.items():
        setattr(made, name, kinds[name](*value) if isinstance(value, Sequence) else value)
    return made


class Answer(Generic[Result]):
    """A place for what a driver answers: a dataclass of whole numbers, and of a text called message."""

    def __init__(self, kind: type[Result]) -> None:
        names = [f.name for f in fields(kind) if f.name != "message"]
        layout = (*((name, NUMBER) for name in names), ("message", ctypes.c_char * 512))
        self._kind, self._names = kind, names
        self._answer = type("Answer", (ctypes.Structure,), {"_fields_": layout})()

    @property
    def place(self) -> object:
        """To be given to the driver."""
        return ctypes.byref(self._answer)

    def read(self) -> Result:
        """What the driver has put there."""
        values = {name: getattr(self._answer, name) for name in self._names}
        return self._kind(**values, message=self._answer.message.decode())


class Drive:
    """One instance of a Verilated core under its driver, whose functions begin with drive_ and take its handle."""

    def __init__(self, library: ctypes.CDLL, **functions: tuple) -> None:
        """functions: what each returns, and then its arguments behind the handle."""
        self._library = library
        self._declare(delete=(None,), **functions)
        library.drive_new.restype = POINTER
        self._handle = library.drive_new()

    def _declare(self, **functions: tuple) -> None:
        for name, (result, *arguments) in functions.items():
            function = getattr(self._library, f"drive_{name}")
            function.restype, function.argtypes = result, [POINTER, *arguments]

    def _call(self, name: str, *arguments: object):
        return getattr(self._library, f"drive_{name}")(self._handle, *arguments)

    def close(self) -> None:
        """End the simulation."""
        if self._handle:
            self._call("delete")
            self._handle = None

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        self.close()
