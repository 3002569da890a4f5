"""States as dictionaries of arrays, checked whole before anything of them is taken over."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rlcores.errors import UserError


def checked(
    state: Mapping[str, Any],
    what: str,
    identity: Mapping[str, np.ndarray],
    shapes: Mapping[str, tuple[int, ...]],
    limits: Mapping[str, tuple[int, int]],
) -> dict[str, np.ndarray]:
    """The arrays of a state, which is one of `what`.

    identity: what must be the same. shapes: of the other entries. limits: least and greatest number of an entry.
    Raises UserError for the first entry that is missing, foreign or damaged.
    """
    for name in (*identity, *shapes):
        if name not in state:
            raise UserError(f"the state has no entry '{name}'; it is not one of {what}")
    found = {name: np.asarray(value) for name, value in state.items()}
    for name, own in identity.items():
        if not np.array_equal(found[name], own):
            raise UserError(f"the state is that of {what} with {name} {_text(found[name])}; this one has {_text(own)}")
    for name, shape in shapes.items():
        if found[name].shape != shape:
            raise UserError(f"the state is damaged: '{name}' has shape {found[name].shape}; it must have {shape}")
    for name, (low, high) in limits.items():
        if found[name].size and not low <= found[name].min() <= found[name].max() <= high:
            raise UserError(f"the state is damaged: '{name}' holds numbers that are not {low} to {high}")
    return found


def _text(value: np.ndarray) -> str:
    return str(value.tolist()) if value.ndim == 0 else "-".join(map(str, value.reshape(-1).tolist())) or "none"
