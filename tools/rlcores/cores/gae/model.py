"""GAE core, integer model of the whole behind the bus of its RTL, so that one driver serves both: without clocks.

An element is one uint64 word, field by field in words.py: ELEMENT comes; RESULT leaves, or with results of more than 16
bits WIDE (docs/gae.md, "Streams").
"""

import copy
from collections import deque
from collections.abc import Mapping
from dataclasses import asdict, dataclass

import numpy as np

from rlcores.buses.bus import BusError
from rlcores.cores.gae import array as gae_array
from rlcores.cores.gae.scale import BOOT, NONE, Derived, ScaleConfig, Scales, Statistics, compute, quantise
from rlcores.cores.gae.words import ELEMENT, RESULT, WIDE, field, kinds_of, lanes_of, packed, signed
from rlcores.eda import registers

# Fields of Scales that are registers of their own.
_SCALES = (
    "reward_mean", "reward_inv", "reward_inv_shift", "value_mean", "value_inv", "value_inv_shift", "value_scale",
    "reward_offset",
)  # fmt: skip
_SIGNED = ("VALUE_POINT", "REWARD_MEAN", "VALUE_MEAN", "VALUE_SCALE", "REWARD_OFFSET")
_CONFIG = (*range(0x28, 0x6C, 4), 0xC4)  # CONTROL … REWARD_OFFSET, OUT_DROP
# Registers whose writes the core refuses when the value is wider than the field.
_CHECKED = ("QBITS", "CLIP", "SHIFT", "REWARD_INV_SHIFT", "VALUE_INV_SHIFT", "OUT_DROP")
_ABORT, _AUTO_RUN = 8, 16  # of COMMAND
_IN_THE_WAY = ("CLEAR", "START", "READ")  # of automatic rollouts


def pack(lanes: np.ndarray, kinds: np.ndarray, rewards: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Input elements, uint64, from integer arrays of one shape; rewards and values are signed 24-bit raw numbers."""
    parts = (np.asarray(x).astype(np.int64) for x in (lanes, kinds, rewards, values))
    lane, kind, reward, value = parts
    return packed(ELEMENT, lane=lane, kind=kind, value=value, reward=reward)


def unpack_input(words: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Lanes, kinds, raw rewards and raw values of input elements."""
    w = np.asarray(words, dtype=np.uint64)
    return lanes_of(w), kinds_of(w), signed(w, ELEMENT, "reward"), signed(w, ELEMENT, "value")


def pack_output(
    lanes: np.ndarray,
    kinds: np.ndarray,
    index: np.ndarray,
    advantages: np.ndarray,
    returns: np.ndarray,
    out_bits: int = 16,
) -> np.ndarray:
    """Output elements, uint64, from integer arrays of one shape; with OUT_BITS above 16 the index is not in them."""
    parts = (np.asarray(x).astype(np.int64) for x in (lanes, kinds, index, advantages, returns))
    lane, kind, i, a, g = parts
    if out_bits > 16:
        return packed(WIDE, lane=lane, kind=kind, returned=g, advantage=a)
    return packed(RESULT, lane=lane, kind=kind, index=i, returned=g, advantage=a)


def unpack_output(
    words: np.ndarray, out_bits: int = 16
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Lanes, kinds, record indices, advantage codes and return codes of output elements.

    words: of one READ from its start, in order, because with OUT_BITS above 16 the index of a record is counted.
    """
    w = np.asarray(words, dtype=np.uint64)
    if out_bits > 16:
        lane = lanes_of(w)
        index = np.zeros(lane.size, dtype=np.int64)
        order = np.argsort(lane.ravel(), kind="stable")
        lanes_in_order = lane.ravel()[order]
        first = np.searchsorted(lanes_in_order, lanes_in_order, side="left")
        index[order] = np.arange(lane.size) - first
        index = index.reshape(lane.shape)
        return lane, kinds_of(w), index, signed(w, WIDE, "advantage"), signed(w, WIDE, "returned")
    index = field(w, RESULT, "index")
    return lanes_of(w), kinds_of(w), index, signed(w, RESULT, "advantage"), signed(w, RESULT, "returned")


@dataclass(frozen=True)
class Sent:
    """An automatic rollout: what its READ gives, and what is said of its run when it has been sent."""

    beats: np.ndarray
    elements: int
    saturated: int


class GaeModelBus:
    """rlcores.buses.bus.Bus over the integer model: every register, command, flag and counter that has no clock.

    Cycles and stalls read 0, because the model knows no clock. config, scales and drop are what the registers say,
    constants what SCALE made of them.
    """

    def __init__(self, parameters: Mapping[str, int]) -> None:
        """parameters: Verilog parameters by name, as configs.yaml has them."""
        self.parameters = dict(parameters)
        self.lanes: int = parameters["LANES"]
        self.depth: int = parameters["DEPTH"]
        self.beat: int = parameters["BEAT"]
        self.out_bits: int = parameters["OUT_BITS"]
        self.stacks: int = parameters.get("STACKS", 1)
        self.banks = self.lanes // parameters["INTERLEAVE"]
        self._map = registers.load("gae", parameters)
        self._names = {r.address: r.name for r in self._map.values()}
        self._words = {r.name: r.reset for r in self._map.values()}
        self._codes = {code: name for name, code in self._map["COMMAND"].by_name["code"].values.items()}
        self._pending = ""  # MEASURE or LOAD, waiting for its pass
        self._auto_run = False  # whether the rollout of that LOAD goes on by itself
        self._gone = False  # whether what LOADED counted is of an automatic rollout
        self._sending: np.ndarray | None = None  # what READ gives
        self.way: deque[Sent] = deque()  # automatic rollouts, the oldest first
        # SHIFT, OUT_DROP and the rest, as SCALE last accepted them.
        self.constants: tuple[int, int, Scales, Derived] | None = None
        self.statistics = Statistics(self.beat)
        self._clear()

    def _clear(self) -> None:
        self._empty()
        self._words["LOADED"] = 0

    def _empty(self) -> None:
        # Record d of a lane; DEPTH + 1 places, of which the highest only takes a BOOT.
        shape = (self.lanes, self.depth + 1)
        self.kinds = np.zeros(shape, dtype=np.int64)
        self.reward_codes = np.zeros(shape, dtype=np.int64)
        self.value_codes = np.zeros(shape, dtype=np.int64)
        self.level = np.zeros(self.lanes, dtype=np.int64)
        self.results: gae_array.GaeArrayResults | None = None

    # --- registers ---

    def read(self, address: int) -> int:
        """The register at a byte address."""
        name = self._name(address)
        return self._live().get(name, self._words[name])

    def write(self, address: int, value: int) -> None:
        """Write a register, with the effects that the RTL has."""
        name = self._name(address)
        value &= 0xFFFFFFFF
        mask = self._map[name].mask("rw")
        if name == "COMMAND" and value & _ABORT and value < 2 * _ABORT:
            self.abort()
        elif self._untimely(name, address, value):
            self._flag("BUSY")
        elif name == "COMMAND":
            is_load = self._codes.get(value & ~_AUTO_RUN) == "LOAD"
            self._auto_run = self.stacks > 1 and value & _AUTO_RUN != 0 and is_load
            self._command("LOAD" if self._auto_run else self._codes.get(value))
        elif name in ("FLAGS", "IRQ_STATUS"):
            self._words[name] &= ~value
        elif name in _CHECKED and mask and value & ~mask:
            self._flag("CONFIG")
        else:
            self._words[name] = self._words[name] & ~mask | value & mask

    def _untimely(self, name: str, address: int, value: int) -> bool:
        if name == "COMMAND":
            return self._busy or (bool(self.way) and self._codes.get(value) in _IN_THE_WAY)
        return self._busy and address in _CONFIG

    def _name(self, address: int) -> str:
        if address not in self._names:
            raise BusError(f"the access to 0x{address:X} was answered with SLVERR")
        return self._names[address]

    def _flag(self, name: str, count: int = 1) -> None:
        if count:
            self._words["FLAGS"] |= self._map["FLAGS"].by_name[name].mask
            self._words["IRQ_STATUS"] |= 2

    @property
    def _busy(self) -> bool:
        return bool(self._pending) or self._sending is not None

    def _number(self, name: str) -> int:
        value = self._words[name]
        bits = self._map[name].mask("rw").bit_length()
        return value - ((value >> (bits - 1)) << bits) if name in _SIGNED else value

    @property
    def config(self) -> ScaleConfig:
        """What SCALE reads of parameters and registers."""
        p, w = self.parameters, self._words
        return ScaleConfig(
            depth=self.depth,
            storage_qbits=p["QBITS"],
            lookahead=p["LOOKAHEAD"],
            reward_auto=bool(w["CONTROL"] & 1),
            value_auto=bool(w["CONTROL"] & 2),
            value_point=self._number("VALUE_POINT"),
            **{name: w[name.upper()] for name in ("qbits", "clip", "shift", "gamma", "gamma_lambda")},
        )

    @property
    def order_previous(self) -> bool:
        """Whether LOAD measures as it loads."""
        return bool(self._words["CONTROL"] & 4)

    @property
    def drop(self) -> int:
        """OUT_DROP, of a narrow core for ever the same."""
        if self.config.formats.wide:
            return self._words["OUT_DROP"]
        return gae_array.out_drop(self.depth, self.parameters["QBITS"], self.out_bits)

    @property
    def scales(self) -> Scales:
        """The scale registers."""
        offset, bits = self._words["VALUE_OFFSET_HI"] << 32 | self._words["VALUE_OFFSET_LO"], self._offset_bits
        codes = {name: self._number(name.upper()) for name in _SCALES}
        return Scales(value_offset=offset - ((offset >> (bits - 1)) << bits), **codes)

    @scales.setter
    def scales(self, scales: Scales) -> None:
        offset = scales.value_offset & ((1 << self._offset_bits) - 1)
        self._words |= {"VALUE_OFFSET_LO": offset & 0xFFFFFFFF, "VALUE_OFFSET_HI": offset >> 32}
        for name in _SCALES:
            self._words[name.upper()] = getattr(scales, name) & self._map[name.upper()].mask("rw")

    @property
    def _offset_bits(self) -> int:
        return self.config.formats.value_offset_bits

    def _live(self) -> dict[str, int]:
        computed = self.results is not None
        words = {"STATUS": self._busy | bool(self.level.any()) << 1 | computed << 2 | len(self.way) << 9}
        for name, sums in (("REWARD", self.statistics.rewards), ("VALUE", self.statistics.values)):
            words |= {f"{name}_COUNT_LO": sums.n & 0xFFFFFFFF, f"{name}_COUNT_HI": sums.n >> 32}
            words |= {f"{name}_SUM_LO": sums.total & 0xFFFFFFFF, f"{name}_SUM_HI": sums.total >> 32 & 0xFFFFFFFF}
            words |= {f"{name}_SQR_{i}": sums.squares >> (32 * i) & 0xFFFFFFFF for i in range(3)}
        return words

    # --- commands ---

    def _command(self, name: str | None) -> None:
        if name is None:
            self._flag("BAD_COMMAND")
        elif name == "LOAD" and self.results is not None:
            self._flag("LOAD_WHILE_COMPUTED")
        elif name in ("MEASURE", "LOAD"):
            self._pending = name
            if name == "LOAD" and self._gone:
                self._words["LOADED"], self._gone = 0, False
        elif name == "READ" and self.results is None:
            self._flag("NOTHING_COMPUTED")
        elif name == "READ":
            self._sending = self._output()
        elif name != "START" or self._start():
            # A refused START or READ is over at once, without `done`; SCALE looks at its registers first, then it ends.
            others = {"CLEAR": self._clear, "RESET_STATS": self.statistics.reset_rewards, "SCALE": self._scale}
            others.get(name, lambda: None)()
            self._done()

    def _done(self) -> None:
        self._words["IRQ_STATUS"] |= 1

    def send(self, beats: np.ndarray) -> None:
        """The pass that MEASURE or LOAD waits for: input elements, uint64 (beats, BEAT)."""
        if not self._pending:
            raise BusError("the core takes no beats: neither MEASURE nor LOAD runs")
        if self._pending == "LOAD" and len(self.way) == self.stacks:
            raise BusError("the core takes no beats: rollouts that nobody takes stand on all its stacks")
        command, self._pending = self._pending, ""
        self._take(command, beats)
        if self._auto_run:
            self._hand_on()
        self._done()

    def exchange(self, beats: np.ndarray, count: int) -> np.ndarray:
        """Send one pass, and take the oldest rollout on its way, of `count` beats."""
        self.send(beats)
        return self.receive(count)

    def _take(self, command: str, beats: np.ndarray) -> None:
        flat = np.asarray(beats, dtype=np.uint64).ravel()
        lanes, kinds, rewards, values = unpack_input(flat)
        if command == "MEASURE" or self.order_previous:
            self.statistics.new_block()
            self.statistics.add(rewards, values, kinds)
            self._flag("STATS_FULL", self.statistics.full)
        if command == "LOAD":
            self._load(lanes, kinds, rewards, values)

    def abort(self, taken: np.ndarray | None = None) -> None:
        """ABORT, always accepted; taken: the beats of an open pass that the core had taken."""
        command, self._pending, self._sending, self._auto_run = self._pending, "", None, False
        self.way.clear()
        if command and taken is not None and len(taken):
            # Only what they counted and flagged stays.
            statistics, level, loaded = copy.copy(self.statistics), self.level.copy(), self._words["LOADED"]
            self._take(command, taken)
            self.statistics, self.level, self._words["LOADED"] = statistics, level, loaded
            self.kinds[np.arange(self.depth + 1) >= level[:, None]] = NONE
        self._done()

    def receive(self, capacity: int) -> np.ndarray:
        """The results of READ."""
        if self._sending is None and not self.way:
            raise BusError("the core sends no beats: READ does not run")
        taken = self.way[0].beats if self.way else self._sending
        if len(taken) > capacity:
            raise BusError(f"the core sent {len(taken)} beats; at most {capacity} were expected")
        if self.way:
            sent = self.way.popleft()
            self._words["SENT"] = (self._words["SENT"] + 1) & 0xFFFFFFFF
            self._report(sent.elements, sent.saturated)
        else:
            self._sending = None
            self._clear()
            self._done()
        return taken

    def wait_irq(self) -> None:
        """Return when the interrupt is high; here it is at once or never."""
        if not self._words["IRQ_STATUS"] & self._words["IRQ_ENABLE"]:
            raise BusError("an interrupt did not happen")

    def _scale(self) -> None:
        """SCALE: registers and statistics to scales."""
        config = self.config
        scales, derived, report = compute(self.statistics, config, self.scales)
        self.scales = scales
        for name, raised in asdict(report).items():
            self._flag(name.upper(), raised)
        if derived is not None:
            self.constants = config.shift, self.drop, scales, derived

    def _load(self, lanes: np.ndarray, kinds: np.ndarray, rewards: np.ndarray, values: np.ndarray) -> None:
        """LOAD: elements, quantised and pushed in stream order."""
        limit, s = self.config.limit, self.scales
        r, r_clipped = quantise(rewards, s.reward_mean, s.reward_inv, s.reward_inv_shift, limit)
        v, v_clipped = quantise(values, s.value_mean, s.value_inv, s.value_inv_shift, limit)
        wrong_lane = (lanes >= self.lanes) | (lanes % self.banks % self.beat != np.arange(lanes.size) % self.beat)
        taken = np.flatnonzero((kinds != NONE) & ~wrong_lane)
        refused = 0
        for e, lane, kind in zip(taken.tolist(), lanes[taken].tolist(), kinds[taken].tolist(), strict=True):
            level = self.level[lane]
            if level > self.depth or (level == self.depth and kind != BOOT):
                refused += 1
                continue
            self.kinds[lane, level] = kind
            self.reward_codes[lane, level] = r[e]
            self.value_codes[lane, level] = v[e]
            self.level[lane] = level + 1
        for flag, counter, count in (
            ("REFUSED_LANE", "REFUSED", int((wrong_lane & (kinds != NONE)).sum())),
            ("REFUSED_FULL", "REFUSED", refused),
            ("REWARD_CLIPPED", "CLIPPED_REWARDS", int((r_clipped & ((kinds & 1) == 1)).sum())),
            ("VALUE_CLIPPED", "CLIPPED_VALUES", int((v_clipped & (kinds != NONE)).sum())),
        ):
            self._flag(flag, count)
            self._words[counter] += count
        self._words["LOADED"] += taken.size - refused

    def _hand_on(self) -> None:
        """An automatic rollout runs, and is on its way to the output; where START would be refused, it stays."""
        self._auto_run = False
        if self._run():
            self.way.append(Sent(self._output(), int((self.kinds & 1).sum()), self.results.saturated))
            self._empty()
            self._gone = True

    def _start(self) -> bool:
        """START: whether it was accepted."""
        accepted = self._run()
        if accepted:
            self._report(int((self.kinds & 1).sum()), self.results.saturated)
        return accepted

    def _report(self, elements: int, saturated: int) -> None:
        self._words |= {"ELEMENTS": elements, "SATURATED": saturated}
        self._flag("OUTPUT_SATURATED", saturated)

    def _run(self) -> bool:
        """Run the array. False, with a flag: nothing loaded, a lane without its final BOOT, or no SCALE yet."""
        used = np.flatnonzero(self.level)
        if self.results is not None or not used.size:
            self._flag("NOTHING_LOADED")
        elif np.any(self.kinds[used, self.level[used] - 1] != BOOT):
            self._flag("NO_BOOT")
        elif self.constants is None:
            self._flag("CONFIG")
        else:
            self.results = gae_array.run(
                self.kinds,
                self.reward_codes,
                self.value_codes,
                *self.constants,
                self.parameters["LOOKAHEAD"],
                self.out_bits,
                self.config.formats,
                bool(self.parameters.get("TRACE")),
            )
            return True
        return False

    def _output(self) -> np.ndarray:
        """What READ sends: results in the order of the stream, (beats, BEAT)."""
        beats = []
        for first in range(0, self.lanes, self.beat):
            lanes = np.arange(first, first + self.beat)
            length = int(self.level[lanes].max())
            present = np.arange(length)[:, None] < self.level[lanes]
            beats.append(
                pack_output(
                    np.broadcast_to(lanes, present.shape),
                    np.where(present, self.kinds[lanes, :length].T, NONE),
                    np.broadcast_to(np.arange(length)[:, None], present.shape),
                    np.where(present, self.results.advantages[lanes, :length].T, 0),
                    np.where(present, self.results.returns[lanes, :length].T, 0),
                    self.out_bits,
                )
            )
        return np.concatenate(beats)
