"""Random and chosen rollouts for the GAE core, as lists of steps that software would do. Knows no simulator."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from rlcores.cores.gae.array import DROP_MAX, out_drop
from rlcores.cores.gae.model import pack
from rlcores.cores.gae.scale import BOOT, GAMMA_ONE, STEP, TERMINATED, GaeFormats, formats
from rlcores.eda import registers

RAW_MAX = (1 << 23) - 1
# A whole rollout in one simulation stays below this, except where a test fills a lane.
RECORDS = 400
# Equal rewards in a row that drive a result into saturation.
LONGEST = 64


@dataclass(frozen=True)
class Write:
    """Write a register."""

    name: str
    value: int


@dataclass(frozen=True)
class Command:
    """Do a command; MEASURE and LOAD bring their pass, one element a word."""

    name: str
    words: np.ndarray | None = None


Step = Write | Command
Record = tuple[int, int, int]  # kind, raw reward, raw value


@dataclass
class RolloutShape:
    """Where lanes are, from the core's parameters."""

    parameters: dict[str, int]
    address: dict[str, int] = field(init=False)  # of registers, by name
    commands: dict[str, int] = field(init=False)  # codes, by name
    lanes: int = field(init=False)
    depth: int = field(init=False)
    beat: int = field(init=False)
    banks: int = field(init=False)
    formats: GaeFormats = field(init=False)
    least_drop: int = field(init=False)  # bits that a result code can leave out, at least
    drop: int = field(init=False)  # and usually

    def __post_init__(self) -> None:
        by_name = registers.load("gae", self.parameters)
        self.address = {name: register.address for name, register in by_name.items()}
        self.commands = dict(by_name["COMMAND"].by_name["code"].values)
        self.formats = formats(self.parameters["DEPTH"], self.parameters["QBITS"])
        drop = out_drop(*(self.parameters[name] for name in ("DEPTH", "QBITS", "OUT_BITS")))
        self.least_drop = 0 if self.formats.wide else drop
        # Of a wide core, what a narrow one would leave out.
        some = self.formats.shift_max - (self.parameters["OUT_BITS"] - self.parameters["QBITS"]) // 2
        self.drop = max(1, some) if self.formats.wide else drop
        self.lanes, self.depth = self.parameters["LANES"], self.parameters["DEPTH"]
        self.beat = self.parameters["BEAT"]
        self.banks = self.lanes // self.parameters["INTERLEAVE"]

    def position(self, lane: int) -> int:
        """The element of a beat that may carry this lane."""
        return lane % self.banks % self.beat


class Raw:
    """A source of raw numbers: one distribution, drawn for a whole rollout."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.style = rng.choice(["constant", "tiny", "normal", "normal", "large", "tails", "edges"])
        self.centre = rng.choice([0, 0, rng.randint(-1000, 1000), rng.randint(-RAW_MAX // 2, RAW_MAX // 2)])
        self.spread = {"tiny": 1, "large": RAW_MAX / 3}.get(self.style, 10 ** rng.uniform(0.5, 5))

    def __call__(self) -> int:
        rng = self.rng
        if self.style == "constant":
            x = self.centre
        elif self.style == "edges":
            x = rng.choice([-RAW_MAX - 1, RAW_MAX, 0, -1, 1])
        else:
            x = self.centre + rng.gauss(0, self.spread) * (rng.choice([1, 1, 1, 30]) if self.style == "tails" else 1)
        return max(-RAW_MAX - 1, min(RAW_MAX, round(x)))


def noise(rng: random.Random, shape: RolloutShape, position: int) -> int:
    """An element that is not there: kind NONE, anything in its other bits."""
    return rng.getrandbits(64) & ~(3 << 48)


def beats(
    rng: random.Random,
    shape: RolloutShape,
    lanes: dict[int, Sequence[Record]],
    holes: float = 0.0,
    wrong: Sequence[tuple[int, int]] = (),
) -> np.ndarray:
    """One pass: the records of each lane in their order, mixed at random over beats; uint64, whole beats.

    holes: share of places left empty; wrong: (place in a beat, whole element) that must be refused, put anywhere.
    """
    queues: list[list[list[int]]] = [[] for _ in range(shape.beat)]
    for lane, records in lanes.items():
        if len(records):
            kinds, rewards, values = (np.array(x) for x in zip(*records, strict=True))
            words = pack(np.full(len(kinds), lane), kinds, rewards, values).tolist()
            queues[shape.position(lane)].append(words[::-1])
    for place, word in wrong:
        queues[place].append([word])
    out: list[int] = []
    while any(queues) or not out:
        for place in range(shape.beat):
            queue = queues[place]
            if queue and rng.random() >= holes:
                chosen = rng.randrange(len(queue))
                out.append(queue[chosen].pop())
                if not queue[chosen]:
                    queue.pop(chosen)
            else:
                out.append(noise(rng, shape, place))
    return np.array(out, dtype=np.uint64)


def episode_records(
    rng: random.Random, steps: int, reward: Callable[[], int], value: Callable[[], int]
) -> list[Record]:
    """One lane: steps with terminations and truncations anywhere, ended by a BOOT."""
    ends = rng.choice([0.0, 0.05, 0.2, 0.6, 1.0])
    cuts = rng.choice([0.0, 0.0, 0.1, 0.4])
    records: list[Record] = []
    while len(records) < steps:
        if rng.random() < cuts:
            records.append((BOOT, reward(), value()))
        else:
            records.append((TERMINATED if rng.random() < ends else STEP, reward(), value()))
    return [*records, (BOOT, reward(), value())]


def lane_lengths(rng: random.Random, shape: RolloutShape) -> dict[int, int]:
    """Records before the final BOOT, for each lane that is used."""
    fair = max(1, min(shape.depth, RECORDS // shape.lanes))
    style = rng.choice(["equal", "random", "random", "few", "short", "one long"])
    if style == "equal":
        length = rng.randint(1, fair)
        return dict.fromkeys(range(shape.lanes), length)
    if style == "random":
        return {lane: rng.randint(0, fair) for lane in range(shape.lanes) if rng.random() < 0.85} or {0: 1}
    if style == "few":
        lanes = rng.sample(range(shape.lanes), rng.randint(1, min(3, shape.lanes)))
        return {lane: rng.randint(0, min(shape.depth, RECORDS // 3)) for lane in lanes}
    if style == "short":
        return {lane: rng.randint(0, 2) for lane in range(shape.lanes)}
    lengths = {lane: rng.randint(0, min(4, shape.depth)) for lane in range(shape.lanes)}
    lengths[rng.randrange(shape.lanes)] = min(shape.depth, RECORDS // 2)
    return lengths


def configuration(rng: random.Random, parameters: dict[str, int]) -> list[Step]:
    """Registers of a rollout, any legal ones."""
    qbits, known = parameters["QBITS"], formats(parameters["DEPTH"], parameters["QBITS"])
    highest = known.shift_max
    gamma = rng.choice([0, GAMMA_ONE, round(0.99 * GAMMA_ONE), round(0.95 * GAMMA_ONE), rng.randint(0, GAMMA_ONE)])
    gae_lambda = rng.choice([0, GAMMA_ONE, round(0.95 * GAMMA_ONE), rng.randint(0, GAMMA_ONE)])
    reward_auto, value_auto, previous = rng.random() < 0.8, rng.random() < 0.8, rng.random() < 0.4
    shift = rng.choice([highest, highest, rng.randint(0, highest)])
    values: dict[str, int] = {
        "CONTROL": reward_auto | value_auto << 1 | previous << 2,
        "QBITS": rng.choice([qbits, qbits, rng.randint(3, qbits)]),
        "CLIP": rng.choice([1024, 1024, 256, rng.randint(1, 5000)]),
        "SHIFT": shift,
        "VALUE_POINT": rng.randint(8, 24) if value_auto else rng.randint(-128, 127) & 0xFF,
        "GAMMA": gamma,
        "GAMMA_LAMBDA": gamma * gae_lambda >> 31,
        "REWARD_OFFSET": rng.choice([0, 0, rng.randint(-1000, 1000), rng.choice([1, -1]) * known.reward_offset_max])
        & ((1 << known.reward_offset_bits) - 1),
    }
    if known.wide:
        values["OUT_DROP"] = rng.choice([0, DROP_MAX, rng.randint(0, DROP_MAX), *[rng.randint(1, 16)] * 3])
    values["VALUE_POINT"] &= 0xFF
    if not reward_auto:
        values |= manual_scale(rng, "REWARD")
    if not value_auto:
        scale = rng.randint(0, known.scale_max) >> rng.choice([0, rng.randint(0, 20)])
        most, bits = known.value_offset_max, known.value_offset_bits
        offset = (rng.randint(-most, most) >> rng.choice([0, rng.randint(0, bits - 6)])) & ((1 << bits) - 1)
        values |= manual_scale(rng, "VALUE")
        values |= {"VALUE_SCALE": scale, "VALUE_OFFSET_LO": offset & 0xFFFFFFFF, "VALUE_OFFSET_HI": offset >> 32}
    names = list(values)
    # CONTROL first: a scale register may be written at any time, but only stays where AUTO is off.
    rng.shuffle(names)
    return [Write(name, values[name]) for name in names]


def coefficient_scale(shape: RolloutShape, limit: int, largest: float = 1.0) -> dict[str, int]:
    """Registers of a core with TRACE with which raw numbers -limit … limit are coefficients 0 … largest."""
    known = shape.formats
    one = 1 << known.coefficient
    top = round(largest * one) - one
    slope = ((top + one) << known.fraction) // (2 * limit)
    start = ((top << known.fraction) - limit * slope) & ((1 << known.value_offset_bits) - 1)
    codes = {"VALUE_MEAN": 0, "VALUE_INV": 1 << 14, "VALUE_INV_SHIFT": 16}
    return {**codes, "VALUE_SCALE": slope, "VALUE_OFFSET_LO": start & 0xFFFFFFFF, "VALUE_OFFSET_HI": start >> 32}


def manual_scale(rng: random.Random, side: str) -> dict[str, int]:
    """Scale registers as software writes them, any values."""
    return {
        f"{side}_MEAN": rng.randint(-1 << 26, (1 << 26) - 1) >> rng.randint(0, 26) & ((1 << 27) - 1),
        f"{side}_INV": rng.randint(0, (1 << 17) - 1),
        f"{side}_INV_SHIFT": rng.choice([rng.randint(0, 63), rng.randint(8, 30)]),
    }


def wrong_elements(rng: random.Random, shape: RolloutShape, count: int) -> list[tuple[int, int]]:
    """Elements that must be refused: a lane that does not exist, or one that belongs elsewhere in the beat."""
    elements = []
    while len(elements) < count:
        place, lane = rng.randrange(shape.beat), rng.randrange(1 << 14)
        if rng.random() < 0.5:
            lane %= shape.lanes
        if lane >= shape.lanes or shape.position(lane) != place:
            kind = rng.choice([STEP, BOOT, TERMINATED])
            elements.append((place, lane << 50 | kind << 48 | rng.getrandbits(48)))
        elif shape.lanes == 1 << 14 and shape.beat == 1:
            break
    return elements


def rollout_steps(
    rng: random.Random,
    shape: RolloutShape,
    settings: list[Step],
    lanes: dict[int, Sequence[Record]],
    holes: float = 0.0,
    wrong: Sequence[tuple[int, int]] = (),
    start: bool = True,
) -> list[Step]:
    """Settings, then the commands of a rollout in the order of statistics that the settings choose."""
    control = next((s.value for s in settings if isinstance(s, Write) and s.name == "CONTROL"), 3)
    words = beats(rng, shape, lanes, holes, wrong)
    steps = list(settings)
    if not control & 4:
        steps.append(Command("MEASURE", words))
    steps.append(Command("SCALE"))
    # Several passes load as one does: cut at any beat.
    cut = rng.randrange(len(words) // shape.beat) * shape.beat if rng.random() < 0.3 else 0
    steps += [Command("LOAD", part) for part in (words[:cut], words[cut:]) if len(part)]
    return [*steps, Command("START"), Command("READ")] if start else steps


def random_rollout(rng: random.Random, shape: RolloutShape) -> list[Step]:
    """A whole rollout, from settings to results."""
    settings = configuration(rng, shape.parameters)
    if rng.random() < 0.2:
        settings.append(Command("RESET_STATS"))
    if rng.random() < 0.1:
        settings.append(Command("CLEAR"))
    reward, value = Raw(rng), Raw(rng)
    if shape.parameters.get("TRACE") and rng.random() < 0.8:
        limit = (1 << (next(s.value for s in settings if s.name == "QBITS") - 1)) - 1
        settings = [s if s.name != "CONTROL" else Write("CONTROL", s.value & ~2) for s in settings]
        scale = coefficient_scale(shape, limit, rng.choice([1.0, 1.0, rng.random()]))
        settings += [Write(name, number) for name, number in scale.items()]
        value = partial(rng.randint, -limit, limit)
    lengths = lane_lengths(rng, shape)
    lanes = {lane: episode_records(rng, n, reward, value) for lane, n in lengths.items()}
    wrong = wrong_elements(rng, shape, rng.randint(1, 5)) if rng.random() < 0.3 else []
    return rollout_steps(rng, shape, settings, lanes, rng.choice([0.0, 0.2, 0.6]), wrong)
