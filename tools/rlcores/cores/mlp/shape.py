"""What the parameters of rlc_mlp mean: a network with its formats, and an array."""

import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property

from rlcores.base.limits import NEURONS
from rlcores.cores.mlp import activations
from rlcores.cores.mlp.norm import FRAC, MOST_EPSILON, MOST_OFFSET_SHIFT, Norm

MOST_LAYERS = 6
LEAST_BITS, MOST_BITS = 3, 18
BIAS_BITS = 32
OUT_WIDTH = 18
NORM_WIDTH = 36  # least bits of a sum where a layer is normalised
MULTIPLIERS = ("one", "pair", "lut")


def _power_of_two(n: int) -> bool:
    return n >= 1 and n & (n - 1) == 0


@dataclass(frozen=True)
class MlpShape:
    """A network with its formats, on an array of rows × cols multipliers.

    sizes: neurons per layer, the inputs first. kinds: activation of each layer of weights. Integers are value · 2^frac:
    observations per input in `in_fracs`; the numbers between layers in `act_fracs`, one per layer of weights, the last
    of the outputs; weights in `weight_fracs`; biases in `bias_fracs`. unit_frac: of what an activation unit takes.
    weight_widths, act_widths: bits of each layer's weights, and of the elements that it takes; one number stands for
    all. rows: results at a time; cols: elements of each per clock; acts: results that leave the array per clock.
    argmax: the answer is an index. slopes: per layer of leaky ReLU, or alpha of scaled ELU, in units of 2^-16. norms:
    per layer, None without normalisation. multiplier: how the array multiplies, as MULTIPLIER of rlc_mlp.

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
    weight_widths: int | tuple[int, ...]
    act_widths: int | tuple[int, ...]
    rows: int
    cols: int
    acts: int
    argmax: bool = False
    slopes: tuple[int, ...] = ()
    norms: tuple[Norm | None, ...] = ()
    multiplier: str = "one"

    def __post_init__(self) -> None:
        layers = len(self.sizes) - 1
        for name in ("weight_widths", "act_widths"):
            if isinstance(getattr(self, name), int):
                object.__setattr__(self, name, (getattr(self, name),) * layers)
        object.__setattr__(self, "slopes", self.slopes or (0,) * layers)
        object.__setattr__(self, "norms", self.norms or (None,) * layers)
        if not 1 <= layers <= MOST_LAYERS or not all(1 <= n <= NEURONS for n in self.sizes):
            sizes = "-".join(map(str, self.sizes))
            raise ValueError(f"the network {sizes} has not 1 to {MOST_LAYERS} layers of 1 to {NEURONS} neurons")
        per_layer = (
            "kinds",
            "act_fracs",
            "weight_fracs",
            "bias_fracs",
            "weight_widths",
            "act_widths",
            "slopes",
            "norms",
        )
        for name in per_layer:
            if len(getattr(self, name)) != layers:
                raise ValueError(f"{name} has {len(getattr(self, name))} entries for {layers} layers")
        for kind, slope in zip(self.kinds, self.slopes, strict=True):
            if kind not in activations.KINDS:
                raise ValueError(f"the activation '{kind}' is not known")
            if not 0 <= slope <= activations.MOST_SLOPE.get(kind, 0):
                raise ValueError(f"{slope / 65536:g} is no slope of '{kind}' that the core has")
        for name in ("weight_widths", "act_widths"):
            for width in getattr(self, name):
                if not LEAST_BITS <= width <= MOST_BITS:
                    raise ValueError(f"{name} has {width}; it must be {LEAST_BITS} to {MOST_BITS}")
        if self.multiplier not in MULTIPLIERS:
            raise ValueError(f"multiplier is '{self.multiplier}'; it must be one of: {', '.join(MULTIPLIERS)}")
        if not (_power_of_two(self.rows) and _power_of_two(self.cols) and _power_of_two(self.acts)):
            raise ValueError("rows, cols and acts must be powers of two")
        if self.acts > min(self.rows, self.cols):
            raise ValueError(f"acts is {self.acts}; it must be at most rows and cols, {min(self.rows, self.cols)}")
        if not 0 <= self.unit_frac <= activations.MOST_FRACTION:
            raise ValueError(f"unit_frac is {self.unit_frac}; it must be 0 to {activations.MOST_FRACTION}")
        for number, (shift, bias) in enumerate(zip(self.shifts, self.bias_shifts, strict=True), 1):
            norm, shifts = self.norms[number - 1], [self.norm_shifts[number - 1], self.unit_shifts[number - 1]]
            if norm is not None:
                shifts += [norm.offset_shift, MOST_OFFSET_SHIFT - norm.offset_shift]
                if not 1 <= norm.epsilon <= MOST_EPSILON:
                    raise ValueError(f"epsilon of layer {number} is {norm.epsilon}; it must be 1 to {MOST_EPSILON}")
            if not 0 <= shift <= 40 or not 0 <= bias <= 40 or min(shifts) < 0:
                raise ValueError(f"the fractions of layer {number} need a shift that the core has not")

    @property
    def layers(self) -> int:
        """Layers of weights."""
        return len(self.kinds)

    @property
    def weight_width(self) -> int:
        """Bits of a weight in the array: those of the widest layer."""
        return max(self.weight_widths)

    @property
    def act_width(self) -> int:
        """Bits of an element in the array: those of the widest layer."""
        return max(self.act_widths)

    @property
    def result_widths(self) -> tuple[int, ...]:
        """Bits of each layer's results."""
        return (*self.act_widths[1:], OUT_WIDTH)

    @property
    def sum_fracs(self) -> tuple[int, ...]:
        """Fraction bits of each layer's sums."""
        return tuple(w + a for w, a in zip(self.weight_fracs, (self.in_frac, *self.act_fracs[:-1]), strict=True))

    def drained_frac(self, number: int) -> int:
        """Fraction bits of what a layer's activation (from 0) takes: its unit's, or the result's."""
        # Leaky ReLU keeps the format that it gets, so it gets the result's.
        return self.unit_frac if self.kinds[number] in activations.TABLES else self.act_fracs[number]

    @cached_property
    def shifts(self) -> tuple[int, ...]:
        """Bits that a layer's sums lose on the way out of the array."""
        taken = [self.drained_frac(n) if norm is None else norm.frac for n, norm in enumerate(self.norms)]
        return tuple(frac - of for frac, of in zip(self.sum_fracs, taken, strict=True))

    @cached_property
    def norm_shifts(self) -> tuple[int, ...]:
        """Bits that a layer's normalised sums lose; 0 without normalisation."""
        return tuple(0 if n is None else n.out_frac - self.drained_frac(i) for i, n in enumerate(self.norms))

    @cached_property
    def bias_shifts(self) -> tuple[int, ...]:
        """Bits by which a layer's biases are shifted up to the sums' format."""
        return tuple(frac - bias for frac, bias in zip(self.sum_fracs, self.bias_fracs, strict=True))

    @cached_property
    def unit_shifts(self) -> tuple[int, ...]:
        """Bits that a unit's result loses on the way to the next layer; 0 without a unit."""
        shifts = []
        for kind, frac in zip(self.kinds, self.act_fracs, strict=True):
            table = kind in activations.TABLES
            shifts.append(activations.out_fraction(kind, self.unit_frac) - frac if table else 0)
        return tuple(shifts)

    @property
    def sum_width(self) -> int:
        """Bits of a sum: any weights, any elements and any biases fit."""
        most = max(self.sizes[:-1])
        products = self.weight_width + self.act_width - 1 + (most - 1).bit_length()
        biases = BIAS_BITS + max(self.bias_shifts)
        normalised = NORM_WIDTH - 1 if any(norm is not None for norm in self.norms) else 0
        return max(products, biases, normalised) + 1

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
    def norm_pieces(self) -> int:
        """Words of gains and offsets, `acts` of them each, of all normalised layers."""
        pairs = zip(self.sizes[1:], self.norms, strict=True)
        return sum(self.pieces(n, self.acts) for n, norm in pairs if norm is not None)

    @property
    def load_words(self) -> int:
        """Words of 32 bits in a set of weights: the identity, the biases, gains and offsets, the weights."""
        return 1 + self.groups * self.rows + self.norm_pieces * self.acts + self.steps * self.weight_parts

    @cached_property
    def identity(self) -> int:
        """32 bits that stand for shape and formats; the first word of every set of weights for this core."""
        return zlib.crc32(repr(sorted(asdict(self).items())).encode())

    @classmethod
    def of(cls, parameters: Mapping[str, str | int]) -> "MlpShape":
        """A shape with these parameters of rlc_mlp; IDENTITY is its own.

        Parameters say how far points move and not where they stand. So observations count as numbers below 4, and
        weights in front of a normalisation, or of no unit, as numbers below 2.

        >>> values = {"SIZES": "3-4-1", "KINDS": "3-0", "SHIFTS": "5-6", "UNIT_SHIFTS": "9-0", "ACT_WIDTHS": "8-18"}
        >>> values = MlpShape.of(values).parameters()
        >>> values["SHIFTS"], values["ACT_WIDTHS"], values == MlpShape.of(values).parameters()
        ('5-6', '8-18', True)
        """
        whole = {"UNIT_FRAC": 10, "WEIGHT_WIDTH": 8, "ACT_WIDTH": 8, "ROWS": 4, "COLS": 4, "ACTS": 4} | dict(parameters)
        sizes = _numbers(whole["SIZES"])
        layers = len(sizes) - 1

        def numbers(name: str) -> tuple[int, ...]:
            return _numbers(whole[name]) if name in whole else (0,) * layers

        kinds = tuple(activations.KINDS[n] for n in numbers("KINDS"))
        widths = (whole["ACT_WIDTH"], *numbers("ACT_WIDTHS"))
        fracs = [widths[0] - 3]  # of what each layer takes, and of the outputs
        of_weights, norms = [], []
        per_layer = (numbers(n) for n in ("SHIFTS", "UNIT_SHIFTS", "NORMS", "NORM_SHIFTS", "OFFSET_SHIFTS"))
        for kind, shift, down, epsilon, out, offset in zip(kinds, *per_layer, strict=True):
            sums = whole["WEIGHT_WIDTH"] - 2 + fracs[-1]
            unit, after = kind in activations.TABLES, sums - shift
            drained = whole["UNIT_FRAC"] if unit else after
            if unit and not epsilon:
                sums = drained + shift
            gain = out + drained - FRAC
            norms.append(Norm(epsilon, after, gain, FRAC + gain - offset) if epsilon else None)
            of_weights.append(sums - fracs[-1])
            fracs.append(activations.out_fraction(kind, whole["UNIT_FRAC"]) - down if unit else drained)
        sums = tuple(w + a for w, a in zip(of_weights, fracs, strict=False))
        return cls(
            sizes,
            kinds,
            fracs[0],
            tuple(fracs[1:]),
            tuple(of_weights),
            tuple(frac - up for frac, up in zip(sums, numbers("BIAS_SHIFTS"), strict=True)),
            whole["UNIT_FRAC"],
            whole["WEIGHT_WIDTH"],
            widths[:-1],
            whole["ROWS"],
            whole["COLS"],
            whole["ACTS"],
            bool(whole.get("ARGMAX", 0)),
            numbers("SLOPES"),
            tuple(norms),
            MULTIPLIERS[whole.get("MULTIPLIER", 0)],
        )

    def parameters(self) -> dict[str, str | int]:
        """Parameters of rlc_mlp by name."""
        numbers = [activations.KINDS.index(kind) for kind in self.kinds]
        return {
            "SIZES": _list(self.sizes),
            "KINDS": _list(numbers),
            "SHIFTS": _list(self.shifts),
            "BIAS_SHIFTS": _list(self.bias_shifts),
            "UNIT_SHIFTS": _list(self.unit_shifts),
            "SLOPES": _list(self.slopes),
            "NORMS": _list([0 if norm is None else norm.epsilon for norm in self.norms]),
            "NORM_SHIFTS": _list(self.norm_shifts),
            "OFFSET_SHIFTS": _list([0 if norm is None else norm.offset_shift for norm in self.norms]),
            "ACT_WIDTHS": _list(self.result_widths),
            "UNIT_FRAC": self.unit_frac,
            "WEIGHT_WIDTH": self.weight_width,
            "ACT_WIDTH": self.act_width,
            "SUM_WIDTH": self.sum_width,
            "ROWS": self.rows,
            "COLS": self.cols,
            "ACTS": self.acts,
            "MULTIPLIER": MULTIPLIERS.index(self.multiplier),
            "ARGMAX": int(self.argmax),
            "IDENTITY": self.identity,
        }


def _numbers(text: str | int) -> tuple[int, ...]:
    return tuple(int(n) for n in str(text).split("-"))


def _list(numbers: tuple[int, ...] | list[int]) -> str:
    return "-".join(map(str, numbers))
