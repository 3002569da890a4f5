"""A network of an algorithm: its descriptor, and what is trained by it, the learner's integers at moving fractions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from rlcores.base import limits
from rlcores.base.arguments import check_float, check_int, choice
from rlcores.cores.common.vanished import whole
from rlcores.cores.learner import normalisation
from rlcores.cores.learner.activations import RELU, Deltas, Vectors, named
from rlcores.cores.learner.float64 import FloatNetwork
from rlcores.cores.learner.format import (
    ACT_WIDTH,
    ACTOR_FRAC,
    FACTOR_FRAC,
    VALUE_WIDTH,
    WEIGHT_FRAC,
    LearnerFormats,
)
from rlcores.cores.learner.layout import TARGET, WEIGHTS
from rlcores.cores.learner.network import NetworkModel as Integers
from rlcores.cores.learner.optimisers.adam import log_register
from rlcores.cores.learner.registers import CLIP, STILL, AdamRate, still
from rlcores.cores.learner.update import sync, target_of
from rlcores.cores.rl import exponents
from rlcores.cores.rl.exponents import Exponent, deltas, fitting, gradients
from rlcores.errors import UserError, warn

# Places of a network's counters of saturations, plus the layer 1 … M; those of the learner's value network.
IN, FW, TFW, BW, GRAD, WEIGHT, STATE, PASS_FW, PASS_BW, NORM = 0, 0, 4, 10, 14, 18, 24, 40, 44, 50
COUNTERS = 64
STAGES = {"forward": FW, "target": TFW, "backward": BW, "gradient": GRAD, "weight": WEIGHT, "pass": PASS_FW,
          "pass_backward": PASS_BW, "norm": NORM}  # fmt: skip
PASS_FRAC = 16  # of the derivative that a pass begins with, which is -1


BACKENDS = ("native", "model")


def integers_of(backend: str, what: str) -> type[Integers]:
    """The networks of a backend, the engine's or the model's, for `what`. Raises UserError: there is none."""
    if backend not in BACKENDS:
        raise UserError(f"there is no backend '{backend}' for {what}; backends: {', '.join(BACKENDS)}")
    if backend == "model":
        return Integers
    from rlcores.cores.rl.native import TrainedNetwork

    return TrainedNetwork


_RANGES = {"learning_rate": (0, 1), "actor_learning_rate": (0, 1), "tau": (0, 1), "adam_epsilon": (0, 1),
           "target_entropy": (-1000, 1000)}  # fmt: skip


def check_settings(settings: Any, seed: int, **sizes: tuple[int, int]) -> None:
    """Checks settings and sizes of a learner, and warns of learning rates by which no weight moves.

    sizes: of each the number and the least one. Raises UserError: out of range, or no number.
    """
    for name, (size, least) in sizes.items():
        check_int(name, size, least, limits.NEURONS)
    check_int("seed", seed, 0, 2**64 - 1)
    for name, (low, high) in _RANGES.items():
        if getattr(settings, name, None) is not None:
            check_float(name, getattr(settings, name), low, high)
    scale = getattr(settings, "reward_scale", 1.0)
    if isinstance(scale, str | bool) or not 0 < scale < np.inf:
        raise UserError(f"reward_scale is {scale!r}; it must be a number above 0")
    if isinstance(settings.network, str) or not isinstance(settings.network, Iterable):
        words = "the neurons of each hidden layer, such as (64, 64)"
        raise UserError(f"network is {settings.network!r}; it must be {words}")
    for neurons in settings.network:
        check_int("a hidden layer's neurons", neurons, 1, limits.NEURONS)
    for name in ("learning_rate", "actor_learning_rate"):
        rate = getattr(settings, name, None)
        if rate is not None and still(rate):
            warn(f"{name} is {rate:g}: {STILL}")


def described(learner: Any, ins: str = "states", outs: str = "actions") -> str:
    """The repr of a learner of numbers `ins` and `outs`."""
    hidden = "-".join(map(str, learner.settings.network)) or "none"
    sizes = f"{getattr(learner, ins)} {ins}, {getattr(learner, outs)} {outs}"
    return f"{type(learner).__name__}({sizes}, hidden {hidden}, {learner.steps} steps, {learner.backend})"


def hidden(settings: Any) -> tuple[str, bool]:
    """Of an RlNetwork: its activation, and whether its hidden layers are normalised.

    Raises UserError: there is no such activation or normalisation, or a layer is too large for it.
    """
    choice("activation", settings.activation, limits.ACTIVATIONS)
    choice("normalisation", settings.normalisation, limits.NORMALISATIONS)
    if settings.normalisation != limits.NORMALISATIONS[0] and max(settings.network, default=0) > normalisation.MOST:
        raise UserError(f"network is {settings.network}; a normalised layer has at most {normalisation.MOST} neurons")
    return settings.activation, settings.normalisation == "layer"


def hidden_of(network: Integers) -> tuple[str, tuple[int, ...]]:
    """Of a Policy: the activation, and the fractions of centred sums of normalised layers."""
    return network.activation.name, tuple(network.norm_frac) if network.normalised else ()


@dataclass(frozen=True)
class RlNetwork:
    """One of an algorithm's list.

    sizes: N_0 … N_M. activation: of the hidden layers, one of limits.ACTIVATIONS; the last layer is linear.
    normalised: with layer normalisation in front of it.
    output_frac: of the output where it has one that does not move, with output_width bits. formats: fractions that are
    held; None: they follow the numbers, and nobody picks one. passed: those of the way back to the input, held with
    formats.
    """

    sizes: tuple[int, ...]
    activation: str = RELU.name
    normalised: bool = False
    output_width: int = VALUE_WIDTH
    output_frac: int | None = None
    formats: LearnerFormats | None = None
    passed: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        """Raises ValueError."""
        named(self.activation)
        if self.formats is not None and self.formats.layers != self.layers:
            raise ValueError(f"the formats are of {self.formats.layers} weight layers; sizes are {self.sizes}")

    @property
    def layers(self) -> int:
        """Weight layers M."""
        return len(self.sizes) - 1


def squashed_actor(states: int, layers: Sequence[int], actions: int, *hidden: Any) -> RlNetwork:
    """An actor whose output goes through tanh: sfix(18,14). hidden: activation, and whether it is normalised."""
    return RlNetwork((states, *layers, actions), *hidden, output_width=ACT_WIDTH, output_frac=ACTOR_FRAC)


def critic(inputs: int, layers: Sequence[int], *hidden: Any) -> RlNetwork:
    """A value of state and action."""
    return RlNetwork((inputs, *layers, 1), *hidden)


_LOG_CLIP = log_register(CLIP)


@lru_cache(maxsize=64)
def _log_eps(epsilon: float) -> int:
    return log_register(epsilon, 4096 - 2**19)


class Trained:
    """A network with its target network, Adam, and the fractions of all its tensors.

    integers: learner.network.NetworkModel or its engine's. counters: saturations, int64 (64,).
    Vectors are int64 (R, N_l).
    """

    def __init__(
        self,
        about: RlNetwork,
        kind: type[Integers],
        first: Exponent,
        last: Exponent | None,
        slope: Exponent | None = None,
        *,
        learning_rate: float,
        adam_epsilon: float,
        tau: float,
        target: bool = True,
    ) -> None:
        """first: of the input; last: of the output, where it moves; slope: of the derivative by the input.

        target: whether it has a target network.

        Raises ValueError.
        """
        self.about, self.layers = about, about.layers
        held = about.formats
        fixed = Exponent(about.output_frac or 0, about.output_width)
        self.act = [first, *exponents.hidden(self.layers), last if about.output_frac is None else fixed]
        self.delta, self.grad = deltas(self.layers), gradients(self.layers)
        self.passed = [slope or Exponent(12), *deltas(self.layers - 1), Exponent(PASS_FRAC)]
        if held is not None:
            for each, fractions in (
                (self.act, held.act_frac), (self.delta, held.delta_frac[1:]), (self.grad, held.grad_frac[1:]),
                (self.passed, about.passed or (PASS_FRAC,) * (self.layers + 1)),
            ):  # fmt: skip
                for exponent, frac in zip(each, fractions, strict=True):
                    exponent.frac = frac
        self.norm = exponents.hidden(self.layers) if about.normalised else []
        self.counters = np.zeros(COUNTERS, np.int64)
        self.integers = kind(
            about.sizes, self._fitting(), output_width=about.output_width, polyak=True, activation=about.activation,
            normalised=about.normalised,
        )  # fmt: skip
        self.has_target = target
        self._rate, self._epsilon = AdamRate(learning_rate), adam_epsilon
        self._tau = min(whole("tau", tau, FACTOR_FRAC), 2**FACTOR_FRAC - 1)
        self.updates = 0

    # --- weights ---

    def start(self, rng: np.random.Generator) -> None:
        """First weights, uniform in +-1/sqrt(inputs) as PyTorch's Linear; the target's the same, moments 0."""
        first = FloatNetwork(self.about.sizes, np.float64)
        first.initialise(rng)
        self.load(first.theta)

    def load(self, theta: np.ndarray) -> None:
        """A fresh start from real weights, layer by layer W row by row and then b. Raises ValueError."""
        net = self.integers
        net.start(net.codes(net._split(np.asarray(theta, np.float64))))
        self.updates = 0

    def theta(self, target: bool = False) -> np.ndarray:
        """The weights that are computed with, float64, exact."""
        net = self.integers
        flat = target_of(net.planes[TARGET], net.polyak) if target else net.planes[WEIGHTS]
        return flat * 2.0**-WEIGHT_FRAC

    # --- stages ---

    def forward(self, x: np.ndarray, *, target: bool = False, to: int | None = None, base: int = FW) -> Vectors:
        """Vectors 0 … M, or up to layer `to`."""
        base = TFW if target else base
        before = self._counted(base)
        vectors = self.integers.forward(x, target=target, layers=to, counters=self.counters, base=base, overflow_at=IN)
        for layer, saturated in enumerate(self._counted(base, before)[: len(vectors) - 1], 1):
            self.act[layer].see(vectors.most(layer), saturated)
        for layer, (exponent, kept) in enumerate(zip(self.norm, vectors.norms, strict=False), 1):
            self.counters[NORM + layer] += kept.saturated
            exponent.see(kept.centred, kept.saturated)
        return vectors

    def gradient(self, vectors: list[np.ndarray], delta: np.ndarray, cut: int = 0) -> np.ndarray:
        """Gradient summed over the batch, int64 (size,), from the output's delta (R, N_M); `cut` of it were clipped."""
        self.delta[-1].see(delta, cut)
        deltas = self._backward(vectors, delta, self.integers.formats.delta_frac, self.delta, BW)
        before = self._counted(GRAD)
        gradient = self.integers.gradient(vectors, deltas, self.counters, GRAD)
        largest = self.integers.largest(gradient)
        for exponent, most, saturated in zip(self.grad, largest, self._counted(GRAD, before), strict=True):
            exponent.see(most, saturated)
        return gradient

    def to_input(self, vectors: list[np.ndarray], delta: np.ndarray, columns: slice) -> np.ndarray:
        """The derivative by some columns of the input, from the output's delta, unlimited; fraction: passed[0]."""
        fractions = [exponent.frac for exponent in self.passed]
        deltas = self._backward(vectors, delta, fractions, self.passed[1:], PASS_BW)
        return self.integers.to_input(deltas, fractions, columns)

    def _backward(self, vectors, delta, fractions, exponents, base) -> Deltas:
        before = self._counted(base)
        deltas = self.integers.backward(vectors, delta, fractions, counters=self.counters, base=base, overflow_at=IN)
        saturated = self._counted(base, before)
        for layer in range(self.layers, 1, -1):  # layer's weights lead to the delta below it
            exponents[layer - 2].see(deltas.most(self.layers - layer + 1), saturated[layer - 1])
        return deltas

    def _counted(self, base: int, before: Sequence[int] = ()) -> list[int]:
        """What stands in a stage's counters of the layers 1 … M, less what stood there before."""
        now = self.counters[base + 1 : base + 1 + self.layers].tolist()
        return [n - m for n, m in zip(now, before, strict=True)] if before else now

    # --- update ---

    def update(self, gradient: np.ndarray, batch: int, sync: bool) -> None:
        """One step of Adam; then, if `sync`, the target network follows."""
        self.integers.set_optimiser(**self.rates(batch))
        self.updates += 1
        self.integers.update(gradient, sync and self.has_target, self.counters, WEIGHT)

    def follow_target(self, tau: float) -> None:
        """The target network takes over a share of the present weights."""
        share = min(int(np.floor(tau * 2**FACTOR_FRAC + 0.5)), 2**FACTOR_FRAC - 1)
        net = self.integers
        target, beyond = sync(net.planes[WEIGHTS], net.planes[TARGET], share, int(net.polyak))
        net.set_flat(target, TARGET)
        net.count_saturated(beyond, self.counters, WEIGHT)

    def rates(self, batch: int) -> dict[str, int]:
        """The optimiser's registers of the next update, of a batch of `batch` samples."""
        return {
            "tau": self._tau,
            "log_rate": self._rate.at(self.updates + 1),
            "log_eps": _log_eps(self._epsilon * batch),
            "log_clip": _LOG_CLIP,
        }

    def own(self) -> list[Exponent]:
        """Exponents that no other network shares."""
        return [*self.act[1:-1], *self.delta, *self.grad, *self.passed[1:-1], *self.norm]

    def follow(self) -> None:
        """The end of a batch, all exponents moved: take the fractions over."""
        if self._fractions() == self._fitted:
            return
        formats = self._fitting()
        self._normalise()
        if formats != self.integers.formats:
            self.counters[STATE] += self.integers.reformat(formats)

    def restore(self, planes: np.ndarray) -> None:
        """Go on from these planes, exponents and counts set. Raises ValueError: they do not fit."""
        self.integers.reformat(self._fitting())
        self._normalise()
        for plane, flat in enumerate(planes):
            self.integers.set_flat(flat, plane)

    def acts(self, weights: np.ndarray) -> None:
        """Take weights over, a flat plane, with the fractions that the exponents have; all else stays stale."""
        self.integers.reformat(self._fitting())
        self._normalise()
        self.integers.set_flat(weights, WEIGHTS)

    def _normalise(self) -> None:
        self.integers.norm_frac = [exponent.frac for exponent in self.norm]

    def _fitting(self) -> LearnerFormats:
        formats = fitting(*([e.frac for e in each] for each in (self.act, self.delta, self.grad)))
        # What was lowered begins there.
        for each, fractions in (
            (self.act, formats.act_frac), (self.delta, formats.delta_frac[1:]), (self.grad, formats.grad_frac[1:])
        ):  # fmt: skip
            for exponent, frac in zip(each, fractions, strict=True):
                exponent.frac = frac
        self._fitted = self._fractions()
        return formats

    def _fractions(self) -> list[int]:
        return [exponent.frac for each in (self.act, self.delta, self.grad, self.norm) for exponent in each]

    def saturations(self) -> dict[str, int]:
        """How often numbers were clipped, by stage and layer, if ever."""
        counts = {
            f"{stage}{layer}": int(self.counters[base + layer])
            for stage, base in STAGES.items()
            for layer in range(1, self.layers + 1)
        }
        return {name: n for name, n in counts.items() if n}
