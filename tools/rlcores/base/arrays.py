"""Arrays of other libraries as NumPy arrays; none of them is imported here."""

import sys
from typing import Any

import numpy as np

from rlcores.errors import UserError


def plain(name: str, values: Any) -> np.ndarray:
    """A NumPy array of numbers, sequences, arrays, or tensors: on any device, with gradients, of any floating type.

    name: what it is called in messages. Raises UserError when it is no array, or has masked entries.

    >>> plain("rewards", [1, 2.5]).tolist()
    [1.0, 2.5]
    """
    try:
        array = np.asarray(_untied(values))
    except (TypeError, ValueError, RuntimeError, OverflowError, BufferError):
        raise UserError(f"{name} is not an array of numbers") from None
    if "numpy.ma" in sys.modules and np.ma.is_masked(values):  # np.ma would import it
        raise UserError(f"{name} has masked entries; every entry must be a number")
    return array


def compact(values: Any, dtype: Any = None) -> np.ndarray:
    """The same numbers in one piece, in this machine's byte order, and where their type may lie: for the engine.

    >>> compact(np.arange(6)[::2], np.int64).flags.carray
    True
    """
    array = np.ascontiguousarray(values, dtype)
    return array if array.flags.aligned and array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def need_finite(name: str, array: np.ndarray) -> None:
    """Raise UserError where an array of transitions, or a field of it, has a number that is not finite.

    >>> need_finite("rewards", np.ones(3))
    """
    for field in array.dtype.names or ():
        need_finite(f"{name}['{field}']", array[field])
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        wrong = array[~np.isfinite(array)].reshape(-1)[0]
        raise UserError(f"{name} has the value {wrong}; every number of a transition must be finite")


def flags(name: str, values: Any) -> np.ndarray:
    """Booleans, also as the numbers 0 and 1. Raises UserError: all else, such as a text, would count as true.

    >>> flags("dones", [0.0, 1.0]).tolist()
    [False, True]
    """
    array = plain(name, values)
    if array.dtype.kind not in "biuf":
        raise UserError(f"{name} is an array of {array.dtype}; every entry must be true or false")
    if array.dtype.kind != "b" and (wrong := array[(array != 0) & (array != 1)]).size:
        raise UserError(f"{name} holds {wrong[0]}; every entry must be true or false")
    return array != 0


def is_array(value: Any) -> bool:
    """Whether it is a NumPy array of which every element counts: no masked one."""
    return type(value) is np.ndarray or (isinstance(value, np.ndarray) and not isinstance(value, np.ma.MaskedArray))


def is_compact(array: Any) -> bool:
    """Whether it is a NumPy array, and no kind of one, that compact() would leave as it is."""
    return type(array) is np.ndarray and array.flags.c_contiguous and array.flags.aligned and array.dtype.isnative


def _untied(value: Any) -> Any:
    """Tensors as NumPy arrays, also in lists and tuples."""
    if isinstance(value, list | tuple):
        return (
            [_untied(x) for x in value] if any(_is_tensor(x) or isinstance(x, list | tuple) for x in value) else value
        )
    if not _is_tensor(value):
        return value
    tensor = value.detach().cpu()
    try:
        return tensor.numpy()
    except TypeError:  # bfloat16 and narrower, which NumPy has not
        return tensor.float().numpy()


def _is_tensor(value: Any) -> bool:
    return hasattr(value, "detach") and hasattr(value, "cpu")
