"""Nested arrays of a step as flat ones: `observation` of a Dict space is stored as `observation.image` and the like."""

import operator
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from rlcores.errors import UserError

Spec = tuple[tuple[int, ...], np.dtype]

# What a step has of an array: the array, or its parts by name or in a tuple.
Nested: TypeAlias = "ArrayLike | Mapping[str, Nested] | tuple[Nested, ...]"


def leaves(arrays: Mapping[str, Any]) -> dict[str, Spec]:
    """Shape and type of every array: of (shape, dtype), a space of Gymnasium, or nested mappings of these.

    A Dict space, or a mapping, adds `.key` to the name, a Tuple space `.0`, `.1` and so on. MultiDiscrete and
    MultiBinary are arrays of their shape. Raises UserError for what has no numbers, and for names with a point that
    two arrays would share.

    >>> specs = leaves({"observation": {"image": ((2, 2), "u1"), "speed": ((), "f4")}, "action": ((3,), "i8")})
    >>> [(name, shape) for name, (shape, _) in specs.items()]
    [('observation.image', (2, 2)), ('observation.speed', ()), ('action', (3,))]
    """
    if not isinstance(arrays, Mapping):
        raise UserError(f"arrays is {arrays!r}; it must be a dictionary of names and (shape, dtype)")
    specs: dict[str, Spec] = {}
    for name, declared in arrays.items():
        if (inner := _inner(declared)) is None:
            specs |= _new(specs, {name: _spec(name, declared)})
        else:
            specs |= _new(specs, leaves({f"{name}.{key}": each for key, each in inner.items()}))
    return specs


def expand(names: Iterable[str], known: Mapping[str, Any]) -> tuple[str, ...]:
    """Each name, or the arrays that it stands for; a name of none stays.

    >>> expand(["observation", "goal"], {"observation.image": 0, "observation.speed": 0, "goal": 0})
    ('observation.image', 'observation.speed', 'goal')
    """
    if isinstance(names, str):
        raise UserError(f"'{names}' stands where names are listed; give ('{names}',)")
    expanded: list[str] = []
    for name in names:
        expanded += (name in known and [name]) or names_below(name, known) or [name]
    return tuple(expanded)


def names_below(name: str, known: Iterable[str]) -> list[str]:
    """The arrays that a nested one of this name consists of."""
    return [each for each in known if each.startswith(f"{name}.")]


def flat(step: Mapping[str, Any]) -> dict[str, Any]:
    """The arrays of a step without nesting: dictionaries by their keys, tuples by their places."""
    arrays: dict[str, Any] = {}
    for name, value in step.items():
        inner: Mapping[Any, Any] | None = _parts(value, (tuple,))
        arrays |= {name: value} if inner is None else flat({f"{name}.{key}": each for key, each in inner.items()})
    return arrays


def nested(name: str, arrays: Mapping[str, Any]) -> dict[str, Any]:
    """The arrays below a name as a dictionary, nested as they were given; empty where there are none.

    >>> nested("a", {"a.b": 1, "a.c.d": 2, "e": 3})
    {'b': 1, 'c': {'d': 2}}
    """
    tree: dict[str, Any] = {}
    for each in names_below(name, arrays):
        *path, last = each[len(name) + 1 :].split(".")
        at = tree
        for part in path:
            at = at.setdefault(part, {})
        at[last] = arrays[each]
    return tree


def _inner(space: Any) -> Mapping[Any, Any] | None:
    """What is inside of a Dict or Tuple space, or of a mapping."""
    spaces = getattr(space, "spaces", space)
    return _parts(spaces, () if spaces is space else (tuple, list))


def _parts(value: Any, sequences: tuple[type, ...]) -> Mapping[Any, Any] | None:
    """A mapping itself, or one of the places of such a sequence."""
    if issubclass(type(value), Mapping):
        mapping: Mapping[Any, Any] = value
        return mapping
    items: Iterable[Any] = value if issubclass(type(value), sequences) else ()
    return dict(enumerate(items)) if issubclass(type(value), sequences) else None


def _new(known: Mapping[str, Any], more: dict[str, Spec]) -> dict[str, Spec]:
    if both := known.keys() & more.keys():
        raise UserError(f"two arrays are called '{min(both)}'")
    return more


def _spec(name: str, space: Any) -> Spec:
    """Shape and type of an array, from a pair of them or from anything that has both."""
    try:
        shape, dtype = (space.shape, space.dtype) if hasattr(space, "dtype") else space
        shape, dtype = tuple(map(operator.index, shape)), np.dtype(dtype)
    except (TypeError, ValueError):
        raise UserError(f"the array '{name}' is {space!r}; it must be (shape, dtype), or have both") from None
    if dtype.kind not in "biuf" or min(shape, default=0) < 0:
        raise UserError(f"the array '{name}' is {dtype} {shape}; it must have numbers, and a shape of whole numbers")
    return shape, dtype.newbyteorder("=")
