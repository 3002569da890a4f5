"""What the parameters of rlc_mlp mean: a network with its formats, and an array."""

import zlib
from dataclasses import asdict, dataclass
from functools import cached_property

from rlcores.cores.mlp import activations

MOST_LAYERS = 6
MOST_NEURONS = 1024
LEAST_BITS, MOST_BITS = 3, 18
BIAS_BITS = 32
OUT_WIDTH = 18


def _power_of_two(n: int) -> bool:
    return n >= 1 and n & (n - 1) == 0


@dataclass(frozen=True)
class Shape:
    """A network with its formats, on an array of rows × cols multipliers.

    sizes: neurons per layer, the inputs first. kinds: activation of each layer of weights. Integers are value · 2^frac:
    observations per input in `in_fracs`; the numbers between layers in `act_fracs`, one per layer of weights, the last
    of the outputs; weights in `weight_fracs`; biases in `bias_fracs`. unit_frac: of what an activation unit takes.
    weight_width, act_width: bits. rows: results at a time; cols: elements of each per clock; acts: results that leave
    the array per clock. argmax: the answer is an index. slope: of leaky ReLU, in units of 2^-16.

    Observations enter layer 1 in a format of their own per input; the first layer's weights are scaled to `in_frac`.
    Raises ValueError for what the core does not take.
    """

    sizes: tuple[int, ...]
    kinds: tuple[str, ...]
    in_frac: int
    act_fracs: tuple[int, ...]
    weight_fracs: tuple[int, ...]
    bias_fracs: tuple[int, ...]
    unit_frac: int
    weight_width: int
    act_width: int
    rows: int
    cols: int
    acts: int
    argmax: bool = False
    slope: int = 0

    def __post_init__(self) -> None:
        layers = len(self.sizes) - 1
        if not 1 <= layers <= MOST_LAYERS or not all(1 <= n <= MOST_NEURONS for n in self.sizes):
            sizes = "-".join(map(str, self.sizes))
            raise ValueError(f"the network {sizes} has not 1 to {MOST_LAYERS} layers of 1 to {MOST_NEURONS} neurons")
        for name in ("kinds", "act_fracs", "weight_fracs", "bias_fracs"):
            if len(getattr(self, name)) != layers:
                raise ValueError(f"{name} has {len(getattr(self, name))} entries for {layers} layers")
        for kind in self.kinds:
            if kind not in activations.KINDS:
                raise ValueError(f"the activation '{kind}' is not known")
        for name in ("weight_width", "act_width"):
            if not LEAST_BITS <= getattr(self, name) <= MOST_BITS:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be {LEAST_BITS} to {MOST_BITS}")
        if not (_power_of_two(self.rows) and _power_of_two(self.cols) and _power_of_two(self.acts)):
            raise ValueError("rows, cols and acts must be powers of two")
        if self.acts > min(self.rows, self.cols):
            raise ValueError(f"acts is {self.acts}; it must be at most rows and cols, {min(self.rows, self.cols)}")
        if not 0 <= self.unit_frac <= activations.MOST_FRACTION:
            raise ValueError(f"unit_frac is {self.unit_frac}; it must be 0 to {activations.MOST_FRACTION}")
        for number, (shift, bias) in enumerate(zip(self.shifts, self.bias_shifts, strict=True), 1):
            if not 0 <= shift <= 40 or not 0 <= bias <= 40 or self.unit_shifts[number - 1] < 0:
                raise ValueError(f"the fractions of layer {number} need a shift that the core has not")

    @property
    def layers(self) -> int:
        """Layers of weights."""
        return len(self.kinds)

    @property
    def sum_fracs(self) -> tuple[int, ...]:
        """Fraction bits of each layer's sums."""
        return tuple(w + a for w, a in zip(self.weight_fracs, (self.in_frac, *self.act_fracs[:-1]), strict=True))

    def drained_frac(self, number: int) -> int:
        """Fraction bits with which a layer's sums (from 0) leave the array: its unit's, or the result's."""
        kind = self.kinds[number]
        # Leaky ReLU keeps the format that it gets, so it gets the result's.
        return self.unit_frac if kind in ("tanh", "sigmoid", "elu", "silu") else self.act_fracs[number]

    @cached_property
    def shifts(self) -> tuple[int, ...]:
        """Bits that a layer's sums lose on the way out of the array."""
        return tuple(frac - self.drained_frac(number) for number, frac in enumerate(self.sum_fracs))

    @cached_property
    def bias_shifts(self) -> tuple[int, ...]:
        """Bits by which a layer's biases are shifted up to the sums' format."""
        return tuple(frac - bias for frac, bias in zip(self.sum_fracs, self.bias_fracs, strict=True))

    @cached_property
    def unit_shifts(self) -> tuple[int, ...]:
        """Bits that a unit's result loses on the way to the next layer; 0 without a unit."""
        found = []
        for kind, frac in zip(self.kinds, self.act_fracs, strict=True):
            table = kind in ("tanh", "sigmoid", "elu", "silu")
            found.append(activations.out_fraction(kind, self.unit_frac) - frac if table else 0)
        return tuple(found)

    @property
    def sum_width(self) -> int:
        """Bits of a sum: any weights, any elements and any biases fit."""
        most = max(self.sizes[:-1])
        products = self.weight_width + self.act_width - 1 + (most - 1).bit_length()
        biases = BIAS_BITS + max(self.bias_shifts)
        return max(products, biases) + 1

    def pieces(self, size: int, by: int) -> int:
        """Pieces of `by` elements that `size` elements take."""
        return -(-size // by)

    @property
    def steps(self) -> int:
        """Steps of the array in a pass: words of weights."""
        pairs = zip(self.sizes[1:], self.sizes, strict=False)
        return sum(self.pieces(n, self.rows) * self.pieces(k, self.cols) for n, k in pairs)

    @property
    def groups(self) -> int:
        """Groups of rows of all layers: words of biases."""
        return sum(self.pieces(n, self.rows) for n in self.sizes[1:])

    @property
    def weight_parts(self) -> int:
        """Parts of 32 bits in a word of weights."""
        return self.pieces(self.rows * self.cols * self.weight_width, 32)

    @property
    def load_words(self) -> int:
        """Words of 32 bits in a set of weights: the identity, the biases, the weights."""
        return 1 + self.groups * self.rows + self.steps * self.weight_parts

    @cached_property
    def identity(self) -> int:
        """32 bits that stand for shape and formats; the first word of every set of weights for this core."""
        return zlib.crc32(repr(sorted(asdict(self).items())).encode())

    def parameters(self) -> dict[str, str | int]:
        """Parameters of rlc_mlp by name."""
        numbers = [activations.KINDS.index(kind) for kind in self.kinds]
        return {
            "SIZES": _list(self.sizes),
            "KINDS": _list(numbers),
            "SHIFTS": _list(self.shifts),
            "BIAS_SHIFTS": _list(self.bias_shifts),
            "UNIT_SHIFTS": _list(self.unit_shifts),
            "UNIT_FRAC": self.unit_frac,
            "SLOPE": self.slope,
            "WEIGHT_WIDTH": self.weight_width,
            "ACT_WIDTH": self.act_width,
            "SUM_WIDTH": self.sum_width,
            "ROWS": self.rows,
            "COLS": self.cols,
            "ACTS": self.acts,
            "ARGMAX": int(self.argmax),
            "IDENTITY": self.identity,
        }


def _list(numbers: tuple[int, ...] | list[int]) -> str:
    return "-".join(map(str, numbers))
