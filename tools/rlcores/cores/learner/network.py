"""One network of the learner, bit for bit: its weights, the forward and backward units, the gradient, the update.

Vectors are int64 arrays (R, N_l).
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from rlcores.base import limits
from rlcores.cores.common.draws import Xoshiro128pp
from rlcores.cores.common.fixed import quantise_within, round_shift, saturate
from rlcores.cores.learner import normalisation
from rlcores.cores.learner import shape as learner_shape
from rlcores.cores.learner import update as learner_update
from rlcores.cores.learner.activations import RELU, SUM_WIDTH, WIDE_FRAC, Deltas, Vectors, named
from rlcores.cores.learner.format import (
    ACC_WIDTH,
    ACT_WIDTH,
    POLYAK_FRAC,
    VALUE_WIDTH,
    WEIGHT_FRAC,
    WEIGHT_WIDTH,
    LearnerFormats,
    LearnerSettings,
    NetworkSettings,
)
from rlcores.cores.learner.layout import (
    STATE,
    TARGET,
    WEIGHTS,
    Matrices,
    WeightLayout,
    flatten,
    numbers,
    plane_range,
    split,
)
from rlcores.cores.learner.optimisers import ADAM, ALL
from rlcores.cores.learner.optimisers.adam import eps_of
from rlcores.cores.learner.optimisers.adamw import decay_parts
from rlcores.cores.learner.optimisers.slot import NEAREST, STOCHASTIC, Rates

_PLANES = ("weight", "target weight", "moment", "mean square")  # in messages


def wrap(x: np.ndarray, bits: int = ACC_WIDTH) -> np.ndarray:
    """int64 numbers modulo 2**bits, signed, as the accumulators have them."""
    half = 1 << (bits - 1)
    return ((x + half) & ((1 << bits) - 1)) - half


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The matrix product of integers, int64. Its sums are at most 2**53, which float64 holds, and it is quicker."""
    return np.matmul(a, b, dtype=np.float64).astype(np.int64)


class NetworkModel:
    """Weights of layers 1..M, of the target network and of the optimiser, and what is computed with them.

    All parameters lie in one flat vector a plane, layer by layer, (W row by row, then b): the update is one pass.
    Counters are int64 arrays that the caller hands over with the index of layer 0; counts are added.
    """

    def __init__(
        self,
        sizes: Sequence[int],
        formats: LearnerFormats,
        *,
        output_width: int = VALUE_WIDTH,
        optimiser: int = ADAM,
        rounding: int = NEAREST,
        polyak: bool = False,
        actor: bool = False,
        groups: learner_shape.NetworkShape | None = None,
        columns: int = 1,
        sum_width: int = ACC_WIDTH,
        activation: str = RELU.name,
        normalised: bool = False,
    ) -> None:
        """sizes: N_0..N_M. output_width: bits of the output. groups: lanes and update groups; columns: DP.

        activation: of the hidden layers, one of limits.ACTIVATIONS; normalised: layer normalisation is in front of it.

        sum_width: bits of a gradient's sum.

        Only stochastic rounding and the count of large sums depend on groups and columns. Raises ValueError.
        """
        self.sizes = tuple(int(n) for n in sizes)
        if not all(1 <= n <= limits.NEURONS for n in self.sizes):
            raise ValueError(f"sizes are {self.sizes}; a layer has 1 to {limits.NEURONS} neurons")
        self.layers = len(self.sizes) - 1
        self.normalised = normalised
        self.norm_frac = [12] * (self.layers - 1)  # of the centred sums of hidden layers, to be set
        if normalised and max(self.sizes[1:-1], default=0) > normalisation.MOST:
            raise ValueError(f"sizes are {self.sizes}; a normalised layer has at most {normalisation.MOST} neurons")
        if formats.layers != self.layers:
            raise ValueError(
                f"the formats are of {formats.layers} weight layers; sizes {self.sizes} have {self.layers}"
            )
        self.output_width, self.activation = output_width, named(activation)
        self.optimiser, self.rounding, self.polyak, self.actor = optimiser, rounding, polyak, actor
        self.starts = np.array([numbers(self.sizes[: layer + 1]) for layer in range(self.layers + 1)])
        self.size = int(self.starts[-1])
        self.planes = np.zeros((4, self.size), np.int64)
        self._take(formats)
        ones = (1,) * self.layers
        self._groups = groups or learner_shape.NetworkShape(self.sizes, self.sizes, ones, ones, ones, ones)
        if self._groups.sizes != self.sizes:
            raise ValueError(f"the update's groups are of a network {self._groups.sizes}; this one is {self.sizes}")
        self._columns, self._sum_width = columns, sum_width
        self._place_dither()
        self.seed(0)

    def _take(self, formats: LearnerFormats) -> None:
        self.formats = formats
        layers = range(1, self.layers + 1)
        self._gradient_shift = self._per_layer([formats.gradient_shift(layer) for layer in layers])
        self.grad_frac = self._per_layer(formats.grad_frac[1:])

    def reformat(self, formats: LearnerFormats) -> int:
        """Other fractions from the next batch on; the optimiser's state, which has the gradients', moves along.

        Bits that go are rounded half up, and what grows beyond a word is clipped; returns how many were. The caller
        gives the optimiser's settings anew. Raises ValueError.
        """
        before = self.grad_frac
        self._take(formats)
        by, saturated = self.grad_frac - before, 0
        if by.any():
            for plane, word in zip(self.planes[STATE:], ALL[self.optimiser].state, strict=False):
                # A square moves twice, a rounding each.
                for _ in range(word.power):
                    moved = scaled(plane, by)
                    plane[:] = np.clip(moved, *word.range)
                    saturated += int(np.count_nonzero(plane != moved))
        return saturated

    def _split(self, flat: np.ndarray) -> Matrices:
        return split(flat, self.sizes)

    def _per_layer(self, values: Sequence[int]) -> np.ndarray:
        return np.repeat(np.array(values, np.int64), np.diff(self.starts))

    # --- weights ---

    def matrices(self, plane: int = WEIGHTS) -> Matrices:
        """Copies of a plane, int64 (W, b) layer by layer."""
        return [(w.copy(), b.copy()) for w, b in self._split(self.planes[plane])]

    def set_matrices(self, matrices: Matrices, plane: int = WEIGHTS) -> None:
        """Set a plane from integers. Raises ValueError, nothing changed: wrong shape or out of the plane's range."""
        self.set_flat(self.flatten(matrices), plane)

    def flatten(self, matrices: Matrices) -> np.ndarray:
        """(W, b) layer by layer as one vector of the given type. Raises ValueError when a shape is wrong."""
        if len(matrices) != self.layers:
            raise ValueError(f"{len(matrices)} layers of weights are given; this network has {self.layers}")
        for layer, (w, b) in enumerate(matrices, 1):
            shape = self.sizes[layer], self.sizes[layer - 1]
            if np.shape(w) != shape or np.shape(b) != shape[:1]:
                raise ValueError(
                    f"layer {layer} has weights {np.shape(w)} and biases {np.shape(b)}; "
                    f"this network's are {shape} and {shape[:1]}"
                )
        return flatten(matrices)

    def set_flat(self, flat: np.ndarray, plane: int = WEIGHTS) -> None:
        """Set a plane from one vector of integers. Raises ValueError, nothing changed."""
        self.planes[plane] = self._checked(flat, plane)

    def _checked(self, flat: np.ndarray, plane: int) -> np.ndarray:
        if not np.issubdtype(flat.dtype, np.integer):
            raise ValueError(f"a plane takes integers; these are {flat.dtype}")
        low, high = plane_range(plane, self.optimiser, self.polyak)
        if flat.min() < low or flat.max() > high:
            wrong = flat[(flat < low) | (flat > high)][0]
            raise ValueError(f"a {_PLANES[plane]} is {wrong}; it must be {low} to {high}")
        return flat

    def codes(self, matrices: Matrices) -> np.ndarray:
        """Weights as one vector of integers; where any of them is a float they are real, else already codes.

        Raises ValueError: wrong shape, NaN, out of sfix(27,22).
        """
        flat = self.flatten(matrices)
        if not np.issubdtype(flat.dtype, np.integer):
            return quantise_within(flat, WEIGHT_WIDTH, WEIGHT_FRAC, "weight")
        return self._checked(flat, WEIGHTS)

    def start(self, flat: np.ndarray) -> None:
        """A fresh start from codes(): target weights are the same, moments 0."""
        nothing = np.zeros(self.size, np.int64)
        for plane, codes in enumerate((flat, flat << (POLYAK_FRAC * self.polyak), nothing, nothing)):
            self.set_flat(codes, plane)

    # --- stages ---

    def forward(
        self,
        x: np.ndarray,
        *,
        target: bool = False,
        layers: int | None = None,
        counters: np.ndarray | None = None,
        base: int = 0,
        overflow_at: int = 0,
    ) -> Vectors:
        """Vectors 0..M of input codes (R, N_0), or those up to `layers`; the last of M is the output.

        Adds the saturations of layer l to counters[base + l], and to counters[overflow_at] the words with a sum of
        2**46 or more either way, and what an activation could not take.
        """
        flat = learner_update.target_of(self.planes[TARGET], self.polyak) if target else self.planes[WEIGHTS]
        vectors = Vectors([x])
        for layer, (w, b) in enumerate(self._split(flat)[:layers], 1):
            sums = wrap(product(vectors[-1], w.T) + (b << self.formats.act_frac[layer - 1]))
            large = ((sums >> (ACC_WIDTH - 2)) + 1) >> 1 != 0
            if counters is not None and large.any():
                counters[overflow_at] += self._words(large, layer)
            rounded, width = round_shift(sums, self.forward_shift(layer)), self.output_width
            if layer < self.layers:
                rounded, width = self._activated(rounded, layer, vectors, counters, overflow_at), ACT_WIDTH
            vectors.append(clip_and_count(rounded, width, counters, base + layer))
        return vectors

    def forward_shift(self, layer: int) -> int:
        """Bits that the sums of layer 1..M lose on their way to the output, or to the activation."""
        before = self.activation.before if layer < self.layers else None
        if self.normalised and layer < self.layers:
            before = self.norm_frac[layer - 1]
        shift = self.formats.forward_shift(layer)
        return shift if before is None else shift + self.formats.act_frac[layer] - before

    def _activated(self, z: np.ndarray, layer: int, vectors: Vectors, counters, overflow_at: int) -> np.ndarray:
        act, frac = self.activation, self.formats.act_frac[layer]
        if self._rectified:
            return act.of(z, frac)
        z = clip_and_count(z, SUM_WIDTH, counters, overflow_at)
        if self.normalised:
            vectors.norms.append(normalisation.forward(z, act.normal_frac))
            z = vectors.norms[-1].n
        vectors.before.append(z)
        if self.normalised and act.before is None:
            return round_shift(act.of(z, frac) << WIDE_FRAC - act.normal_frac, WIDE_FRAC - frac)
        return act.of(z, frac)

    @property
    def _rectified(self) -> bool:
        # ReLU on the sums themselves, which needs no more than its results on the way back.
        return self.activation is RELU and not self.normalised

    def outputs(self, x: np.ndarray) -> np.ndarray:
        """Vector M of input codes (R, N_0) clipped to 18 bits, R 0 or more; counts nothing."""
        return self.forward(x)[-1]

    def backward(
        self,
        vectors: Vectors,
        delta: np.ndarray,
        fractions: Sequence[int],
        *,
        first: int = 1,
        counters: np.ndarray | None = None,
        base: int = 0,
        overflow_at: int = 0,
    ) -> Deltas:
        """Deltas of layers M, M-1, ..., `first` (at least 1) from that of the output (R, N_M); all in one list.

        fractions[l]: that of layer l's delta. Counts as forward(): layer l leads to the delta of l - 1.
        """
        deltas = Deltas([np.asarray(delta, np.int64)])
        for layer in range(self.layers, first, -1):
            lower = self.through(deltas[-1], layer, fractions, more=normalisation.EXTRA * self.normalised)
            if self._rectified:
                lower = lower * (vectors[layer - 1] > 0)
            else:
                of_result = clip_and_count(lower, SUM_WIDTH, counters, overflow_at)
                lower = self.activation.backward(of_result, vectors.before[layer - 2])
            if self.normalised:
                of_normal = clip_and_count(lower, SUM_WIDTH, counters, overflow_at)
                kept, sum_frac = vectors.norms[layer - 2], self.norm_frac[layer - 2]
                lower = normalisation.backward(of_normal, kept, self.activation.normal_frac, sum_frac)
            deltas.append(clip_and_count(lower, ACT_WIDTH, counters, base + layer))
        return deltas

    def through(
        self, delta: np.ndarray, layer: int, fractions: Sequence[int], columns: slice = slice(None), more: int = 0
    ) -> np.ndarray:
        """delta (R, N_l) times the weights of a layer, rounded, unlimited and unmasked: (R, columns of N_{l-1}).

        more: fraction bits beyond those of the layer below.
        """
        w = self._split(self.planes[WEIGHTS])[layer - 1][0][:, columns]
        return round_shift(wrap(product(delta, w)), WEIGHT_FRAC + fractions[layer] - fractions[layer - 1] - more)

    def to_input(self, deltas: Deltas, fractions: Sequence[int], columns: slice = slice(None)) -> np.ndarray:
        """The derivative by some columns of the input, from backward()'s deltas down to layer 1, unlimited."""
        return self.through(deltas[-1], 1, fractions, columns)

    def gradient(
        self, vectors: list[np.ndarray], deltas: list[np.ndarray], counters: np.ndarray | None = None, base: int = 0
    ) -> np.ndarray:
        """Gradient summed over the batch, int64 (size,), from the vectors 0..M-1 and the deltas of M, M-1, ..., 1."""
        every = zip(vectors, reversed(deltas), self.formats.act_frac, strict=False)
        sums = wrap(
            flatten([(product(delta.T, x), delta.sum(axis=0) << frac) for x, delta, frac in every]), self._sum_width
        )
        g, saturated = learner_update.gradient(sums, self._gradient_shift, ALL[self.optimiser].squares)
        self.count_saturated(saturated, counters, base)
        return g

    def largest(self, gradient: np.ndarray) -> list[int]:
        """The largest magnitudes of a gradient, of layers 1 … M."""
        return [int(np.abs(gradient[a:b]).max(initial=0)) for a, b in pairwise(self.starts)]

    def count_saturated(self, saturated: np.ndarray, counters: np.ndarray | None, base: int) -> None:
        """Add to the counter of each layer how many of its numbers, bool (size,), saturated."""
        if counters is not None and saturated.any():
            counters[base + 1 : base + 1 + self.layers] += np.add.reduceat(saturated.astype(np.int64), self.starts[:-1])

    # --- update ---

    def check_rate(self, exponent: int) -> None:
        """Raises ValueError when the core has no shift for this exponent of the rate; Adam needs none."""
        if "rate" not in ALL[self.optimiser].settings:
            return
        shifts = [frac + exponent - WEIGHT_FRAC for frac in self.formats.grad_frac[1:]]
        if not 0 <= min(shifts) <= max(shifts) <= 63:
            raise ValueError(
                f"rate_exp is {exponent}; with gradient fractions {self.formats.grad_frac[1:]} the rate's shift would "
                f"be {min(shifts)} to {max(shifts)}, and the core has 0 to 63"
            )

    def set_rates(self, settings: LearnerSettings, own: NetworkSettings) -> None:
        """Take over what the update needs of the registers, which were checked; own: this network's."""
        shared = {name: getattr(settings, name) for name in ("tau", "momentum", "log_eps", "log_clip")}
        self.set_optimiser(**shared, **vars(own))

    def set_optimiser(
        self,
        *,
        tau: int = 0,
        log_eps: int = 0,
        log_clip: int = 0,
        momentum: int = 0,
        rate: int = 0,
        rate_exp: int = 0,
        log_rate: int = 0,
        decay: int = 0,
    ) -> None:
        """What the update needs, as the registers of these names have it (format.LearnerSettings)."""
        mantissa, exponent = decay_parts(decay)
        self._tau = tau
        self._rates = Rates(
            rate=rate,
            rate_shift=self.grad_frac + rate_exp - WEIGHT_FRAC,
            momentum=momentum,
            log_rate=log_rate,
            eps=eps_of(log_eps, self.grad_frac),
            log_clip=log_clip,
            decay=mantissa,
            decay_exp=exponent,
        )

    def update(self, g: np.ndarray, sync: bool, counters: np.ndarray | None = None, weight_base: int = 0) -> None:
        """One step of the optimiser with gradient g, int64 (size,); then, if `sync`, the target weights follow."""
        w, t = self.planes[:STATE]
        dither = self._dither() if self.rounding == STOCHASTIC else 0
        one = ALL[self.optimiser]
        state = self.planes[STATE : STATE + len(one.state)]
        w[:], new, saturated = one.step(w, tuple(state), g, self._rates, self.rounding, dither)
        for plane, moved in zip(state, new, strict=True):
            plane[:] = moved
        if sync:
            t[:], beyond = learner_update.sync(w, t, self._tau, int(self.polyak))
            saturated |= beyond
        self.count_saturated(saturated, counters, weight_base)

    def seed(self, seed: int) -> None:
        """Seed the generators of the stochastic rounding, one a layer."""
        self._generators = [
            Xoshiro128pp(learner_update.seed_of(seed, layer, int(self.actor))) for layer in range(1, self.layers + 1)
        ]

    def continue_dither(self, other: "NetworkModel") -> None:
        """Go on with the stochastic rounding where a network of the same shape has stopped; both draw from one."""
        self._generators = other._generators

    def _words(self, marks: np.ndarray, layer: int) -> int:
        # Words of a layer's vectors, all columns together, with a mark in them.
        lanes, words = self._groups.lanes[layer], self._groups.words[layer]
        marks = np.pad(marks, ((0, -len(marks) % self._columns), (0, words * lanes - marks.shape[1])))
        return int(marks.reshape(-1, self._columns, words, lanes).any(axis=(1, 3)).sum())

    def _place_dither(self) -> None:
        # For each parameter its place in the update's order, and how many groups of how many lanes each layer has.
        if self.rounding != STOCHASTIC:
            return
        groups = self._groups
        order = WeightLayout(groups).to_stream(self._split(np.arange(1, self.size + 1)))
        self._dither_place = np.zeros(self.size, np.int64)
        self._dither_place[order[order > 0] - 1] = np.flatnonzero(order)
        self._dither_shape = [
            (groups.weight_groups(layer) + groups.bias_groups(layer), groups.update_lanes(layer))
            for layer in range(1, self.layers + 1)
        ]

    def _dither(self) -> np.ndarray:
        stream = [
            learner_update.dither_of(generator.take(groups), lanes).reshape(-1)
            for generator, (groups, lanes) in zip(self._generators, self._dither_shape, strict=True)
        ]
        return np.concatenate(stream)[self._dither_place]


def scaled(x: np.ndarray, bits: np.ndarray) -> np.ndarray:
    """x times 2**bits, elementwise: to the left, held within 62 bits, or to the right, rounded half up."""
    up, down = np.maximum(bits, 0), np.minimum(np.maximum(-bits, 0), 62)
    room = np.int64(1) << (62 - np.minimum(up, 62))
    left = np.clip(x, -room, room - 1) << np.minimum(up, 62)
    return (left + ((np.int64(1) << down) >> 1)) >> down


def clip_and_count(x: np.ndarray, width: int, counters: np.ndarray | None = None, at: int = 0) -> np.ndarray:
    """x clipped to `width` bits; adds how many did not fit to counters[at]."""
    clipped = saturate(x, width)
    if counters is not None:
        counters[at] += np.count_nonzero(clipped != x)
    return clipped
