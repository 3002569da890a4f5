"""States as dictionaries of arrays, checked whole before anything of them is taken over."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np

from rlcores.errors import UserError


def checked(
    state: Mapping[str, Any],
    what: str,
    identity: Mapping[str, np.ndarray],
    shapes: Mapping[str, tuple[int, ...]],
    limits: Mapping[str, tuple[int, int]],
    real: Collection[str] = (),
) -> dict[str, np.ndarray]:
    """The arrays of a state, which is one of `what`.

    identity: what must be the same. shapes: of the other entries. limits: least and greatest number of an entry.
    real: entries of any numbers; the others have whole ones. Raises UserError for the first entry that is missing,
    foreign or damaged.
    """
    require_entries(state, (*identity, *shapes), what)
    arrays = {name: _array(name, value) for name, value in state.items()}
    for name, expected in identity.items():
        if not np.array_equal(arrays[name], expected):
            raise UserError(
                f"the state is that of {what} with {name} {_text(arrays[name])}; this one has {_text(expected)}"
            )
    for name, shape in shapes.items():
        if arrays[name].shape != shape:
            raise UserError(f"the state is damaged: '{name}' has shape {arrays[name].shape}; it must have {shape}")
        arrays[name] = _numbers(name, arrays[name], name in real)
    for name, (low, high) in limits.items():
        if arrays[name].size and not low <= arrays[name].min() <= arrays[name].max() <= high:
            raise UserError(f"the state is damaged: '{name}' holds numbers that are not {low} to {high}")
    return arrays


def require_entries(state: Any, entries: Iterable[str], what: str) -> None:
    """Raise UserError where a state is no dictionary, or has not all entries of one of `what`."""
    if not isinstance(state, Mapping):
        raise UserError(f"the state is of type {type(state).__name__}; it must be what state_dict() of {what} gives")
    for name in entries:
        if name not in state:
            raise UserError(f"the state has no entry '{name}'; it is not one of {what}")


def add_prefix(name: str, state: Mapping[str, Any]) -> dict[str, Any]:
    """A state as a part of a larger one: its entries x as `name`.x.

    >>> add_prefix("tree", {"size": 3}), strip_prefix({"tree.size": 3, "beta": 1}, "tree")
    ({'tree.size': 3}, {'size': 3})
    """
    return {f"{name}.{entry}": value for entry, value in state.items()}


def strip_prefix(state: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The part of a state that add_prefix() has put there."""
    start = f"{name}."
    return {entry.removeprefix(start): value for entry, value in state.items() if entry.startswith(start)}


def flat(state: Mapping[str, Any], joint: str = "/", above: str = "") -> dict[str, np.ndarray]:
    """A state with states in it as arrays of one level, an inner entry by its names with `joint` between them.

    >>> flat({"size": 3, "tree": {"next": 1}}), nested(flat({"size": 3, "tree": {"next": 1}}))
    ({'size': array(3), 'tree/next': array(1)}, {'size': 3, 'tree': {'next': 1}})
    """
    arrays: dict[str, np.ndarray] = {}
    for name, value in state.items():
        inner = isinstance(value, Mapping)
        arrays |= flat(value, joint, above + name + joint) if inner else {above + name: np.asarray(value)}
    return arrays


def nested(state: Mapping[str, np.ndarray], joint: str = "/") -> dict[str, Any]:
    """The state that flat() was given; arrays of no dimension are numbers again."""
    tree: dict[str, Any] = {}
    for name, value in state.items():
        *outer, last = name.split(joint)
        inner = tree
        for part in outer:
            inner = inner.setdefault(part, {})
        inner[last] = np.asarray(value).item() if np.ndim(value) == 0 else value
    return tree


def _array(name: str, value: Any) -> np.ndarray:
    try:
        return np.asarray(value)
    except (ValueError, TypeError):
        raise UserError(f"the state is damaged: '{name}' is not an array") from None


def _numbers(name: str, array: np.ndarray, real: bool) -> np.ndarray:
    """The array, whole numbers in a type of such."""
    if array.dtype.kind in "biu" or (real and array.dtype.kind == "f"):
        return array
    if array.dtype.kind == "f" and (np.abs(array) <= 2**53).all() and (array == np.floor(array)).all():
        return array.astype(np.int64)
    kind = "numbers" if real else "whole numbers"
    raise UserError(f"the state is damaged: '{name}' is of type {array.dtype}; it must hold {kind}")


def _text(value: np.ndarray) -> str:
    return str(value.tolist()) if value.ndim == 0 else "-".join(map(str, value.reshape(-1).tolist())) or "none"
