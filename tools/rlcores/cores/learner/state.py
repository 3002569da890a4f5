"""Networks and weights as PyTorch has them: an nn.Sequential of Linear, ReLU (and Tanh), and its state_dict.

Nothing here needs PyTorch: modules are known by their class names, tensors by their `detach`.
"""

import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from rlcores.base import limits
from rlcores.base.arrays import plain
from rlcores.cores.learner.format import WEIGHT_FRAC, WEIGHT_WIDTH
from rlcores.cores.learner.layout import Matrices
from rlcores.errors import UserError


def sizes_of(network: Any, what: str, last: str | None = None) -> tuple[int, ...]:
    """N_0 … N_M of a sequence of sizes, or of an nn.Sequential of Linear with ReLU between them and `last` at its end.

    what: the network's name in messages. Raises UserError when it is neither.
    """
    items = _items(network, what)
    if not hasattr(items[0], "in_features"):
        return _sizes(items, what)
    kinds = [type(module).__name__ for module in items]
    wanted = ["Linear", "ReLU"] * kinds.count("Linear")
    wanted[-1:] = [last] if last else []
    if kinds != wanted:
        end = f", and a {last} at the end" if last else ""
        raise UserError(f"the {what} is {', '.join(kinds)}; it must be Linear with ReLU between them{end}")
    linear = items[::2]
    for module in linear:
        if getattr(module, "bias", None) is None:
            raise UserError(f"a Linear of the {what} has no bias; every layer of the core has one")
    sizes = [linear[0].in_features, *(module.out_features for module in linear)]
    for before, after in pairwise(linear):
        if after.in_features != before.out_features:
            raise UserError(
                f"the {what} has a Linear of {before.out_features} outputs before one of {after.in_features} inputs"
            )
    return _sizes(sizes, what)


def _items(network: Any, what: str) -> list[Any]:
    try:
        items = list(network)
    except TypeError:
        items = []
    if not items:
        raise UserError(f"the {what} is {network!r}; give its sizes, such as (4, 64, 64, 2), or an nn.Sequential")
    return items


def _sizes(items: Sequence[Any], what: str) -> tuple[int, ...]:
    for item in items:
        if isinstance(item, bool) or not isinstance(item, int | np.integer) or not 1 <= item <= limits.NEURONS:
            raise UserError(
                f"a layer of the {what} has size {item!r}; it must be a whole number, 1 to {limits.NEURONS}"
            )
    if not 2 <= len(items) <= 5:
        raise UserError(f"the {what} has {len(items)} layers of neurons; it must have 2 to 5, the input included")
    return tuple(int(item) for item in items)


def parameters_of(network: Any) -> Mapping[str, Any] | None:
    """The state_dict of a module; None of a sequence of sizes."""
    return network.state_dict() if hasattr(network, "state_dict") else None


def from_state(
    state: Mapping[str, Any], sizes: Sequence[int], what: str, *, width: int = WEIGHT_WIDTH, frac: int = WEIGHT_FRAC
) -> Matrices:
    """Codes sfix(width, frac), int64 (W, b) layer by layer, from a state_dict with the names of an nn.Sequential.

    Layer l = 1, 2, … is '0.weight', '0.bias', '2.weight', … Values are rounded half up. Raises UserError: an entry is
    missing or foreign, has the wrong shape, is not finite, or does not fit the format.
    """
    shapes = {}
    for layer, (m, n) in enumerate(pairwise(sizes)):
        shapes |= {f"{2 * layer}.weight": (n, m), f"{2 * layer}.bias": (n,)}
    missing, foreign = sorted(set(shapes) - set(state)), sorted(set(state) - set(shapes))
    if missing:
        raise UserError(f"the weights of the {what} have no '{missing[0]}'; its sizes are {_text(sizes)}")
    if foreign:
        raise UserError(f"the weights of the {what} have a '{foreign[0]}', but its sizes are {_text(sizes)}")
    codes = [_codes(state[name], name, shape, what, width, frac) for name, shape in shapes.items()]
    return list(zip(codes[::2], codes[1::2], strict=True))


def _codes(value: Any, name: str, shape: tuple[int, ...], what: str, width: int, frac: int) -> np.ndarray:
    array = plain(f"'{name}' of the {what}", value)
    if array.dtype.kind not in "biuf":
        raise UserError(f"'{name}' of the {what} is not an array of numbers")
    array = array.astype(np.float64)
    if array.shape != shape:
        raise UserError(f"'{name}' of the {what} has shape {array.shape}; this network's is {shape}")
    if not np.isfinite(array).all():
        raise UserError(f"'{name}' of the {what} holds {array[~np.isfinite(array)][0]}; weights are finite numbers")
    top = 2.0 ** (width - 1)
    codes = np.floor(np.clip(array, -top, top) * 2.0**frac + 0.5)
    wrong = (codes < -top) | (codes >= top)
    if wrong.any():
        low, high = -top / 2**frac, (top - 1) / 2**frac
        raise UserError(
            f"'{name}' of the {what} holds {array[wrong][0]:g}; sfix({width},{frac}) goes from {low:g} to {high:.7f}"
        )
    return codes.astype(np.int64)


def to_state(matrices: Matrices, frac: int = WEIGHT_FRAC) -> dict[str, Any]:
    """The reverse of from_state, without loss: float64 tensors where the program has imported torch, else arrays."""
    state: dict[str, Any] = {}
    for layer, (w, b) in enumerate(matrices):
        state[f"{2 * layer}.weight"] = np.asarray(w) / 2.0**frac
        state[f"{2 * layer}.bias"] = np.asarray(b) / 2.0**frac
    torch = sys.modules.get("torch")
    return {name: torch.from_numpy(x) for name, x in state.items()} if torch else state


def _text(sizes: Sequence[int]) -> str:
    return "-".join(map(str, sizes))
