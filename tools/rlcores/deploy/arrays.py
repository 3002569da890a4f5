"""NumPy's arrays and numbers, from what a pickle describes; NumPy's own unpickling is not used."""

import math
from typing import Any

import numpy as np

from rlcores.deploy.pickled import Call, Global
from rlcores.errors import UserError

MOST_ELEMENTS = 1 << 26  # of one array: 64 times the largest layer that a core takes

_KINDS = {"f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"}
_MODULES = ("numpy.core.multiarray.", "numpy._core.multiarray.", "numpy.core.numeric.", "numpy._core.numeric.")


def _kind(node: Any) -> np.dtype:
    if isinstance(node, Call) and node.name == "numpy.dtype" and node.arguments and node.arguments[0] in _KINDS:
        order = node.state[1] if isinstance(node.state, tuple) and len(node.state) > 1 else "<"
        if order in ("<", ">", "|", "="):
            return np.dtype(("<" if order in "|=" else order) + node.arguments[0])
    raise UserError("an array inside has a type that is no number")


def _bytes(node: Any) -> bytes:
    if isinstance(node, bytes | bytearray):
        return bytes(node)
    # Protocol 2 writes bytes as a text.
    if isinstance(node, Call) and node.name == "_codecs.encode" and isinstance(node.arguments[0], str):
        try:
            return node.arguments[0].encode("latin-1")
        except UnicodeEncodeError:
            pass
    raise UserError("an array inside has no bytes")


def _short(node: Any) -> str:
    name = node.name if isinstance(node, Call) else ""
    return next((name.removeprefix(module) for module in _MODULES if name.startswith(module)), "")


def is_array(node: Any) -> bool:
    """Whether a node describes an array or a number of NumPy."""
    return _short(node) in ("_reconstruct", "_frombuffer", "scalar")


def array(node: Any) -> np.ndarray:
    """The array that a node describes, float64 of its shape. Raises UserError if it describes none, or damaged."""
    try:
        match _short(node):
            case "_reconstruct":
                _, shape, kind, fortran, data = node.state
            case "_frombuffer":
                data, kind, shape, order = node.arguments
                fortran = order == "F"
            case "scalar":
                (kind, data), shape, fortran = node.arguments, (), False
            case _:
                if isinstance(node, int | float):
                    return np.array(float(node))
                raise UserError("an array is missing where one should be")
        if not isinstance(shape, tuple) or not all(isinstance(n, int) and n >= 0 for n in shape):
            raise UserError("an array inside has a damaged shape")
        flat, kind, count = _bytes(data), _kind(kind), math.prod(shape)
        if count > MOST_ELEMENTS or len(flat) != count * kind.itemsize:
            raise UserError("an array inside has another size than its shape says")
        values = np.frombuffer(flat, dtype=kind).reshape(shape, order="F" if fortran else "C")
        return values.astype(np.float64)
    except (ValueError, TypeError, OverflowError) as error:
        raise error if isinstance(error, UserError) else UserError("an array inside is damaged") from error


def is_global(node: Any, *names: str) -> bool:
    """Whether a node is one of these names."""
    return isinstance(node, Global) and node.name in names
