"""GAE core, integer model of the whole: commands, streams, registers and flags, without clocks.

An element is one uint64 word: input {lane[63:50], kind[49:48], value[47:24], reward[23:0]}, output
{lane[63:50], kind[49:48], index[47:32], return[31:16], advantage[15:0]}, or with results of more than 16 bits
{lane[63:50], kind[49:48], return[47:24], advantage[23:0]} (docs/gae.md, "Streams").
"""

import copy
from collections import Counter
from dataclasses import fields

import numpy as np

from rlcores.cores.gae import array as gae_array
from rlcores.cores.gae.scale import BOOT, NONE, Derived, ScaleConfig, Scales, Statistics, compute, quantise

RAW_MASK = (1 << 24) - 1


def pack(lanes: np.ndarray, kinds: np.ndarray, rewards: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Input elements, uint64, from integer arrays of one shape; rewards and values are signed 24-bit raw numbers."""
    parts = (np.asarray(x).astype(np.int64) for x in (lanes, kinds, rewards, values))
    lane, kind, reward, value = parts
    word = (lane << 50) | (kind << 48) | ((value & RAW_MASK) << 24) | (reward & RAW_MASK)
    return word.astype(np.uint64)


def _signed(x: np.ndarray, bits: int) -> np.ndarray:
    x = x.astype(np.int64) & ((1 << bits) - 1)
    return x - ((x >> (bits - 1)) << bits)


def unpack_input(words: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Lanes, kinds, raw rewards and raw values of input elements."""
    w = np.asarray(words, dtype=np.uint64)
    kind = ((w >> np.uint64(48)) & np.uint64(3)).astype(np.int64)
    return (w >> np.uint64(50)).astype(np.int64), kind, _signed(w, 24), _signed(w >> np.uint64(24), 24)


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
        return pack(lane, kind, a, g)
    return ((lane << 50) | (kind << 48) | (i << 32) | ((g & 0xFFFF) << 16) | (a & 0xFFFF)).astype(np.uint64)


def unpack_output(
    words: np.ndarray, out_bits: int = 16
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Lanes, kinds, record indices, advantage codes and return codes of output elements.

    words: of one READ from its start, in order, because with OUT_BITS above 16 the index of a record is counted.
    """
    w = np.asarray(words, dtype=np.uint64)
    if out_bits > 16:
        lane, kind, a, g = unpack_input(w)
        index = np.zeros(lane.size, dtype=np.int64)
        order = np.argsort(lane.ravel(), kind="stable")
        lanes_in_order = lane.ravel()[order]
        first = np.searchsorted(lanes_in_order, lanes_in_order, side="left")
        index[order] = np.arange(lane.size) - first
        return lane, kind, index.reshape(lane.shape), a, g
    kind = ((w >> np.uint64(48)) & np.uint64(3)).astype(np.int64)
    index = ((w >> np.uint64(32)) & np.uint64(0xFFFF)).astype(np.int64)
    return (w >> np.uint64(50)).astype(np.int64), kind, index, _signed(w, 16), _signed(w >> np.uint64(16), 16)


class GaeCore:
    """The core, command by command.

    parameters: Verilog parameters by name (configs.yaml). The attributes config (ScaleConfig), scales (Scales) and, of
    a wide core, drop (OUT_DROP) are the registers; flags counts what the sticky flags report, by the flag's name in
    gae.rdl.
    """

    def __init__(self, parameters: dict[str, int]) -> None:
        self.parameters = dict(parameters)
        self.lanes: int = parameters["LANES"]
        self.depth: int = parameters["DEPTH"]
        self.beat: int = parameters["BEAT"]
        self.out_bits: int = parameters["OUT_BITS"]
        self.banks = self.lanes // parameters["INTERLEAVE"]
        self.drop = gae_array.out_drop(self.depth, parameters["QBITS"], self.out_bits)
        self.config = ScaleConfig(
            depth=self.depth,
            storage_qbits=parameters["QBITS"],
            lookahead=parameters["LOOKAHEAD"],
            qbits=parameters["QBITS"],
        )
        self.order_previous = False
        self.scales = Scales()
        # SHIFT, OUT_DROP and the rest, as SCALE last accepted them.
        self.constants: tuple[int, int, Scales, Derived] | None = None
        self.statistics = Statistics(self.beat)
        self.flags: Counter[str] = Counter()
        self.loaded = self.refused = self.clipped_rewards = self.clipped_values = 0
        self.results: gae_array.Results | None = None
        self._empty()

    def _empty(self) -> None:
        # Record d of a lane; DEPTH + 1 places, of which the highest only takes a BOOT.
        shape = (self.lanes, self.depth + 1)
        self.kinds = np.zeros(shape, dtype=np.int64)
        self.reward_codes = np.zeros(shape, dtype=np.int64)
        self.value_codes = np.zeros(shape, dtype=np.int64)
        self.level = np.zeros(self.lanes, dtype=np.int64)
        self.loaded = 0
        self.results = None

    def clear(self) -> None:
        """CLEAR: empty all lanes."""
        self._empty()

    def reset_stats(self) -> None:
        """RESET_STATS: forget the running reward statistics."""
        self.statistics.reset_rewards()

    def measure(self, words: np.ndarray) -> None:
        """MEASURE: one pass of input elements, shape (beats, BEAT) or flat, for the statistics only."""
        self.statistics.new_block()
        self._add_statistics(words)

    def aborted(self, words: np.ndarray, loading: bool) -> None:
        """ABORT cut a pass of MEASURE, or of LOAD, after these beats: only what they counted and flagged stays."""
        statistics = copy.deepcopy(self.statistics)
        level, loaded = self.level.copy(), self.loaded
        self.load(words) if loading else self.measure(words)
        self.statistics, self.loaded = statistics, loaded
        self.level = level
        self.kinds[np.arange(self.depth + 1) >= level[:, None]] = NONE

    def _add_statistics(self, words: np.ndarray) -> None:
        _, kinds, rewards, values = unpack_input(words)
        self.statistics.add(rewards, values, kinds)
        if self.statistics.full:
            self.flags["STATS_FULL"] += 1

    def scale(self) -> bool:
        """SCALE: registers and statistics to scales. False when the configuration is refused (flag CONFIG)."""
        self.scales, derived, report = compute(self.statistics, self.config, self.scales)
        for field in fields(report):
            if getattr(report, field.name):
                self.flags[field.name.upper()] += 1
        if derived is not None:
            self.constants = self.config.shift, self.drop, self.scales, derived
        return derived is not None

    def load(self, words: np.ndarray) -> None:
        """LOAD: one pass of input elements, quantised and pushed in stream order."""
        if self.results is not None:
            self.flags["LOAD_WHILE_COMPUTED"] += 1
            return
        flat = np.asarray(words, dtype=np.uint64).ravel()
        if self.order_previous:
            self.statistics.new_block()
            self._add_statistics(flat)
        lanes, kinds, rewards, values = unpack_input(flat)
        limit, s = self.config.limit, self.scales
        r, r_clipped = quantise(rewards, s.reward_mean, s.reward_inv, s.reward_inv_shift, limit)
        v, v_clipped = quantise(values, s.value_mean, s.value_inv, s.value_inv_shift, limit)
        clipped_rewards = int((r_clipped & ((kinds & 1) == 1)).sum())
        clipped_values = int((v_clipped & (kinds != NONE)).sum())
        self.clipped_rewards += clipped_rewards
        self.clipped_values += clipped_values
        wrong_lane = (lanes >= self.lanes) | (lanes % self.banks % self.beat != np.arange(lanes.size) % self.beat)
        refused_lane = int((wrong_lane & (kinds != NONE)).sum())
        taken = np.flatnonzero((kinds != NONE) & ~wrong_lane)
        refused_full = 0
        for e, lane, kind in zip(taken.tolist(), lanes[taken].tolist(), kinds[taken].tolist(), strict=True):
            level = self.level[lane]
            if level > self.depth or (level == self.depth and kind != BOOT):
                refused_full += 1
                continue
            self.kinds[lane, level] = kind
            self.reward_codes[lane, level] = r[e]
            self.value_codes[lane, level] = v[e]
            self.level[lane] = level + 1
            self.loaded += 1
        self.refused += refused_lane + refused_full
        for flag, count in (
            ("REFUSED_LANE", refused_lane),
            ("REFUSED_FULL", refused_full),
            ("REWARD_CLIPPED", clipped_rewards),
            ("VALUE_CLIPPED", clipped_values),
        ):
            if count:
                self.flags[flag] += count

    def start(self) -> bool:
        """START: run the array. False, with a flag: nothing loaded, a lane without its final BOOT, or no SCALE yet."""
        if self.results is not None or not self.level.any():
            self.flags["NOTHING_LOADED"] += 1
            return False
        used = np.flatnonzero(self.level)
        if np.any(self.kinds[used, self.level[used] - 1] != BOOT):
            self.flags["NO_BOOT"] += 1
            return False
        if self.constants is None:
            self.flags["CONFIG"] += 1
            return False
        self.results = gae_array.run(
            self.kinds,
            self.reward_codes,
            self.value_codes,
            *self.constants,
            self.config.lookahead,
            self.out_bits,
            self.config.formats,
        )
        if self.results.saturated:
            self.flags["OUTPUT_SATURATED"] += self.results.saturated
        return True

    def read(self) -> np.ndarray:
        """READ: results in the order of the stream, shape (beats, BEAT); the lanes are empty afterwards."""
        beats = self.output()
        if len(beats):
            self._empty()
        return beats

    def output(self) -> np.ndarray:
        """What READ sends, while it leaves the lanes as they are."""
        if self.results is None:
            self.flags["NOTHING_COMPUTED"] += 1
            return np.zeros((0, self.beat), dtype=np.uint64)
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
