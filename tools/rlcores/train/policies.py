"""What actors act with: a policy in the learner core's integers, or float32 layers whose sums have one order."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rlcores.base import limits
from rlcores.cores.learner.float64 import FloatNetwork
from rlcores.cores.learner.layout import Matrices, split
from rlcores.cores.learner.policy import Policy
from rlcores.native import floats


class OrderedNetwork(FloatNetwork):
    """A network in float32 or float64 with the same bits on every machine."""

    product = staticmethod(floats.product)


@dataclass(frozen=True, eq=False)
class FloatPolicy:
    """As rlcores.cores.learner.policy.Policy, in float32: an OrderedNetwork's forward pass."""

    sizes: tuple[int, ...]
    weights: np.ndarray  # layer by layer, W row by row and then b
    squashes: bool = False

    def __reduce__(self) -> tuple:
        return FloatPolicy, (self.sizes, self.weights, self.squashes)

    def __call__(self, states: np.ndarray) -> np.ndarray:
        """The output, or with `squashes` tanh of it: (B, N_M) of states (B, N_0)."""
        x, last = states, len(self._turned) - 1
        for layer, (w, b) in enumerate(self._turned):
            x = floats.product(x, w)
            x += b
            if layer < last:
                np.maximum(x, 0, out=x)
        return tanh(x) if self.squashes else x

    def layers(self) -> Matrices:
        """(W, b) layer by layer."""
        return split(self.weights, self.sizes)

    @cached_property
    def _turned(self) -> Matrices:
        return [(np.ascontiguousarray(w.T), b) for w, b in self.layers()]


def tanh(x: np.ndarray) -> np.ndarray:
    """tanh with the same bits on every machine."""
    return 1 - 2 / (floats.exp(2 * x) + 1)


def greedy(kind: str, policy: Policy | FloatPolicy, states: np.ndarray) -> np.ndarray:
    """What a policy does without exploring: (B,), or (B, N_a) in -1 … 1. kind: as of actor.RoundRequest."""
    out = policy(states)
    if kind == "squashed":
        return tanh(np.asarray(out[:, : out.shape[1] // 2], np.float64)).astype(np.float32)
    return out.argmax(1) if kind in ("epsilon", "categorical") else np.clip(out, -1, 1)


def description(kind: str, policy: Policy | FloatPolicy) -> dict[str, Any]:
    """How greedy() turns the layers of a policy into actions, for who has the layers alone. kind: as of greedy().

    action: `argmax` of the outputs, `tanh` or `clip` to -1 … 1; of `tanh_of_half` the first half of the outputs counts.
    activation: of the hidden layers. normalisation: `layer` or `none`, in front of it.
    """
    if kind in ("epsilon", "categorical"):
        action = "argmax"
    elif kind == "squashed":
        action = "tanh_of_half"
    else:
        action = "tanh" if policy.squashes else "clip"
    return {
        "action": action,
        "activation": getattr(policy, "activation", limits.ACTIVATIONS[0]),
        "normalisation": limits.NORMALISATIONS[bool(getattr(policy, "normalised", ()))],
    }
