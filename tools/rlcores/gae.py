"""Generalised advantages of PPO rollouts on the GAE core, simulated bit for bit or modelled.

Conventions. A rollout is (T, N): T steps of N environments, as CleanRL and Stable-Baselines3 hold it, with Gymnasium's
meaning of the two ends: terminated[t, n] and truncated[t, n] are what `env.step` returned at step t. (CleanRL's
`dones[t]` and SB3's `episode_starts[t]` say it about step t-1: shift them by one.) values[t] is V of the observation
before step t, bootstrap is V of the observation after step T-1, and final_values[t, n] is V of the last observation of
an episode truncated at t, which Gymnasium's vector environments hand out beside the first observation of the next one.

Units. Rewards are standardised (DESIGN.md "GAE"), and advantages, returns and values are all in units of standardised
reward: feed a critic that was trained on the returns given here.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rlcores import configs
from rlcores.bus import Bus
from rlcores.drivers.gae import GaeDriver, GaeError
from rlcores.drivers.gae_model import GaeModelBus
from rlcores.errors import UserError
from rlcores.model.gae import pack, unpack_output
from rlcores.model.gae_array import out_drop
from rlcores.model.gae_scale import NONE, SCALE_FRACTION, offset_max, quantise, shift_max
from rlcores.rollout import Rollout, check
from rlcores.verilated import VerilatedBus

VLNV = "rlcores:gae:gae"
TOP = "rlc_gae_axi"

ORDERS = ("include", "previous")
SCALINGS = ("standardise", "scale", "none")
BACKENDS = ("model", "rtl")

_RAW_MAX = (1 << 23) - 1
# Later rollouts may hold rewards this many times larger than the first one, as a power of two.
_HEADROOM = 4
# What is chosen from rollout to rollout, beside the core's own statistics.
_SCALES = ("reward_point", "unit_exponent", "value_point", "shift")


@dataclass(frozen=True)
class Result:
    """What one rollout gave. Arrays are (T, N) float64 in units of standardised reward unless told otherwise.

    rewards, values, bootstrap and final_values are what the array really sees after quantisation, so that a float64
    GAE of them is the exact answer: bootstrap is (N,), final_values is NaN where no episode was truncated.
    """

    advantages: np.ndarray
    returns: np.ndarray
    rewards: np.ndarray
    values: np.ndarray
    bootstrap: np.ndarray
    final_values: np.ndarray
    step: float  # distance of two neighbouring output codes
    shift: int  # SHIFT register: the array counted in 2**-shift of a reward code
    runs: int  # how often the array ran until SHIFT was right
    cycles: int  # clocks of the last of these runs, summed over groups of lanes; 0 from the model
    elements: int  # results of that run
    stalls: int  # row-clocks without a record in that run; 0 from the model
    clipped_rewards: int  # rewards beyond the clip range
    clipped_values: int  # values beyond the clip range
    saturated: bool  # an output code was limited
    flags: frozenset[str]  # notices, by their names in gae.rdl


@dataclass(frozen=True)
class _Pass:
    """Codes of one run of all groups."""

    advantages: np.ndarray
    returns: np.ndarray
    cycles: int
    elements: int
    stalls: int
    saturated: bool

    @property
    def peak(self) -> int:
        return int(max(np.abs(self.advantages).max(), np.abs(self.returns).max()))


class Gae:
    """A GAE core that keeps the running statistics of rewards over rollouts.

    gamma, lam       discount and lambda, 0 to 1
    config           name in configs.yaml, or Verilog parameters
    backend          "model" (integer model), "rtl" (the Verilated core through its AXI ports), or any Bus
    clip             clip range of the quantiser in standard deviations
    qbits            bits of a code, 3 to the core's QBITS (default); fewer also coarsen the array's own LSB, because
                     the bound of SHIFT is that of the core's QBITS
    order            "include" the rollout in the reward statistics before standardising it (two passes), or use
                     those of "previous" rollouts only (one pass; the first rollout is standardised by itself)
    reward_scaling   "standardise" (r - mean) / sigma, "scale" r / sigma, or "none": the reward as it is, and all
                     results in its unit
    reward_range     with "none": the largest |reward| that must not be clipped (default: that of the first rollout)
    shift            the SHIFT register (default: found)

    Scales that software chooses, all powers of two. The fixed point of raw rewards is set at the first rollout with
    room for rewards 16 times larger; a later one beyond that is a ValueError, because the statistics are kept in that
    unit. The fixed point of raw values follows each rollout ("previous": as for rewards). SHIFT is the largest at which
    no output saturates: a run that saturates, or the first one that leaves a bit of the output range unused, is
    repeated with a better SHIFT, and later rollouts start from what was found. With "previous" nothing is repeated
    after the first rollout, so that one pass stays one pass: SHIFT follows the last range and leaves one bit of room.
    """

    def __init__(
        self,
        config: str | Mapping[str, int] = "demo",
        backend: str | Bus = "model",
        gamma: float = 0.99,
        lam: float = 0.95,
        *,
        clip: float = 4.0,
        qbits: int | None = None,
        order: str = "include",
        reward_scaling: str = "standardise",
        reward_range: float | None = None,
        shift: int | None = None,
    ) -> None:
        """Raises ValueError when an argument is out of its range, RunFailed when the core does not build."""
        _check_fraction("gamma", gamma)
        _check_fraction("lam", lam)
        _check_choice("order", order, ORDERS)
        _check_choice("reward_scaling", reward_scaling, SCALINGS)
        if not (math.isfinite(clip) and 1 <= round(clip * 256) < 1 << 16):
            raise UserError(f"clip is {clip}; it must be 1/256 to below 256 standard deviations")
        if reward_range is not None and not (math.isfinite(reward_range) and reward_range > 0):
            raise UserError(f"reward_range is {reward_range}; it must be a positive number")
        self.gamma, self.lam = float(gamma), float(lam)
        self.order, self.reward_scaling = order, reward_scaling
        self._clip_register = round(clip * 256)
        self._reward_range = reward_range
        parameters = configs.load("gae", config) if isinstance(config, str) else dict(config)
        if qbits is not None and not 3 <= qbits <= min(10, parameters["QBITS"]):
            raise UserError(f"qbits is {qbits}; this core stores 3 to {parameters['QBITS']} bits")
        most = shift_max(parameters["DEPTH"], parameters["QBITS"])
        if shift is not None and not 0 <= shift <= most:
            raise UserError(f"shift is {shift}; this core takes 0 to {most}")
        self.driver = GaeDriver(_bus(backend, parameters))
        self._shape = self.driver.shape
        self.qbits = qbits or self._shape.qbits
        self._limit = (1 << (self.qbits - 1)) - 1
        self._shift_max = most
        self._drop = out_drop(self._shape.depth, self._shape.qbits, self._shape.out_bits)
        self._out_limit = (1 << (self._shape.out_bits - 1)) - 1
        self._fixed_shift = shift
        self.reset_statistics()

    @property
    def clip(self) -> float:
        """The clip range in standard deviations, as the register holds it."""
        return self._clip_register / 256

    def reset_statistics(self) -> None:
        """Forget all rewards, and the scales that were chosen for them."""
        self.driver.reset_statistics()
        self._reward_point: int | None = None
        self._unit_exponent = 0  # with "none": the unit of the array is 2**this
        self._value_point = 0
        self._shift: int | None = None

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
        truncated, or {(t, n): value}; needed when an episode was truncated. N may be smaller or larger than the core's
        LANES: larger rollouts run in groups. Raises ValueError when shapes or numbers are wrong or a lane is too short.
        """
        rollout = check(rewards, values, terminated, truncated, bootstrap, final_values)
        self._check_depth(rollout)
        first = self._reward_point is None
        self._choose_points(rollout, first)
        before = self.driver.counters()
        self.driver.take_flags()
        try:
            found, shift, runs = self._search(rollout, first)
        except Exception:
            self.driver.clear()
            raise
        after = self.driver.counters()
        return self._result(rollout, found, shift, runs, before, after)

    @property
    def scales(self) -> dict[str, int | None]:
        """The scales chosen so far: what resume() needs beside the rewards. Plain numbers, for JSON."""
        return {name: getattr(self, f"_{name}") for name in _SCALES}

    def resume(self, scales: Mapping[str, int | None], rewards: ArrayLike) -> None:
        """Go on as the core that had these `scales` after all of `rewards`, (T, N), the rollouts one after the other.

        The core's sums cannot be written, so the rewards are measured again. Raises ValueError for wrong input.
        """
        if set(scales) != set(_SCALES):
            raise UserError(f"scales have the names {', '.join(sorted(scales))}; they must be {', '.join(_SCALES)}")
        self.reset_statistics()
        for name in _SCALES:
            setattr(self, f"_{name}", scales[name])
        rewards = np.asarray(rewards, np.float64)
        if self._reward_point is None or not rewards.size:
            return
        none = np.zeros(rewards.shape, bool)
        rollout = check(rewards, np.zeros(rewards.shape), none, none, np.zeros(rewards.shape[1:]), None)
        self.driver.measure(self._beats(rollout, 0, rewards.shape[1]))

    # --- scales ---

    def _choose_points(self, rollout: Rollout, first: bool) -> None:
        largest = float(np.abs(rollout.rewards).max())
        largest_value = float(np.abs(rollout.all_values[rollout.kinds != NONE]).max())
        if first:
            if self.reward_scaling == "none":
                # clip * 2**exponent is the first power-of-two multiple of clip that holds every reward.
                most = self._reward_range or largest or 1.0
                self._unit_exponent = math.ceil(math.log2(most / self.clip))
            self._reward_point = _point(self._reward_range or largest, _HEADROOM)
        if largest * 2.0**self._reward_point > _RAW_MAX:
            raise UserError(
                f"the largest |reward| is {largest:g}, but the first rollout set the scale to hold "
                f"{_RAW_MAX / 2.0**self._reward_point:g}; call reset_statistics() to start again"
            )
        if self.reward_scaling == "none" and largest > self.clip * 2.0**self._unit_exponent:
            raise UserError(
                f"the largest |reward| is {largest:g}, but the scale holds {self.clip * 2.0**self._unit_exponent:g}; "
                "give reward_range, or call reset_statistics() to start again"
            )
        if first or self.order == "include":
            self._value_point = _point(largest_value, _HEADROOM if self.order == "previous" else 0)
        if not -128 <= self._value_point + self._unit_exponent <= 127:
            raise UserError(f"values up to {largest_value:g} have no fixed point: scale them to about 1")
        if largest_value * 2.0**self._value_point > _RAW_MAX:
            raise UserError(
                f"the largest |value| is {largest_value:g}, but the first rollout set the scale to hold "
                f"{_RAW_MAX / 2.0**self._value_point:g}; call reset_statistics() to start again"
            )

    def _configure(self, order_previous: bool) -> None:
        driver = self.driver
        driver.write("QBITS", self.qbits)
        driver.write("CLIP", self._clip_register)
        driver.write("VALUE_POINT", self._value_point + self._unit_exponent)
        driver.write("GAMMA", round(self.gamma * 2**31))
        driver.write("GAMMA_LAMBDA", round(self.gamma * self.lam * 2**31))
        driver.write("REWARD_OFFSET", 0)
        driver.control(reward_auto=self.reward_scaling != "none", value_auto=True, order_previous=order_previous)
        if self.reward_scaling == "none":
            # One raw LSB is this many codes; the mantissa has 17 bits, and the difference carries 2 bits of fraction.
            codes = self._limit / self.clip * 2.0 ** -(self._unit_exponent + self._reward_point)
            fraction, exponent = math.frexp(codes / 4)
            mantissa = round(fraction * (1 << 17))
            shift = 17 - exponent
            if mantissa == 1 << 17:
                mantissa, shift = mantissa >> 1, shift - 1
            driver.write("REWARD_MEAN", 0)
            driver.write("REWARD_INV", mantissa)
            driver.write("REWARD_INV_SHIFT", shift)

    def _scale(self, shift: int) -> bool:
        """SCALE for a SHIFT; False when something does not fit at that SHIFT."""
        driver = self.driver
        driver.write("SHIFT", shift)
        if self.reward_scaling == "scale":
            # Standardising takes the mean off; the offset puts it back after de-quantisation.
            sums = driver.statistics("REWARD")
            spread = sums.count * sums.squares - sums.total**2
            mean = sums.total / math.sqrt(spread) if spread else 0.0
            offset = round(mean * self._limit / self.clip * 2**shift)
            if abs(offset) > offset_max(self._shape.depth):
                return False
            driver.write("REWARD_OFFSET", offset)
        kept = driver.take_flags()
        driver.scale()
        fits = "SCALE_SAT" not in driver.flags
        driver.flags |= kept
        return fits

    def _first_shift(self, rollout: Rollout) -> int:
        # A guess; the search corrects it: returns as large as the values, or a few clip ranges.
        expected = max(4 * self.clip, 2 * float(np.abs(rollout.all_values).max()) / 2.0**self._unit_exponent)
        room = self._out_limit * self.clip / (self._limit * expected)
        return min(max(self._drop + math.floor(math.log2(room)), 0), self._shift_max)

    def _search(self, rollout: Rollout, first: bool) -> tuple[_Pass, int, int]:
        """Run the rollout at the best SHIFT: the codes, that SHIFT, and how many runs it took."""
        one_pass = self.order == "previous" and not first
        groups = -(-rollout.rewards.shape[1] // self._shape.lanes)
        measure_in_load = one_pass and groups == 1
        self._configure(order_previous=measure_in_load)
        if not one_pass:
            self.driver.measure(self._beats(rollout, 0, rollout.rewards.shape[1]))
        repeat = self._fixed_shift is None and not one_pass
        shift = self._fixed_shift if self._fixed_shift is not None else self._shift
        if shift is None:
            shift = self._first_shift(rollout)
        too_large = self._shift_max + 1
        runs = 0
        while True:
            while not self._scale(shift):
                if shift == 0 or self._fixed_shift is not None:
                    raise GaeError(
                        f"values or the mean reward are too large for the rewards' standard deviation at shift {shift}",
                        frozenset({"SCALE_SAT"}),
                    )
                too_large = shift
                shift -= 1
            found = self._run(rollout)
            runs += 1
            gain = math.floor(math.log2(self._out_limit / (found.peak + 1))) if found.peak < self._out_limit else 0
            if not repeat:
                break
            if found.saturated and shift > 0:
                too_large = shift
                shift = max(shift - 2, 0)
                continue
            better = min(shift + gain, too_large - 1)
            if better - shift < (1 if first or runs > 1 else 2):
                break
            shift = better
        if one_pass and not measure_in_load:
            self.driver.measure(self._beats(rollout, 0, rollout.rewards.shape[1]))
        self._shift = shift
        if self.order == "previous":
            self._shift = min(max(shift - 1 if found.saturated else shift + gain - 1, 0), self._shift_max)
        return found, shift, runs

    # --- records ---

    def _check_depth(self, rollout: Rollout) -> None:
        depth = self._shape.depth
        steps = len(rollout.rewards)
        # The last BOOT of a lane is held beside the stack, and a truncation in the last step needs no other one.
        inner = rollout.truncated[:-1].sum(axis=0)
        worst = int(inner.argmax())
        if steps + inner[worst] > depth:
            raise UserError(
                f"a lane of this core holds {depth} records, but environment {worst} needs {steps + inner[worst]}: "
                f"{steps} steps and {inner[worst]} truncations before the last step"
            )

    def _raw(self, rollout: Rollout) -> tuple[np.ndarray, np.ndarray]:
        rewards = np.rint(rollout.rewards * 2.0**self._reward_point).astype(np.int64)
        values = np.rint(rollout.all_values * 2.0**self._value_point).astype(np.int64)
        return rewards, values

    def _beats(self, rollout: Rollout, first: int, last: int) -> np.ndarray:
        """The stream of environments first … last-1 on lanes 0 …, wrapping at LANES: uint64 (beats, BEAT)."""
        beat = self._shape.beat
        rewards, values = self._raw(rollout)
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

    def _run(self, rollout: Rollout) -> _Pass:
        steps, count = rollout.rewards.shape
        lanes = self._shape.lanes
        advantages = np.zeros((steps, count), np.int64)
        returns = np.zeros((steps, count), np.int64)
        # Record index of a step on its lane: the steps and truncations before it.
        index = np.cumsum(rollout.kinds != NONE, axis=0)[0::2] - 1
        cycles = elements = stalls = 0
        saturated = False
        for first in range(0, count, lanes):
            last = min(first + lanes, count)
            self.driver.load(self._beats(rollout, first, last))
            self.driver.start()
            counters = self.driver.counters()
            cycles += counters.cycles
            elements += counters.elements
            stalls += counters.stalls
            saturated |= counters.saturated > 0
            place, kind, record, a, g = unpack_output(self.driver.read_results().ravel())
            step = (kind & 1) == 1
            steps_of = np.full((last - first, int(index[:, first:last].max()) + 1), -1)
            steps_of[np.arange(last - first), index[:, first:last]] = np.arange(steps)[:, None]
            where = steps_of[place[step], record[step]], place[step] + first
            if step.sum() != steps * (last - first) or (where[0] < 0).any():
                raise GaeError(f"the core gave {step.sum()} results for {steps * (last - first)} steps")
            advantages[where], returns[where] = a[step], g[step]
        return _Pass(advantages, returns, cycles, elements, stalls, saturated)

    def _result(self, rollout, found: _Pass, shift: int, runs: int, before, after) -> Result:
        driver = self.driver
        reward_step = self.clip / self._limit * 2.0**self._unit_exponent
        u = reward_step * 2.0**-shift
        raw_rewards, raw_values = self._raw(rollout)
        reward_codes, value_codes = (
            quantise(
                raw,
                driver.read(f"{of}_MEAN"),
                driver.read(f"{of}_INV"),
                driver.read(f"{of}_INV_SHIFT"),
                self._limit,
            )[0]
            for raw, of in ((raw_rewards, "REWARD"), (raw_values, "VALUE"))
        )
        values = (value_codes * driver.read("VALUE_SCALE") + driver.value_offset) * (u / (1 << SCALE_FRACTION))
        step = u * 2.0**self._drop
        return Result(
            advantages=found.advantages * step,
            returns=found.returns * step,
            rewards=reward_codes * reward_step + driver.read("REWARD_OFFSET") * u,
            values=values[0::2],
            bootstrap=values[-1],
            final_values=np.where(rollout.truncated, values[1::2], np.nan),
            step=step,
            shift=shift,
            runs=runs,
            cycles=found.cycles,
            elements=found.elements,
            stalls=found.stalls,
            clipped_rewards=(after.clipped_rewards - before.clipped_rewards) % (1 << 32) // runs,
            clipped_values=(after.clipped_values - before.clipped_values) % (1 << 32) // runs,
            saturated=found.saturated,
            flags=driver.take_flags() - (frozenset() if found.saturated else {"OUTPUT_SATURATED"}) - {"SCALE_SAT"},
        )


def advantages(
    rewards: ArrayLike,
    values: ArrayLike,
    terminated: ArrayLike,
    truncated: ArrayLike,
    bootstrap: ArrayLike,
    gamma: float = 0.99,
    lam: float = 0.95,
    *,
    final_values: ArrayLike | Mapping[tuple[int, int], float] | None = None,
    config: str | Mapping[str, int] = "demo",
    backend: str | Bus = "model",
    **options,
) -> tuple[np.ndarray, np.ndarray]:
    """Advantages and returns, (T, N) each, of one rollout standardised by itself.

    Arguments as Gae.compute and Gae; options go to Gae. float32 when rewards and values are float32, else float64. To
    keep reward statistics over rollouts, or to see counters, flags and quantised inputs, use Gae.
    """
    core = Gae(config, backend, gamma, lam, **options)
    result = core.compute(rewards, values, terminated, truncated, bootstrap, final_values)
    single = np.asarray(rewards).dtype == np.asarray(values).dtype == np.float32
    dtype = np.float32 if single else np.float64
    return result.advantages.astype(dtype), result.returns.astype(dtype)


def _bus(backend: str | Bus, parameters: Mapping[str, int]) -> Bus:
    if not isinstance(backend, str):
        return backend
    _check_choice("backend", backend, BACKENDS)
    if backend == "model":
        return GaeModelBus(parameters)
    return rtl_bus(parameters)


def rtl_bus(parameters: Mapping[str, int]) -> VerilatedBus:
    """The Verilated core: built when needed, simulated clock by clock. Raises RunFailed when it does not build."""
    # Without shared code the C++ grows with the array: minutes of compilation for 16 rows, an hour for 512.
    shared: tuple[str, ...] = ()
    if parameters["ROWS"] >= 8:
        many_groups = parameters["ROWS"] // parameters["SPAN"] >= 8
        shared = ("rlc_gae_group",) if many_groups else ("rlc_gae_row", "rlc_gae_bank")
    return VerilatedBus(VLNV, TOP, parameters, beat_bits=64 * parameters["BEAT"], shared=shared)


def _point(largest: float, headroom: int) -> int:
    """Fraction bits with which `largest` fits 24 bits signed and leaves `headroom` bits free."""
    if largest == 0:
        return 16
    point = math.floor(math.log2(_RAW_MAX / largest))
    # The logarithm may round up over a power of two.
    return (point if largest * 2.0**point <= _RAW_MAX else point - 1) - headroom


def _check_fraction(name: str, value: float) -> None:
    if not 0 <= value <= 1:  # also catches NaN
        raise UserError(f"{name} is {value}; it must be 0 to 1")


def _check_choice(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise UserError(f"{name} is {value!r}; it must be {' or '.join(repr(a) for a in allowed)}")
