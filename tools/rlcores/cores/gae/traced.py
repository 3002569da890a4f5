"""Sums with a coefficient a step, x_t = d_t + c_t * x_t+1, on a GAE core that was built with TRACE.

V-trace, Retrace, lambda- and n-step returns are such sums (returns.py). The core stores a code of d and one of c for
each step; scales are chosen for each set of sums so that nothing is clipped (docs/returns.md, "On the array").
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from rlcores.base.arguments import check_backend
from rlcores.buses.bus import Bus
from rlcores.cores.gae import array as gae_array
from rlcores.cores.gae.api import fitting, rtl_bus
from rlcores.cores.gae.driver import GaeDriver, GaeShape, Passed
from rlcores.cores.gae.model import GaeModelBus, pack, unpack_output
from rlcores.cores.gae.scale import BOOT, NONE, STEP, TERMINATED, formats
from rlcores.eda import configs, declared
from rlcores.errors import RunFailed, UserError

BACKENDS = ("model", "rtl")
_WITHOUT = "this GAE core was built without TRACE: it has one coefficient for all steps"


@dataclass(frozen=True)
class TraceScales:
    """Registers for one set of sums. `unit` is u, the LSB of the core's sums."""

    limit: int  # the greatest code
    unit: float
    shift: int  # SHIFT: a code of d is 2**shift u
    drop: int  # low bits of u that a result leaves out
    offset: int  # the middle of d, in whole u
    coefficient: int  # fraction bits of a coefficient
    fraction: int  # and of the next two, in its LSB
    slope: int  # VALUE_SCALE: c - 1 = code * slope + start
    start: int  # VALUE_OFFSET

    @property
    def step(self) -> float:
        """Of a code of d."""
        return math.ldexp(self.unit, self.shift)

    @property
    def result_step(self) -> float:
        """Of a result's code."""
        return math.ldexp(self.unit, self.drop)

    @property
    def coefficient_error(self) -> float:
        """How far a coefficient of the core is from the one that was wanted, at most: half a code, and its rounding.

        The least code may be a little above 0, because the slope is rounded down.
        """
        code = math.ldexp(max(self.slope / 2, 2 * self.limit), -self.fraction)
        return math.ldexp(code + 0.5, -self.coefficient)

    def codes(self, corrections: np.ndarray, decay: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Codes of d and of c."""
        whole = math.ldexp(1.0, self.coefficient + self.fraction)
        d = np.rint((corrections - self.offset * self.unit) / self.step)
        c = np.rint(((decay - 1) * whole - self.start) / self.slope) if self.slope else np.zeros_like(decay)
        return tuple(np.clip(x, -self.limit, self.limit).astype(np.int64) for x in (d, c))

    def write(self, driver: GaeDriver) -> None:
        """Into the registers; the raw numbers of the stream are the codes themselves."""
        known = formats(driver.shape.depth, driver.shape.qbits)
        start = self.start & ((1 << known.value_offset_bits) - 1)
        registers = {
            "QBITS": driver.shape.qbits,
            "SHIFT": self.shift,
            "GAMMA": 0,
            "GAMMA_LAMBDA": 0,
            "REWARD_OFFSET": self.offset << known.offset_fraction,
            "VALUE_SCALE": self.slope,
            "VALUE_OFFSET_LO": start & 0xFFFFFFFF,
            "VALUE_OFFSET_HI": start >> 32,
        }
        if known.wide:
            registers["OUT_DROP"] = self.drop
        for side in ("REWARD", "VALUE"):
            registers |= {f"{side}_MEAN": 0, f"{side}_INV": 1 << 14, f"{side}_INV_SHIFT": 16}
        driver.control(reward_auto=False, value_auto=False, order_previous=False)
        for name, value in registers.items():
            driver.write(name, value)


def choose(corrections: np.ndarray, decay: np.ndarray, shape: GaeShape, coarser: int = 0) -> TraceScales:
    """The finest scales with which all codes fit; with `coarser`, u is 2**coarser times as large.

    corrections, decay: d and c, (T, N), c 0 to 1, not all d 0 and all of a size of about 1.
    """
    known, limit = formats(shape.depth, shape.qbits), (1 << (shape.qbits - 1)) - 1
    low, high = float(corrections.min()), float(corrections.max())
    middle = (low + high) / 2
    # The offset may be as large as the largest code.
    extent = max(high - middle, abs(middle))
    shift = max(0, known.shift_max - coarser)
    unit = math.ldexp(extent / limit, coarser - known.shift_max)
    drop = gae_array.out_drop(shape.depth, shape.qbits, shape.out_bits)
    if known.wide:
        most = float(decay.max())
        steps = min(len(corrections), shape.depth)
        horizon = steps if most == 1 else (1 - most**steps) / (1 - most)
        largest = (max(abs(low), abs(high)) + math.ldexp(unit, shift)) * horizon * (1 + 2.0**-10)
        drop = max(0, math.frexp(largest / unit)[1] - (shape.out_bits - 1))
    one = 1 << known.coefficient
    top = round(float(decay.max()) * one) - one
    slope = ((top + one) << known.fraction) // (2 * limit)
    start = (top << known.fraction) - limit * slope
    offset = round(middle / unit)
    return TraceScales(limit, unit, shift, drop, offset, known.coefficient, known.fraction, slope, start)


class TraceSums:
    """A GAE core with TRACE for one set of sums after the other.

    config   name in configs.yaml, or Verilog parameters; None: a small one of 16-bit records
    backend  "model" (NumPy), "rtl" (the Verilated core through its AXI ports), or any Bus; all give the same bits
    """

    def __init__(self, config: str | Mapping[str, int] | None = None, backend: str | Bus = "model") -> None:
        """Raises UserError when an argument is out of its range or the core has no TRACE."""
        check_backend(backend, BACKENDS, "read", "a bus")
        self._backend = backend
        self._driver: GaeDriver | None = None
        if not isinstance(backend, str):
            self._open({})
        elif config is not None:
            named = configs.load("gae", config) if isinstance(config, str) else declared.completed("gae", config)
            self._open({name: int(value) for name, value in named.items()})

    def sums(self, corrections: np.ndarray, decay: np.ndarray) -> np.ndarray:
        """x (T, N) of d and c (T, N), where x behind the last row is 0. Raises UserError for a c beyond 0 to 1."""
        beyond = decay[(decay < 0) | (decay > 1)]
        if beyond.size:
            raise UserError(
                f"a coefficient is {beyond[0]:g}; a core takes 0 to 1: lower clip_c_threshold, gae_lambda or gamma"
            )
        largest = float(np.abs(corrections).max())
        if largest == 0:
            return np.zeros(corrections.shape)
        if self._driver is None:
            self._open({**fitting(*corrections.shape), "TRACE": 1})
        exponent = math.frexp(largest)[1]
        near_one = np.ldexp(corrections, -exponent)
        coarser = 0
        while (found := self._attempt(near_one, decay, coarser)) is None:
            coarser += 1
        with np.errstate(over="ignore"):
            return np.ldexp(found, exponent)

    @property
    def driver(self) -> GaeDriver:
        """The core's driver; without a config after the first sums."""
        if self._driver is None:
            raise UserError("there is no core yet: without a config it is chosen for the first sums")
        return self._driver

    def close(self) -> None:
        """End the simulation, where there is one of ours."""
        if self._backend == "rtl" and self._driver is not None:
            self._driver.bus.close()

    def _open(self, parameters: dict[str, int]) -> None:
        if isinstance(self._backend, str):
            if not parameters.get("TRACE"):
                raise UserError(_WITHOUT)
            GaeShape.of(parameters)
            bus = GaeModelBus(parameters) if self._backend == "model" else rtl_bus(parameters)
        else:
            bus = self._backend
        self._driver = GaeDriver(bus)
        if not self._driver.shape.trace:
            raise UserError(_WITHOUT)

    def _attempt(self, corrections: np.ndarray, decay: np.ndarray, coarser: int) -> np.ndarray | None:
        """The sums at these scales; None where a result was clipped."""
        driver, shape = self.driver, self.driver.shape
        scales = choose(corrections, decay, shape, coarser)
        scales.write(driver)
        driver.scale()
        d, c = scales.codes(corrections, decay)
        (steps, envs), sums = corrections.shape, np.zeros(corrections.shape)
        # Later steps first: what is before goes on from them.
        pieces = [(first, min(first + shape.depth, steps)) for first in range(0, steps, shape.depth)][::-1]
        cuts = [(piece, slice(n, min(n + shape.lanes, envs))) for piece in pieces for n in range(0, envs, shape.lanes)]

        def passes() -> Iterator[np.ndarray]:
            for (first, last), lanes in cuts:
                ends = decay[first:last, lanes] == 0
                yield _beats(shape, ends, d[first:last, lanes], c[first:last, lanes])

        saturated = False
        for ((first, last), lanes), passed in zip(cuts, driver.stream(passes()), strict=True):
            saturated |= passed.saturated > 0
            part = _codes(shape, passed, last - first, lanes.stop - lanes.start) * scales.result_step
            if last < steps:
                ahead = np.cumprod(decay[first:last, lanes][::-1], axis=0)[::-1]
                part += ahead * sums[last, lanes]
            sums[first:last, lanes] = part
        return None if saturated else sums


def _beats(shape: GaeShape, ends: np.ndarray, d: np.ndarray, c: np.ndarray) -> np.ndarray:
    """The stream of codes (T, lanes) and a BOOT behind them, on lanes 0 …: uint64 (beats, BEAT)."""
    steps, lanes = d.shape
    padded = -(-lanes // shape.beat) * shape.beat
    elements = np.zeros((steps + 1, padded), np.uint64)
    lane = np.arange(lanes)
    elements[:-1, :lanes] = pack(np.broadcast_to(lane, d.shape), np.where(ends, TERMINATED, STEP), d, c)
    elements[-1, :lanes] = pack(lane, np.full(lanes, BOOT), np.zeros(lanes), np.zeros(lanes))
    return elements.reshape(-1, shape.beat)


def _codes(shape: GaeShape, passed: Passed, steps: int, lanes: int) -> np.ndarray:
    """The codes of sums (T, lanes)."""
    lane, kind, record, sums, _ = unpack_output(passed.results.ravel(), shape.out_bits)
    step = (kind != NONE) & (kind != BOOT)
    if step.sum() != steps * lanes:
        raise RunFailed(f"the core gave {step.sum()} results for {steps * lanes} steps")
    codes = np.zeros((steps, lanes), np.int64)
    codes[record[step], lane[step]] = sums[step]
    return codes
