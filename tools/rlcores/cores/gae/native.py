"""Rollouts in the native engine: the integers of the core's model, and the plain recurrence, in C++."""

import threading
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base.arrays import compact, is_compact, plain
from rlcores.cores.gae import scales as gae_scales
from rlcores.cores.gae.driver import GaeError, GaeShape, Sums
from rlcores.cores.gae.moments import Moments
from rlcores.cores.gae.rollout import check
from rlcores.cores.gae.scale import ScaleConfig, config_valid, derive
from rlcores.cores.gae.scale import Scales as Registers
from rlcores.cores.gae.scales import Centred, Scales
from rlcores.cores.gae.streamed import pieces
from rlcores.errors import UserError
from rlcores.native import engine

# One per thread. Only its memory is kept between rollouts, because allocating it is slow.
_here = threading.local()


def _known(x: np.ndarray) -> bool:
    return is_compact(x) and x.dtype.char in "?fd"


class Native:
    """What streamed.Streamed is for a core behind a bus, in the engine."""

    def __init__(self, parameters: Mapping[str, int], threads: int = 1) -> None:
        """parameters: Verilog parameters of the core whose integers these are. threads: no result depends on them."""
        self.shape = GaeShape.of(parameters)
        self._threads = threads
        self._flags: frozenset[str] = frozenset()

    def load(self, *inputs: ArrayLike) -> None:
        """Take a rollout over; raises as rlcores.cores.gae.rollout.check() does."""
        self._flags = frozenset()
        self.held.threads(self._threads)
        names = ("rewards", "values", "terminated", "truncated", "bootstrap", "final_values")
        try:
            arrays = [
                x if type(x) is np.ndarray or x is None or isinstance(x, Mapping) else plain(name, x)
                for name, x in zip(names, inputs, strict=True)
            ]
        except UserError:
            check(*inputs)  # where something else is wrong too, what it finds first is said
            raise
        direct = all((x is None and name == "final_values") or _known(x) for name, x in zip(names, arrays, strict=True))
        self._ends = arrays[2:4]
        if not (direct and self.held.load(*arrays)):
            r = check(*inputs)
            self._ends = r.terminated, r.truncated
            whole = (r.rewards, r.values, r.terminated, r.truncated, r.bootstrap, r.final_values)
            if not self.held.load(*(compact(x) for x in whole)):
                raise GaeError("the native engine does not take a rollout that is right")

    @property
    def held(self) -> "engine.GaeRollout":
        """The rollout, of which scales.centre() asks."""
        if not hasattr(_here, "rollout"):
            _here.rollout = engine.GaeRollout()
        return _here.rollout

    def clear(self) -> None:
        """Nothing is left behind."""

    def scale(self, known: Moments, scaling: str) -> None:
        """Its rewards from now on as `scaling` says: moments.scaled()."""
        shift = known.mean if scaling == "standardise" and not known.constant else 0.0
        self.held.scale(known.unit, shift / known.unit)

    def sums(self, centred: Centred, point: int) -> Sums:
        """Exact sums of the deviations of rewards with `point` fraction bits."""
        r = self.held
        return Sums(r.steps * r.lanes, *r.exact(point))

    def begin(self, qbits: int, gamma: float, gae_lambda: float) -> None:
        """What all attempts at a rollout have in common."""
        r, shape = self.held, self.shape
        self._gamma, self._lambda, self._qbits = gamma, gae_lambda, qbits
        # Where even a lane with a truncation wherever there is one fits, nothing has to be looked at.
        if r.steps + r.boots <= shape.depth:
            self._cuts = [0, r.steps]
        else:
            terminated, truncated = self._ends
            runs = pieces(truncated & ~terminated, shape.depth)
            self._cuts = [0, *(last for _, last in runs)]

    def attempt(self, scales: Scales) -> int:
        """Run the rollout at these scales: the largest |code| of an advantage."""
        shape, r = self.shape, self.held
        config = ScaleConfig(
            depth=shape.depth,
            storage_qbits=shape.qbits,
            lookahead=shape.lookahead,
            qbits=self._qbits,
            shift=scales.shift,
            gamma=round(self._gamma * 2**31),
            gamma_lambda=round(self._gamma * self._lambda * 2**31),
            reward_auto=False,
            value_auto=False,
        )
        registers = Registers(value_scale=scales.value_scale)
        if not config_valid(config, registers):
            raise GaeError(f"the GAE core has no such scales: {config}", frozenset({"CONFIG"}))
        derived, known = derive(config, registers), config.formats
        words = engine.GaeRegisters()
        words.value_scale, words.value_offset = scales.value_scale, 0
        words.s_vn, words.k_cut, words.k_keep = derived.s_vn, derived.k_cut, derived.k_keep
        words.b_step, words.b_loop = derived.b_step, derived.b_loop
        words.shift, words.fraction, words.coefficient = scales.shift, known.fraction, known.coefficient
        words.drop, words.out_bits, words.lookahead = scales.drop, shape.out_bits, shape.lookahead
        self.clipped = tuple(
            r.quantise(
                scales.reward_point,
                scales.reward_inv_shift,
                scales.value_point,
                scales.value_inv,
                scales.value_inv_shift,
                scales.limit,
                self._cuts,
            )
        )
        for flag, count in zip(("REWARD_CLIPPED", "VALUE_CLIPPED"), self.clipped, strict=True):
            self._flags |= {flag} if count else set()
        peak, sums, values = r.run(words, self._cuts)
        if sums.bit_length() >= known.sums or values.bit_length() >= known.values:
            raise OverflowError("a sum of the GAE array needs more bits than it has")
        return peak

    def outcome(self, scales: Scales, clip: float | None, whole: bool = True) -> dict:
        """Advantages and returns of the last attempt; if `whole` all that Result tells."""
        r, centred = self.held, scales.centred
        constant_reward, constant_value, lost = centred.reward_centre, centred.value_centre, (0.0, 0.0)
        if clip is None:
            lost = r.lost(scales.reward_step, scales.value_step)
            constant_reward, constant_value = constant_reward + lost[0], constant_value + lost[1]
        constants = gae_scales.constants(r.steps, self._gamma, self._lambda, constant_reward, constant_value)
        by = engine.GaeOutcome(
            scales.reward_step,
            scales.value_step,
            scales.result_step,
            clip is not None,
            lost,
            constant_reward,
            constant_value,
            centred.mantissa,
            centred.exponent,
        )
        shape = r.steps, r.lanes
        advantages, returns = _two(shape, np.float64)
        ahead = gae_scales.powers(self._gamma * self._lambda, self.shape.depth if len(self._cuts) > 2 else 0)
        r.outcome(by, constants, self._cuts, ahead, advantages, returns)
        outcome = {"advantages": advantages, "returns": returns}
        if not whole:
            return outcome
        seen = {name: np.empty(shape) for name in ("rewards", "values", "final_values")}
        bootstrap = np.empty(r.lanes)
        r.seen(by, seen["rewards"], seen["values"], bootstrap, seen["final_values"])
        distance = r.rms(self._gamma, self._gamma * self._lambda, advantages)
        outcome |= seen | {"bootstrap": bootstrap, "elements": r.steps * r.lanes}
        return outcome | {"error": lambda: distance}

    def take_flags(self) -> frozenset[str]:
        """Notices since load()."""
        return self._flags


def _two(shape: tuple[int, ...], dtype: type) -> np.ndarray:
    """Two arrays of one piece of memory: two of a megabyte together would go back to the system after every call."""
    return np.empty((2, *shape), dtype)


def plain_gae(
    inputs: tuple[Any, ...], gamma: float, gae_lambda: float, dtype: type, threads: int
) -> tuple[np.ndarray, np.ndarray] | None:
    """Advantages and returns by the plain recurrence of arrays as Gae.compute takes them, in float32 or float64.

    None where they are not plain arrays of right numbers, or a result is none: the caller finds out why.
    """
    direct = all(_known(x) for x in inputs[:5])
    if not direct or not (inputs[5] is None or type(inputs[5]) is np.ndarray):
        return None
    rewards, values, terminated, truncated, bootstrap, final = inputs
    shape = rewards.shape
    if rewards.ndim != 2 or not rewards.size or any(x.shape != shape for x in (values, terminated, truncated)):
        return None
    if terminated.dtype != bool or truncated.dtype != bool or bootstrap.shape != shape[1:]:
        return None
    if truncated.any() if final is None else final.shape != shape:
        return None
    numbers = [rewards, values, bootstrap, *(() if final is None else (final,))]
    if any(x.dtype not in (np.float32, np.float64) for x in numbers):
        return None
    with np.errstate(over="ignore"):
        numbers = [compact(x, dtype) for x in numbers]
    advantages, returns = _two(shape, dtype)
    last = None if final is None else numbers[3]
    ends = terminated, truncated
    discount = gamma * gae_lambda
    wrong = engine.gae_plain(*numbers[:2], *ends, numbers[2], last, gamma, discount, advantages, returns, threads)
    return None if wrong else (advantages, returns)
