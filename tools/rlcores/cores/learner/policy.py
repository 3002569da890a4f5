"""A learner's policy, to act with elsewhere: its weights in integers, and the core's forward pass."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rlcores.cores.common.fixed import quantise
from rlcores.cores.common.tanh import tanh_fixed
from rlcores.cores.learner.activations import RELU
from rlcores.cores.learner.format import (
    ACC_WIDTH,
    ACT_WIDTH,
    TANH_FRAC,
    VALUE_WIDTH,
    WEIGHT_FRAC,
    WEIGHT_WIDTH,
    LearnerFormats,
)
from rlcores.cores.learner.layout import Matrices, numbers, split
from rlcores.cores.learner.network import NetworkModel, clip_and_count
from rlcores.errors import UserError
from rlcores.native import engine


@dataclass(frozen=True, eq=False)
class Policy:
    """A Q network, or with `squashes` a DDPG actor, that only goes forward; Learner.policy() gives it.

    It holds whole numbers only and is small, so it can be pickled, sent to another machine and used there: its answers
    have the core's bits, on any processor, and do not depend on the other rows of a call.

    sizes    of the network
    formats  fractions of every tensor
    weights  int64, layer by layer W row by row and then b, with 22 fraction bits
    backend  "native", or "model": the same in NumPy
    activation  of the hidden layers
    normalised  where these have layer normalisation, the fractions of their centred sums; it acts in NumPy then

    >>> from rlcores import Learner
    >>> learner = Learner((4, 8, 2), seed=1)
    >>> states = np.ones((3, 4))
    >>> bool((learner.policy()(states) == learner.values(states)).all())
    True
    """

    sizes: tuple[int, ...]
    formats: LearnerFormats
    weights: np.ndarray
    squashes: bool = False
    backend: str = "native"
    activation: str = RELU.name
    normalised: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Raises ValueError: the weights are not those of such a network."""
        limit = 1 << (WEIGHT_WIDTH - 1)
        w = self.weights
        if w.shape != (numbers(self.sizes),) or w.dtype != np.int64 or w.min() < -limit or w.max() >= limit:
            raise ValueError(f"these are no weights of a network {self.sizes}")

    def __repr__(self) -> str:
        kind = ", squashes" if self.squashes else ""
        return f"Policy({'-'.join(map(str, self.sizes))}{kind}, {self.backend})"

    def __reduce__(self) -> tuple:
        return Policy, (
            self.sizes,
            self.formats,
            self.weights,
            self.squashes,
            self.backend,
            self.activation,
            self.normalised,
        )

    def __call__(self, states: np.ndarray) -> np.ndarray:
        """Q of every action, or the action in -1 … 1: float64 (B, N_M) of states (B, N_0).

        Raises UserError when states have another shape, and ValueError when one is not a finite number.
        """
        states = np.asarray(states)
        if states.ndim != 2 or states.shape[1] != self.sizes[0]:
            raise UserError(f"states have shape {states.shape}; this policy takes (B, {self.sizes[0]})")
        states = np.ascontiguousarray(states)
        if states.dtype not in (np.float32, np.float64):
            states = states.astype(np.float64)
        outputs = np.empty((len(states), self.sizes[-1]))
        if self._engine is None or not self._engine.act(states, outputs):
            outputs = self._forward(states)
        return outputs

    def layers(self) -> Matrices:
        """(W, b) layer by layer, float64 and exact."""
        return split(self.weights * 2.0**-WEIGHT_FRAC, self.sizes)

    @property
    def _width(self) -> int:
        return ACT_WIDTH if self.squashes else VALUE_WIDTH

    @cached_property
    def _engine(self) -> "engine.LearnerPolicy | None":
        # With more fraction bits a bias alone may leave an accumulator.
        if self.backend == "model" or self.normalised or max(self.formats.act_frac[:-1]) > ACC_WIDTH - WEIGHT_WIDTH:
            return None
        sizes, fractions = list(self.sizes), list(self.formats.act_frac)
        made = engine.LearnerPolicy(sizes, fractions, self._width, self.squashes, self.weights)
        if self.activation != RELU.name:
            made.activate(self.activation)
        return made

    @cached_property
    def _network(self) -> NetworkModel:
        network = NetworkModel(
            self.sizes,
            self.formats,
            output_width=self._width,
            activation=self.activation,
            normalised=bool(self.normalised),
        )
        network.norm_frac = list(self.normalised)
        network.set_flat(self.weights)
        return network

    def _forward(self, states: np.ndarray) -> np.ndarray:
        codes = quantise(states, self.formats.act_frac[0], "state")
        out = self._network.outputs(clip_and_count(codes, ACT_WIDTH))
        if self.squashes:
            return tanh_fixed(out) * 2.0**-TANH_FRAC
        return out * 2.0 ** -self.formats.act_frac[-1]
