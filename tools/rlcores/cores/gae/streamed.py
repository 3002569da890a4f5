"""Rollouts through a GAE core behind a bus: records in, codes out, joined where the lanes are too short."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from rlcores.buses.bus import Bus
from rlcores.cores.gae import scales as gae_scales
from rlcores.cores.gae.driver import GaeDriver, GaeError, Passed, Sums
from rlcores.cores.gae.float64 import rollout as float_gae
from rlcores.cores.gae.model import pack, unpack_output
from rlcores.cores.gae.moments import Moments, scaled
from rlcores.cores.gae.rollout import Rollout, check
from rlcores.cores.gae.scale import NONE, formats
from rlcores.cores.gae.scales import Centred, Scales
from rlcores.cores.gae.words import kinds_of


def pieces(truncated: np.ndarray, depth: int) -> list[tuple[int, int]]:
    """Steps first … last-1 of runs that fit lanes of `depth` records."""
    steps = len(truncated)
    cuts = np.cumsum(truncated, axis=0)
    runs, first = [], 0
    while first < steps:
        # The last BOOT of a lane is held beside the stack, and a truncation in the last step needs no other one.
        last = min(first + depth, steps)
        before = cuts[first - 1] if first else 0
        while last - first + int((cuts[last - 2] - before).max() if last - first > 1 else 0) > depth:
            last -= 1
        runs.append((first, last))
        first = last
    return runs


def rms(rollout: Rollout, gamma: float, gae_lambda: float, advantages: np.ndarray) -> float:
    """Root mean square distance of advantages to the float64 GAE of a rollout."""
    r = rollout
    right = float_gae(r.rewards, r.values, r.terminated, r.truncated, r.bootstrap, r.final_values, gamma, gae_lambda)[0]
    largest = float(np.abs(right).max()) or 1.0
    return largest * math.sqrt(gae_scales.total((advantages / largest - right / largest) ** 2) / right.size)


class Streamed:
    """One core. load, then sums and scale if wanted, attempts at scales, and what the best one gave.

    held: the rollout, of which scales.centre() asks.
    """

    def __init__(self, bus: Bus) -> None:
        """Raises GaeError when another core answers."""
        self.driver = GaeDriver(bus)
        self.shape = self.driver.shape

    def load(self, *inputs: ArrayLike) -> None:
        """Hold a rollout, as rlcores.cores.gae.rollout.check() takes it."""
        self.driver.take_flags()
        self.held = gae_scales.Numbers(check(*inputs))

    def clear(self) -> None:
        """Forget what a rollout left on the lanes."""
        self.driver.clear()

    def scale(self, known: Moments, scaling: str) -> None:
        """Its rewards from now on as `scaling` says."""
        rollout = self.held.rollout
        self.held = gae_scales.Numbers(replace(rollout, rewards=scaled(rollout.rewards, known, scaling)))

    def sums(self, centred: Centred, point: int) -> Sums:
        """The core's exact sums of the deviations of rewards with `point` fraction bits."""
        rollout = centred.held.rollout
        raw = gae_scales.raw(centred.held.deviations, point)
        self.driver.reset_statistics()
        self.driver.measure(self._beats(rollout, raw, np.zeros(rollout.kinds.shape, np.int64), 0, raw.shape[1]))
        return self.driver.statistics("REWARD")

    def begin(self, qbits: int, gamma: float, gae_lambda: float) -> None:
        """What all attempts at a rollout have in common."""
        self._gamma, self._lambda = gamma, gae_lambda
        self.driver.write("QBITS", qbits)
        self.driver.write("GAMMA", round(gamma * 2**31))
        self.driver.write("GAMMA_LAMBDA", round(gamma * gae_lambda * 2**31))
        self.driver.control(reward_auto=False, value_auto=False, order_previous=False)

    def attempt(self, scales: Scales) -> int:
        """Run all of a rollout at these scales: the largest |code| of an advantage.

        Raises GaeError as GaeDriver.stream() does.
        """
        driver, rollout = self.driver, scales.centred.held.rollout
        scales.write(driver, formats(self.shape.depth, self.shape.qbits).wide)
        driver.scale()
        before = driver.counters()
        self._advantages = np.zeros(rollout.rewards.shape)
        self._counters: list[Passed] = []
        peak, (rewards, values) = 0, scales.raw
        powers = gae_scales.powers(self._gamma * self._lambda, self.shape.depth)
        # Every group of lanes of every piece, so that a core with two stacks always has the next one at hand.
        in_time = reversed(pieces(rollout.truncated, self.shape.depth))
        cuts = [(piece, lanes) for piece in in_time for lanes in self._groups()]
        parts = {first: rollout.part(first, last) for (first, last), _ in cuts}

        def passes() -> Iterator[np.ndarray]:
            for (first, last), lanes in cuts:
                rows = values[2 * first : 2 * last].copy()
                if last < len(rollout.rewards):
                    rows[-1] = np.where(parts[first].truncated[-1], rows[-1], values[2 * last])
                yield self._beats(parts[first], rewards[first:last], rows, *lanes)

        for ((first, last), lanes), passed in zip(cuts, driver.stream(passes()), strict=True):
            self._counters.append(passed)
            codes = self._codes(parts[first], passed, *lanes)
            peak = max(peak, int(np.abs(codes).max()))
            self._advantages[first:last, slice(*lanes)] = codes * scales.result_step
            if lanes[1] < rollout.rewards.shape[1] or last == len(rollout.rewards):
                continue
            # All lanes of the piece are there: it goes on from the one after it, by what its last step hands on.
            part, advantages = parts[first], self._advantages[first:last]
            ends = (part.terminated | part.truncated)[::-1]
            open_end = ~np.logical_or.accumulate(ends, axis=0)[::-1]
            ahead = powers[last - first : 0 : -1, None]
            advantages += np.where(open_end, ahead * self._advantages[last], 0.0)
        after = driver.counters()
        self.clipped = tuple(
            (getattr(after, name) - getattr(before, name)) % (1 << 32) for name in ("clipped_rewards", "clipped_values")
        )
        return peak

    def outcome(self, scales: Scales, clip: float | None, whole: bool = True) -> dict:
        """Advantages and returns of the last attempt; if `whole` all that Result tells."""
        centred, held = scales.centred, scales.centred.held
        rollout, restored = held.rollout, centred.restored
        rewards, values = scales.seen()
        constant_reward, constant_value = centred.reward_centre, centred.value_centre
        own = 0.0
        if clip is None:
            # What rounding took off on average is a constant too; the rest of it is known where it counts most, in the
            # reward and the value of the advantage's own step.
            lost, lost_values = held.deviations - rewards, held.rows - values
            mean = gae_scales.total(lost) / lost.size
            mean_value = gae_scales.total(lost_values) / int((rollout.kinds != NONE).sum())
            constant_reward, constant_value = constant_reward + mean, constant_value + mean_value
            own = (lost - mean) - (lost_values[0::2] - mean_value)
        rest = own + gae_scales.constant_gae(rollout, self._gamma, self._lambda, constant_reward, constant_value)
        advantages = restored(self._advantages + rest)
        outcome = {"advantages": advantages, "returns": advantages + rollout.values}
        if not whole:
            return outcome
        values = restored(values + constant_value)
        return outcome | {
            "rewards": restored(rewards + constant_reward),
            "values": values[0::2],
            "bootstrap": values[-1],
            "final_values": np.where(rollout.truncated, values[1::2], np.nan),
            "cycles": sum(c.cycles for c in self._counters),
            "elements": sum(c.elements for c in self._counters),
            "stalls": sum(c.stalls for c in self._counters),
            "error": lambda: rms(rollout, self._gamma, self._lambda, advantages),
        }

    def take_flags(self) -> frozenset[str]:
        """Notices since load()."""
        return self.driver.take_flags()

    # --- records ---

    def _beats(self, rollout: Rollout, rewards: np.ndarray, values: np.ndarray, first: int, last: int) -> np.ndarray:
        """The stream of environments first … last-1 on lanes 0 …, wrapping at LANES: uint64 (beats, BEAT)."""
        beat = self.shape.beat
        kinds = rollout.kinds[:, first:last]
        rows, lanes = kinds.shape
        padded = -(-lanes // beat) * beat
        element = np.zeros((rows, padded), np.uint64)
        both = np.zeros((rows, lanes), np.int64)
        both[0::2] = rewards[:, first:last]
        lane = np.broadcast_to(np.arange(lanes) % self.shape.lanes, kinds.shape)
        element[:, :lanes] = np.where(kinds == NONE, np.uint64(0), pack(lane, kinds, both, values[:, first:last]))
        beats = element.reshape(-1, beat)
        return beats[(kinds_of(beats) != NONE).any(axis=1)]

    def _groups(self) -> list[tuple[int, int]]:
        """Environments first … last-1 that are on the lanes at once."""
        count, lanes = self.held.rollout.rewards.shape[1], self.shape.lanes
        return [(first, min(first + lanes, count)) for first in range(0, count, lanes)]

    def _codes(self, part: Rollout, passed: Passed, first: int, last: int) -> np.ndarray:
        """The advantage codes of environments first … last-1 of a piece, (T, last-first)."""
        steps = len(part.rewards)
        codes = np.zeros((steps, last - first), np.int64)
        # Record index of a step on its lane: the steps and truncations before it.
        index = np.cumsum(part.kinds[:, first:last] != NONE, axis=0)[0::2] - 1
        place, kind, record, a, _ = unpack_output(passed.results.ravel(), self.shape.out_bits)
        step = (kind & 1) == 1
        steps_of = np.full((last - first, int(index.max()) + 1), -1)
        steps_of[np.arange(last - first), index] = np.arange(steps)[:, None]
        where = steps_of[place[step], record[step]], place[step]
        if step.sum() != codes.size or (where[0] < 0).any():
            raise GaeError(f"the core gave {step.sum()} results for {codes.size} steps")
        codes[where] = a[step]
        return codes
