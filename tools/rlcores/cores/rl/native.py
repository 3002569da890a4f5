"""A network of SAC, TD3 or DQN in the native engine, the model's integers: its vectors stay there between stages.

What the engine has not here, layer normalisation and other activations than ReLU, goes by rlcores.cores.learner.native,
stage by stage. So does a stage in which a number or a sum might not fit.
"""

from collections.abc import Iterator, Sequence
from typing import Any, SupportsIndex, overload

import numpy as np

from rlcores.base.arrays import compact
from rlcores.cores.learner.activations import Deltas, Vectors
from rlcores.cores.learner.format import ACC_WIDTH, WEIGHT_WIDTH, LearnerFormats
from rlcores.cores.learner.layout import TARGET, WEIGHTS
from rlcores.cores.learner.native import NativeNetwork
from rlcores.cores.learner.network import NetworkModel
from rlcores.cores.learner.optimisers import ALL
from rlcores.cores.learner.optimisers.slot import NEAREST, Betas
from rlcores.native import engine


class _Held(list[np.ndarray]):
    """A list whose inner arrays are in the engine, and come when they are asked for."""

    def _fetched(self, place: int) -> np.ndarray:
        raise NotImplementedError

    @overload
    def __getitem__(self, at: SupportsIndex) -> np.ndarray: ...
    @overload
    def __getitem__(self, at: slice) -> list[np.ndarray]: ...
    def __getitem__(self, at: SupportsIndex | slice) -> np.ndarray | list[np.ndarray]:
        if isinstance(at, slice):
            return [self[place] for place in range(*at.indices(len(self)))]
        own, place = super().__getitem__(at), int(at) % len(self)
        return own if own.size else self._fetched(place)

    def __iter__(self) -> Iterator[np.ndarray]:
        return (self[place] for place in range(len(self)))

    def __reversed__(self) -> Iterator[np.ndarray]:
        return (self[place] for place in reversed(range(len(self))))


_THERE = np.zeros(0, np.int64)  # stands for one that is in the engine


class HeldVectors(_Held, Vectors):
    """Vectors 0 … of a pass; the first and the last are here."""

    def __init__(
        self, inputs: np.ndarray, last: np.ndarray, held: "engine.TrainedPass", sizes: Sequence[int], most: np.ndarray
    ) -> None:
        super().__init__([inputs, *[_THERE] * (len(sizes) - 2), last])
        self.held, self._sizes, self._most = held, sizes, most.tolist()

    def most(self, layer: int) -> int:
        return self._most[layer]

    def _fetched(self, place: int) -> np.ndarray:
        found = np.empty((len(self[0]), self._sizes[place]), np.int64)
        self.held.vector(place, found)
        return found


class HeldDeltas(_Held, Deltas):
    """Deltas of layers M, M-1, …, 1; the first is here. They are there until their pass goes back again."""

    def __init__(self, delta: np.ndarray, of: HeldVectors, sizes: Sequence[int], most: np.ndarray) -> None:
        super().__init__([delta, *[_THERE] * (len(sizes) - 2)])
        self.of, self._sizes, self._most = of, sizes, most.tolist()

    def most(self, place: int) -> int:
        return self._most[len(self) - place]

    def _fetched(self, place: int) -> np.ndarray:
        layer = len(self) - place
        found = np.empty((len(self[0]), self._sizes[layer]), np.int64)
        self.of.held.delta(layer, found)
        return found


class TrainedNetwork(NativeNetwork):
    """A network whose stages keep their vectors in the engine."""

    def __init__(self, sizes: Sequence[int], formats: LearnerFormats, **options: Any) -> None:
        """As NetworkModel. Raises ValueError."""
        self._own: engine.TrainedNetwork | None = None
        super().__init__(sizes, formats, **options)

    def _make(self) -> None:
        f, b, optimiser = self.formats, Betas(), ALL[self.optimiser]
        self.fits = max(f.act_frac[:-1]) <= ACC_WIDTH - WEIGHT_WIDTH
        self._known = ()
        self._stages: engine.LearnerNetwork | None = None  # the other one, made when it is needed
        self._behind = False  # it has not seen the newest weights
        self._largest: tuple[np.ndarray, list[int]] = _THERE, []
        if self._own is None and self._rectified and self.rounding == NEAREST:
            self._own = engine.TrainedNetwork(
                self.planes, list(self.sizes), self.output_width, optimiser.name, optimiser.squares, self.polyak,
                (b.num1, b.shift1, b.num2, b.shift2),
            )  # fmt: skip
        if self._own is not None:
            self._own.formats(list(f.act_frac), list(f.delta_frac), list(f.grad_frac))

    def __getstate__(self) -> dict:
        return {name: value for name, value in super().__getstate__().items() if name not in ("_own", "_stages")}

    def __setstate__(self, state: dict) -> None:
        self._own = None
        super().__setstate__(state)

    @property
    def _engine(self) -> "engine.LearnerNetwork":
        if self._stages is None:
            self._stages = self._made()
        elif self._behind:
            self._stages.refresh(False)
            self._stages.refresh(True)
        self._behind = False
        return self._stages

    @property
    def _moves(self) -> "engine.LearnerNetwork | engine.TrainedNetwork":
        return self._engine if self._own is None else self._own

    def set_flat(self, flat: np.ndarray, plane: int = WEIGHTS) -> None:
        NetworkModel.set_flat(self, flat, plane)
        self._behind = True
        if self._own is not None and plane <= TARGET:
            self._own.refresh(plane == TARGET)

    def forward(self, x, *, target=False, layers=None, counters=None, base=0, overflow_at=0) -> Vectors:
        inputs, depth = compact(x, np.int64), layers or self.layers
        if self._own is not None and self.fits and len(inputs):
            found, most = np.empty((len(inputs), self.sizes[depth]), np.int64), np.zeros(5, np.int64)
            if held := self._own.forward(inputs, target, depth, found, _counters(counters), base, most):
                return HeldVectors(inputs, found, held, self.sizes[: depth + 1], most)
        return super().forward(x, target=target, layers=layers, counters=counters, base=base, overflow_at=overflow_at)

    def backward(self, vectors, delta, fractions, *, first=1, counters=None, base=0, overflow_at=0) -> Deltas:
        if self._own is not None and isinstance(vectors, HeldVectors) and first == 1:
            last, most = compact(delta, np.int64), np.zeros(5, np.int64)
            if self._own.backward(vectors.held, last, list(fractions), _counters(counters), base, most):
                return HeldDeltas(last, vectors, self.sizes, most)
        return super().backward(
            vectors, delta, fractions, first=first, counters=counters, base=base, overflow_at=overflow_at
        )

    def to_input(self, deltas, fractions, columns=slice(None)) -> np.ndarray:
        if self._own is not None and isinstance(deltas, HeldDeltas):
            found = np.empty((len(deltas[0]), self.sizes[0]), np.int64)
            if self._own.to_input(deltas.of.held, list(fractions), found):
                return found[:, columns]
        return super().to_input(deltas, fractions, columns)

    def gradient(self, vectors, deltas, counters=None, base=0) -> np.ndarray:
        if self._own is not None and isinstance(deltas, HeldDeltas) and deltas.of is vectors:
            found, most = np.empty(self.size, np.int64), np.zeros(5, np.int64)
            if self._own.gradient(vectors.held, found, _counters(counters), base, most):
                self._largest = found, most[1 : self.layers + 1].tolist()
                return found
        return super().gradient(vectors, deltas, counters, base)

    def largest(self, gradient: np.ndarray) -> list[int]:
        known, largest = self._largest
        return largest if known is gradient else super().largest(gradient)

    def update(self, g: np.ndarray, sync: bool, counters: np.ndarray | None = None, weight_base: int = 0) -> None:
        if self._own is None:
            super().update(g, sync, counters, weight_base)
            return
        self._own.update(g, sync, _counters(counters), weight_base)
        self._behind = True


def _counters(given: np.ndarray | None) -> np.ndarray:
    """The caller's, or some that nobody looks at."""
    return np.zeros(64, np.int64) if given is None else given
