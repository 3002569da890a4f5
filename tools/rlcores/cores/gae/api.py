"""Generalised advantages of PPO rollouts on the GAE core, simulated bit for bit or modelled.

Conventions. A rollout is (T, N): T steps of N environments, as CleanRL and Stable-Baselines3 hold it, with Gymnasium's
meaning of the two ends: terminated[t, n] and truncated[t, n] are what `env.step` returned at step t. (CleanRL's
`dones[t]` and SB3's `episode_starts[t]` say it about step t-1: shift them by one.) values[t] is V of the observation
before step t, bootstrap is V of the observation after step T-1, and final_values[t, n] is V of the last observation of
an episode truncated at t, which Gymnasium's vector environments hand out beside the first observation of the next one.

Accuracy. "exact16" keeps rewards and values as 16-bit codes, "8bit" in half the memory as the paper does. Codes cover
the range that a rollout has, so no reward is clipped or lost, whatever its size (docs/gae.md, "From Python").
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base.arguments import choice, fraction
from rlcores.buses.bus import Bus
from rlcores.buses.verilated import VerilatedBus
from rlcores.cores.common.driver import simulated
from rlcores.cores.gae import moments
from rlcores.cores.gae import scales as gae_scales
from rlcores.cores.gae.driver import Counters, GaeDriver, GaeError
from rlcores.cores.gae.float64 import rollout as float_gae
from rlcores.cores.gae.model import pack, unpack_output
from rlcores.cores.gae.model_driver import GaeModelBus
from rlcores.cores.gae.moments import SCALINGS, Moments
from rlcores.cores.gae.rollout import Rollout, check
from rlcores.cores.gae.scale import NONE, QBITS_MIN, formats
from rlcores.engine import configs
from rlcores.errors import Tally, UserError

ORDERS = ("include", "previous")
ACCURACIES = {"exact16": 16, "8bit": 8}
BACKENDS = ("model", "rtl")

_LANES_MOST, _DEPTH_MOST = 64, 4096
_NOTICES = {
    "REWARD_CLIPPED": ("clipped_rewards", "rewards lay beyond the clip range of {clip:g} standard deviations"),
    "VALUE_CLIPPED": ("clipped_values", "values lay beyond the clip range of {clip:g} standard deviations"),
}


@dataclass(frozen=True)
class Result:
    """What one rollout gave. Arrays are (T, N) float64, in the unit of the rewards as reward_scaling leaves them.

    rewards, values, bootstrap and final_values are what the array really sees after quantisation: bootstrap is (N,),
    final_values is NaN where no episode was truncated. returns are advantages + the values that were given.
    """

    advantages: np.ndarray
    returns: np.ndarray
    rewards: np.ndarray
    values: np.ndarray
    bootstrap: np.ndarray
    final_values: np.ndarray
    step: float  # distance of two neighbouring advantage codes
    shift: int  # SHIFT register: the array counted in 2**-shift of a reward code
    runs: int  # how often the array ran until the output range was right
    cycles: int  # clocks of the last of these runs, summed over groups of lanes; 0 from the model
    elements: int  # results of that run
    stalls: int  # row-clocks without a record in that run; 0 from the model
    clipped_rewards: int  # rewards beyond the clip range
    clipped_values: int  # values beyond the clip range
    flags: frozenset[str]  # notices, by their names in gae.rdl
    exact: tuple = field(repr=False)  # rollout, gamma, lambda

    @cached_property
    def rms(self) -> float:
        """Root mean square distance of the advantages to the float64 GAE of the rewards and values before quantisation.

        Computed when it is asked for.
        """
        r, gamma, gae_lambda = self.exact
        right = float_gae(
            r.rewards, r.values, r.terminated, r.truncated, r.bootstrap, r.final_values, gamma, gae_lambda
        )[0]
        largest = float(np.abs(right).max()) or 1.0
        return largest * float(np.sqrt(np.mean((self.advantages / largest - right / largest) ** 2)))


@dataclass(frozen=True)
class _Pass:
    """Codes of one run of all groups."""

    advantages: np.ndarray  # (T, N), of the last run's result step
    peak: int
    counters: list[Counters]


class Gae:
    """A GAE core for one rollout after the other.

    gamma, gae_lambda       discount and lambda, 0 to 1
    config           name in configs.yaml, or Verilog parameters; None: a small array that holds the first rollout
    backend          "model" (integer model), "rtl" (the Verilated core through its AXI ports), or any Bus
    accuracy         "exact16" or "8bit"; None: "exact16" where config is None, else all bits that the core stores
    reward_scaling   "none": the rewards as they are, and all results in their unit; "standardise" (r - mean) / sigma
                     and "scale" r / sigma: by mean and standard deviation of all rewards so far, and results, and the
                     values that are given, in units of that. Where all rewards are equal, their size stands for sigma
                     and the mean stays.
    order            with these two: "include" the rollout in the statistics before standardising it, or use those of
                     the "previous" rollouts only (the first rollout is standardised by itself)
    clip             None: codes cover all rewards and values. A number: that many standard deviations, as the paper
                     clips them (it takes 4)
    qbits            bits of a code, 3 to what the core stores, instead of an accuracy

    A rollout longer than the core's lanes runs in pieces that are joined exactly, one with more environments than the
    core has lanes in groups. Where the core notices something (clipped numbers, equal rewards), a CoreWarning says what
    and how often.

    >>> core = Gae(gamma=0.5, gae_lambda=1.0)
    >>> ends = np.zeros((3, 1), bool)
    >>> core.compute(np.ones((3, 1)), np.zeros((3, 1)), ends, ends, [0.0]).advantages.ravel().round(6).tolist()
    [1.75, 1.5, 1.0]
    """

    def __init__(
        self,
        config: str | Mapping[str, int] | None = None,
        backend: str | Bus = "model",
        gamma: float = 0.99,
        gae_lambda: float = 0.95,
        *,
        accuracy: str | None = None,
        reward_scaling: str = "none",
        order: str = "include",
        clip: float | None = None,
        qbits: int | None = None,
    ) -> None:
        """Raises ValueError when an argument is out of its range, RunFailed when the core does not build."""
        self.gamma, self.gae_lambda = fraction("gamma", gamma, 0, 1), fraction("gae_lambda", gae_lambda, 0, 1)
        self.order = choice("order", order, ORDERS)
        self.reward_scaling = choice("reward_scaling", reward_scaling, SCALINGS)
        if accuracy is not None:
            choice("accuracy", accuracy, tuple(ACCURACIES))
            if qbits is not None:
                raise UserError("accuracy and qbits both say how many bits a code has; give one")
        if isinstance(backend, str):
            choice("backend", backend, BACKENDS)
        if clip is not None and not (math.isfinite(clip) and clip > 0):
            raise UserError(f"clip is {clip}; it must be a positive number of standard deviations, or None")
        self.clip, self.accuracy = clip, accuracy
        self.qbits = qbits or ACCURACIES.get(accuracy or "", 0)
        self._backend = backend
        self._tally = Tally()
        self.statistics = Moments()
        self._driver: GaeDriver | None = None
        if config is None and isinstance(backend, str):
            stored = max(self.qbits or ACCURACIES["exact16"], 8)
            self.qbits = self._width(stored)
            return
        if not isinstance(backend, str):
            self._take(backend)
            return
        parameters = configs.load("gae", config) if isinstance(config, str) else dict(config)
        self._width(parameters["QBITS"])
        self._take(_bus(backend, parameters))

    @property
    def _limit(self) -> int:
        """The greatest code."""
        return (1 << (self.qbits - 1)) - 1

    @property
    def driver(self) -> GaeDriver:
        """The core's driver; there is none before the first rollout where `config` is None."""
        if self._driver is None:
            raise UserError("there is no core yet: without a config it is chosen for the first rollout")
        return self._driver

    def reset_statistics(self) -> None:
        """Forget all rewards."""
        self.statistics = Moments()

    def compute(
        self,
        rewards: ArrayLike,
        values: ArrayLike,
        terminated: ArrayLike,
        truncated: ArrayLike,
        bootstrap: ArrayLike,
        final_values: ArrayLike | Mapping[tuple[int, int], float] | None = None,
    ) -> Result:
        """Advantages and returns of one rollout; see the module's conventions.

        rewards, values, terminated, truncated: (T, N); bootstrap: (N,). final_values: (T, N), read only where
        truncated and not terminated, or {(t, n): value}; needed when an episode was truncated. Raises ValueError when
        shapes or numbers are wrong.
        """
        rollout = check(rewards, values, terminated, truncated, bootstrap, final_values)
        if self._driver is None:
            self._take(_bus(self._backend, fitting(*rollout.rewards.shape, self.qbits)))
        self.driver.take_flags()
        try:
            return self._compute(rollout)
        except Exception:
            self.driver.clear()
            raise

    def _compute(self, given: Rollout) -> Result:
        rollout, known, after = given, None, self.statistics
        if self.reward_scaling != "none":
            known, after = self._measured(given)
            rollout = replace(given, rewards=moments.scaled(given.rewards, known, self.reward_scaling))
        deviation = None if known is None or self.reward_scaling == "scale" else 1.0
        centred = gae_scales.centre(rollout, self._limit, self.clip, deviation if self.clip else None)
        found, scales, runs, clipped = self._search(centred)
        result = self._result(centred, scales, found, runs, clipped)
        self.statistics = after
        self._notice(result, known)
        return result

    # --- the core ---

    def _width(self, stored: int) -> int:
        """Bits of a code, of a core that stores `stored`."""
        bits = self.qbits or stored
        if self.accuracy and bits > stored:
            raise UserError(f"accuracy is '{self.accuracy}', but this core stores {stored} bits a reward")
        if not QBITS_MIN <= bits <= stored:
            raise UserError(f"qbits is {bits}; this core stores {QBITS_MIN} to {stored} bits")
        return bits

    def _take(self, bus: Bus) -> None:
        self._driver = GaeDriver(bus)
        self._shape = self._driver.shape
        self.qbits = self._width(self._shape.qbits)

    def _measured(self, rollout: Rollout) -> tuple[Moments, Moments]:
        """Statistics to standardise a rollout by, and those after it: the core's exact sums of it, merged here.

        They are merged here because the core's sums are in one fixed point, and rewards may outgrow every one.
        """
        centred = gae_scales.centre(replace(rollout, values=0 * rollout.values), self._limit)
        scales = gae_scales.choose(centred, self._shape, self.qbits, self.gamma, self.gae_lambda, None)
        self.driver.reset_statistics()
        self.driver.measure(self._beats(rollout, *scales.raw, 0, rollout.rewards.shape[1]))
        sums = self.driver.statistics("REWARD")
        mean, spread = sums.total / sums.count, math.sqrt(sums.count * sums.squares - sums.total**2) / sums.count
        block = Moments(
            sums.count,
            float(centred.restored(centred.reward_centre + math.ldexp(mean, -scales.reward_point))),
            float(centred.restored(math.ldexp(spread, -scales.reward_point))),
        )
        after = self.statistics.merged(block)
        return (after if self.order == "include" or not self.statistics.count else self.statistics), after

    def _search(self, centred: gae_scales.Centred):
        """Run a rollout at the finest scales at which nothing saturates."""
        driver, shape = self.driver, self._shape
        driver.write("QBITS", self.qbits)
        driver.write("GAMMA", round(self.gamma * 2**31))
        driver.write("GAMMA_LAMBDA", round(self.gamma * self.gae_lambda * 2**31))
        driver.control(reward_auto=False, value_auto=False, order_previous=False)
        wide = formats(shape.depth, shape.qbits).wide
        most = (1 << (shape.out_bits - 1)) - 1
        lsb, too_fine, runs = None, -math.inf, 0
        while True:
            scales = gae_scales.choose(centred, shape, self.qbits, self.gamma, self.gae_lambda, lsb)
            scales.write(driver, wide)
            driver.scale()
            before = driver.counters()
            found = self._run(centred.rollout, scales)
            after = driver.counters()
            runs += 1
            if found.peak >= most:
                too_fine = scales.lsb
                lsb = scales.lsb + 2
                continue
            # With a fixed number of bits left out, results that leave two bits unused are worth another run.
            finer = scales.lsb - int(math.log2(most / found.peak)) if found.peak else scales.lsb
            finer = max(finer, too_fine + 1)
            if wide or runs > 3 or finer > scales.lsb - 2:
                break
            lsb = finer
            if gae_scales.choose(centred, shape, self.qbits, self.gamma, self.gae_lambda, lsb).lsb == scales.lsb:
                break
        clipped = tuple(
            (getattr(after, name) - getattr(before, name)) % (1 << 32) for name in ("clipped_rewards", "clipped_values")
        )
        return found, scales, runs, clipped

    # --- records ---

    def _pieces(self, rollout: Rollout) -> list[tuple[int, int]]:
        """Steps first … last-1 of runs that fit the lanes, in order of time."""
        steps, depth = len(rollout.rewards), self._shape.depth
        cuts = np.cumsum(rollout.truncated, axis=0)
        pieces, first = [], 0
        while first < steps:
            # The last BOOT of a lane is held beside the stack, and a truncation in the last step needs no other one.
            last = min(first + depth, steps)
            before = cuts[first - 1] if first else 0
            while last - first + int((cuts[last - 2] - before).max() if last - first > 1 else 0) > depth:
                last -= 1
            pieces.append((first, last))
            first = last
        return pieces

    def _beats(self, rollout: Rollout, rewards: np.ndarray, values: np.ndarray, first: int, last: int) -> np.ndarray:
        """The stream of environments first … last-1 on lanes 0 …, wrapping at LANES: uint64 (beats, BEAT)."""
        beat = self._shape.beat
        kinds = rollout.kinds[:, first:last]
        rows, lanes = kinds.shape
        padded = -(-lanes // beat) * beat
        element = np.zeros((rows, padded), np.uint64)
        both = np.zeros((rows, lanes), np.int64)
        both[0::2] = rewards[:, first:last]
        lane = np.broadcast_to(np.arange(lanes) % self._shape.lanes, kinds.shape)
        element[:, :lanes] = np.where(kinds == NONE, np.uint64(0), pack(lane, kinds, both, values[:, first:last]))
        beats = element.reshape(-1, beat)
        return beats[((beats >> np.uint64(48)) & np.uint64(3)).any(axis=1)]

    def _run(self, rollout: Rollout, scales: gae_scales.Scales) -> _Pass:
        """All pieces and groups; a piece goes on from the one after it, by what its last step hands on."""
        advantages = np.zeros(rollout.rewards.shape)
        counters: list[Counters] = []
        peak = 0
        rewards, values = scales.raw
        discount = self.gamma * self.gae_lambda
        for first, last in reversed(self._pieces(rollout)):
            part = rollout.part(first, last)
            rows = values[2 * first : 2 * last].copy()
            if last < len(rollout.rewards):
                rows[-1] = np.where(part.truncated[-1], rows[-1], values[2 * last])
            codes = self._run_piece(part, rewards[first:last], rows, counters)
            peak = max(peak, int(np.abs(codes).max()))
            found = codes * scales.result_step
            if last < len(rollout.rewards):
                ends = (part.terminated | part.truncated)[::-1]
                open_end = ~np.logical_or.accumulate(ends, axis=0)[::-1]
                ahead = discount ** np.arange(last - first, 0, -1)[:, None]
                found += np.where(open_end, ahead * advantages[last], 0.0)
            advantages[first:last] = found
        return _Pass(advantages, peak, counters)

    def _run_piece(self, part: Rollout, rewards: np.ndarray, values: np.ndarray, counters: list) -> np.ndarray:
        steps, count = part.rewards.shape
        lanes = self._shape.lanes
        codes = np.zeros((steps, count), np.int64)
        # Record index of a step on its lane: the steps and truncations before it.
        index = np.cumsum(part.kinds != NONE, axis=0)[0::2] - 1
        for first in range(0, count, lanes):
            last = min(first + lanes, count)
            self.driver.load(self._beats(part, rewards, values, first, last))
            self.driver.start()
            counters.append(self.driver.counters())
            place, kind, record, a, _ = unpack_output(self.driver.read_results().ravel(), self._shape.out_bits)
            step = (kind & 1) == 1
            steps_of = np.full((last - first, int(index[:, first:last].max()) + 1), -1)
            steps_of[np.arange(last - first), index[:, first:last]] = np.arange(steps)[:, None]
            where = steps_of[place[step], record[step]], place[step] + first
            if step.sum() != steps * (last - first) or (where[0] < 0).any():
                raise GaeError(f"the core gave {step.sum()} results for {steps * (last - first)} steps")
            codes[where] = a[step]
        return codes

    def _result(self, centred, scales: gae_scales.Scales, found: _Pass, runs: int, clipped: tuple[int, int]) -> Result:
        rollout, restored = centred.rollout, centred.restored
        sent = rollout.kinds != NONE
        rewards, values = scales.seen()
        constant_reward, constant_value = centred.reward_centre, centred.value_centre
        own = 0.0
        if self.clip is None:
            # What rounding took off on average is a constant too; the rest of it is known where it counts most, in the
            # reward and the value of the advantage's own step.
            lost, lost_values = centred.rewards - rewards, (centred.values - values)[0::2]
            mean, mean_value = float(lost.mean()), float((centred.values - values)[sent].mean())
            constant_reward, constant_value = constant_reward + mean, constant_value + mean_value
            own = (lost - mean) - (lost_values - mean_value)
        rest = own + gae_scales.constants(rollout, self.gamma, self.gae_lambda, constant_reward, constant_value)
        advantages = restored(found.advantages + rest)
        values = restored(values + constant_value)
        last = found.counters
        return Result(
            advantages=advantages,
            returns=advantages + rollout.values,
            rewards=restored(rewards + constant_reward),
            values=values[0::2],
            bootstrap=values[-1],
            final_values=np.where(rollout.truncated, values[1::2], np.nan),
            step=float(restored(scales.result_step)),
            shift=scales.shift,
            runs=runs,
            cycles=sum(c.cycles for c in last),
            elements=sum(c.elements for c in last),
            stalls=sum(c.stalls for c in last),
            clipped_rewards=clipped[0],
            clipped_values=clipped[1],
            # Return codes may saturate: returns are made of advantages and values.
            flags=self.driver.take_flags() - {"OUTPUT_SATURATED"},
            exact=(rollout, self.gamma, self.gae_lambda),
        )

    def _notice(self, result: Result, known: Moments | None) -> None:
        """Every notice of the core as a CoreWarning."""
        if known is not None and known.constant:
            what = f"all rewards so far are {known.mean:g}, so they have no standard deviation"
            self._tally.add("constant", 1, f"{what}: they were divided by {known.unit:g} and their mean was kept")
        for flag in sorted(result.flags):
            name, text = _NOTICES.get(flag, (None, self.driver.meaning(flag)))
            count = getattr(result, name) if name else 1
            self._tally.add(flag, count, f"{count} {text.format(clip=self.clip or 0)}" if name else text)


def advantages(
    rewards: ArrayLike,
    values: ArrayLike,
    terminated: ArrayLike,
    truncated: ArrayLike,
    bootstrap: ArrayLike,
    gamma: float = 0.99,
    gae_lambda: float = 0.95,
    *,
    final_values: ArrayLike | Mapping[tuple[int, int], float] | None = None,
    config: str | Mapping[str, int] | None = None,
    backend: str | Bus = "model",
    **options,
) -> tuple[np.ndarray, np.ndarray]:
    """Advantages and returns, (T, N) each, of one rollout.

    Arguments as Gae.compute and Gae; options (accuracy, reward_scaling, …) go to Gae. float32 when rewards and values
    are float32, else float64. To see errors, counters, flags and quantised inputs, use Gae. Raises ValueError as Gae
    does, and when a result is beyond the largest number of its type.

    >>> ends = np.zeros((2, 1), bool)
    >>> a, ret = advantages([[1.0], [1.0]], [[0.5], [0.5]], ends, ends, [0.0], gamma=1.0, gae_lambda=1.0)
    >>> a.ravel().round(6).tolist(), ret.ravel().round(6).tolist()
    ([1.5, 0.5], [2.0, 1.0])
    """
    core = Gae(config, backend, gamma, gae_lambda, **options)
    result = core.compute(rewards, values, terminated, truncated, bootstrap, final_values)
    single = all(str(getattr(x, "dtype", "")).endswith("float32") for x in (rewards, values))
    return tuple(narrowed(x, np.float32 if single else np.float64) for x in (result.advantages, result.returns))


def narrowed(found: np.ndarray, dtype: type) -> np.ndarray:
    """Results as `dtype`. Raises UserError where one is beyond its largest number."""
    with np.errstate(over="ignore"):
        cast = found.astype(dtype)
    if not np.isfinite(cast).all():
        most = np.finfo(dtype).max
        raise UserError(f"a result is beyond {most:g}, the largest {np.dtype(dtype)}: scale rewards and values down")
    return cast


def fitting(steps: int, envs: int, qbits: int = 16) -> dict[str, int]:
    """Verilog parameters of a small array that holds rollouts of `steps` steps of `envs` environments.

    A lane for each environment up to 64, and room for a truncation every eighth step; what is larger runs in groups and
    pieces.
    """
    wide = qbits > 10
    return {
        "ROWS": 2 if wide else 4,
        "LANES": min(_LANES_MOST, 1 << max(3 if wide else 2, (envs - 1).bit_length())),
        "DEPTH": min(_DEPTH_MOST, max(16, 1 << (steps + steps // 8).bit_length())),
        "LOOKAHEAD": 1 if wide else 2,
        "INTERLEAVE": 4 if wide else 1,
        "SPAN": 1,
        "QBITS": max(8, qbits),
        "OUT_BITS": 24 if wide else 16,
        "BEAT": 2,
    }


def _bus(backend: str, parameters: Mapping[str, int]) -> Bus:
    return GaeModelBus(parameters) if backend == "model" else rtl_bus(parameters)


def rtl_bus(parameters: Mapping[str, int]) -> VerilatedBus:
    """The Verilated core: built when needed, simulated clock by clock. Raises RunFailed when it does not build."""
    # Without shared code the C++ grows with the array: minutes of compilation for 16 rows, an hour for 512.
    shared: tuple[str, ...] = ()
    if parameters["ROWS"] >= 8:
        many_groups = parameters["ROWS"] // parameters["SPAN"] >= 8
        shared = ("rlc_gae_group",) if many_groups else ("rlc_gae_row", "rlc_gae_bank")
    return simulated("gae", parameters, shared=shared)
