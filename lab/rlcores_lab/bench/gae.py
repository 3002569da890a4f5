"""`rlcores bench gae`: the core on the Verilated RTL, clocks of each command, every result checked with the model."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from rich.table import Table

from rlcores.base.report import Figure
from rlcores.cores.gae import api as gae
from rlcores.cores.gae import float64 as gae_float
from rlcores.cores.gae.array import out_drop
from rlcores.cores.gae.driver import GaeDriver
from rlcores.cores.gae.model import GaeModelBus, pack
from rlcores.cores.gae.scale import BOOT, NONE, STEP, TERMINATED, formats
from rlcores.eda.boards import Clock
from rlcores.errors import RunFailed
from rlcores_lab import shown
from rlcores_lab.bench import gae_peers, peer
from rlcores_lab.bench.tables import Outcome, Parameters, Step, against, measured, notes, prefixes, times
from rlcores_lab.cycles import gae as gae_cycles

# What Taha and Abdelhadi (2025) report for their array on the ZCU106's device family; no vendor tool checks it here.
SEED = 1
# The peers' problem, and Taha and Abdelhadi's (2025): environments and steps.
PEER_LANES, PEER_STEPS = 64, 1024

_POINT = 12  # raw rewards and values are standard normal numbers times 2**12
_CLIP = 4.0
_STREAMED = 4  # rollouts one behind the other


@dataclass(frozen=True)
class Run:
    """One rollout through the core. Clocks of a command are from its register write to its end, seen over AXI."""

    records: int  # steps and BOOTs on the lanes
    longest: int  # records of the fullest lane
    elements: int  # ELEMENTS: results
    cycles: int  # CYCLES: clocks that the array ran
    model_cycles: int  # the same, from rlcores_lab.cycles.gae
    stalls: int  # STALLS: row-clocks of these without a result
    beats_in: int
    beats_out: int
    measure: int
    scale: int
    load: int
    read: int


@dataclass(frozen=True)
class Bench:
    """What one configuration does. Lengths in steps per lane; `unequal` is None where no lane ever waits for a row."""

    parameters: dict[str, int]
    full: Run  # every lane holds DEPTH steps
    half: Run  # every lane holds DEPTH/2 steps
    unequal: Run | None  # heavy-tailed lengths
    stream: "Stream"  # rollouts that follow each other

    @property
    def rows(self) -> int:
        """ROWS of the core."""
        return self.parameters["ROWS"]

    @property
    def sustained(self) -> float:
        """Elements per clock and row between the half-full and the full run: arming, filling and draining cancel."""
        elements = self.full.elements - self.half.elements
        return elements / (self.rows * (self.full.cycles - self.half.cycles))

    @property
    def overall(self) -> float:
        """Elements per clock and row of the full run, with arming, filling and draining."""
        return self.full.elements / (self.rows * self.full.cycles)

    def occupancy(self, run: Run) -> float:
        """Share of the row-clocks of a run in which a row took a record."""
        return run.records / (self.rows * run.cycles)


@dataclass(frozen=True)
class Stream:
    """Clocks from rollout to rollout, every lane with DEPTH steps, all of it: registers, passes, run, results."""

    cycles: float  # software gives the scales, and SCALE takes them over before each rollout
    measured: float  # MEASURE and SCALE take each rollout into account before its LOAD


def measure(parameters: Mapping[str, int], seed: int = SEED) -> Bench:
    """Build the core, run it, and compare every result with the integer model.

    parameters: Verilog parameters. Raises RunFailed when a result or a counter is wrong, or the core does not build.
    """
    parameters = dict(parameters)
    lanes, depth = parameters["LANES"], parameters["DEPTH"]
    rng = np.random.default_rng(seed)
    with gae.rtl_bus(parameters) as bus:
        driver = GaeDriver(bus)
        full = _run(driver, parameters, np.full(lanes, depth), rng)
        half = _run(driver, parameters, np.full(lanes, depth // 2), rng)
        unequal = None
        if lanes // parameters["INTERLEAVE"] > parameters["ROWS"]:
            unequal = _run(driver, parameters, heavy_tailed(lanes, depth, rng), rng)
        stream = _stream(driver, parameters, rng)
    return Bench(parameters, full, half, unequal, stream)


def _stream(driver: GaeDriver, parameters: Mapping[str, int], rng: np.random.Generator) -> Stream:
    """Rollouts one behind the other; every result is compared with the model's."""
    steps = np.full(parameters["LANES"], parameters["DEPTH"])
    rollouts = [rollout(parameters, steps, rng) for _ in range(_STREAMED)]
    model = GaeDriver(GaeModelBus(parameters))
    clocks = []
    for measured_first in (False, True):
        seen, ends = [], []
        for core in (driver, model):
            _configure(core, parameters)
            core.measure(rollouts[0])
            core.scale()
            core.control(reward_auto=measured_first, value_auto=measured_first, order_previous=False)
            seen.append([])
            for passed in core.stream(_beats_of(core, rollouts, measured_first)):
                seen[-1].append(passed.results)
                ends.append(getattr(core.bus, "cycles", 0))
        if not all(np.array_equal(one, other) for one, other in zip(*seen, strict=True)):
            raise RunFailed("the RTL and the integer model differ in rollouts that follow each other")
        # The last one has no other behind it.
        clocks.append((ends[_STREAMED - 2] - ends[0]) / (_STREAMED - 2))
    return Stream(*clocks)


def _beats_of(core: GaeDriver, rollouts: Sequence[np.ndarray], measured_first: bool) -> Iterator[np.ndarray]:
    for beats in rollouts:
        if measured_first:
            core.measure(beats)
        core.scale()
        yield beats


def heavy_tailed(lanes: int, depth: int, rng: np.random.Generator) -> np.ndarray:
    """Steps of each lane, 0 to depth: Pareto with shape 1, so that a few lanes hold most of the steps."""
    return np.minimum(depth / 4 * rng.pareto(1.0, lanes), depth).astype(np.int64)


def rollout(parameters: Mapping[str, int], steps: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Random elements, uint64 (beats, BEAT): steps[n] steps on lane n and the BOOT that ends it; 1 of 200 terminates.

    A lane without a step stays empty.
    """
    lanes, beat = parameters["LANES"], parameters["BEAT"]
    record = np.arange(int(steps.max()) + 1)[:, None]
    shape = (len(record), lanes)
    kinds = np.where(rng.random(shape) < 0.005, TERMINATED, STEP)
    kinds = np.where(record < steps, kinds, np.where((record == steps) & (steps > 0), BOOT, NONE))
    raw = np.rint(rng.standard_normal((2, *shape)) * 2**_POINT).astype(np.int64)
    words = pack(np.broadcast_to(np.arange(lanes), shape), kinds, *raw)
    beats = np.where(kinds == NONE, np.uint64(0), words).reshape(-1, beat)
    return beats[(kinds.reshape(-1, beat) != NONE).any(axis=1)]


def _configure(driver: GaeDriver, parameters: Mapping[str, int]) -> None:
    depth, qbits, out_bits = (parameters[name] for name in ("DEPTH", "QBITS", "OUT_BITS"))
    # Room for results of four clip ranges.
    room = ((1 << (out_bits - 1)) - 1) / (((1 << (qbits - 1)) - 1) * 4)
    shift = out_drop(depth, qbits, out_bits) + int(np.floor(np.log2(room)))
    driver.write("QBITS", qbits)
    driver.write("CLIP", round(_CLIP * 256))
    driver.write("SHIFT", min(max(shift, 0), formats(depth, qbits).shift_max, 15))
    driver.write("VALUE_POINT", _POINT)
    driver.write("GAMMA", round(gae_peers.GAMMA * 2**31))
    driver.write("GAMMA_LAMBDA", round(gae_peers.GAMMA * gae_peers.LAMBDA * 2**31))
    driver.write("REWARD_OFFSET", 0)
    driver.control(reward_auto=True, value_auto=True, order_previous=False)
    driver.reset_statistics()


def _run(driver: GaeDriver, parameters: Mapping[str, int], steps: np.ndarray, rng: np.random.Generator) -> Run:
    beats = rollout(parameters, steps, rng)
    results, clocks = _commands(driver, parameters, beats)
    model = GaeDriver(GaeModelBus(parameters))
    expected, _ = _commands(model, parameters, beats)
    if not np.array_equal(results, expected):
        wrong = (results != expected).sum() if results.shape == expected.shape else "the number"
        raise RunFailed(f"the RTL and the integer model differ: {wrong} of {expected.size} elements")
    counters = driver.counters()
    total = int(steps.sum())
    if counters.elements != total or counters.elements + counters.stalls != parameters["ROWS"] * counters.cycles:
        raise RunFailed(f"the core counts {counters.elements} elements and {counters.stalls} stalls for {total} steps")
    records = np.where(steps > 0, steps + 1, 0)
    return Run(
        records=int(records.sum()),
        longest=int(records.max()),
        elements=counters.elements,
        cycles=counters.cycles,
        model_cycles=gae_cycles.cycles(parameters, records),
        stalls=counters.stalls,
        beats_in=len(beats),
        beats_out=len(results),
        **clocks,
    )


def _commands(driver: GaeDriver, parameters: Mapping[str, int], beats: np.ndarray) -> tuple[np.ndarray, dict[str, int]]:
    _configure(driver, parameters)
    taken = {}
    steps = {
        "measure": lambda: driver.measure(beats), "scale": driver.scale, "load": lambda: driver.load(beats),
        "start": driver.start, "read": driver.read_results,
    }  # fmt: skip
    for name, step in steps.items():
        before = getattr(driver.bus, "cycles", 0)
        results = step()
        taken[name] = getattr(driver.bus, "cycles", 0) - before
    del taken["start"]
    return results, taken


def figures(bench: Bench, clock: Clock, prefix: str = "gae") -> list[Figure]:
    """The figures of one configuration. Times are at that clock, and say so."""
    full, half = bench.full, bench.half
    depth, lanes = bench.parameters["DEPTH"], bench.parameters["LANES"]
    streamed = full.measure + full.scale + full.load + full.cycles + full.read
    listed = [
        Figure("rows", bench.rows, "rows", "measured"),
        Figure("lanes", lanes, "lanes", "measured"),
        Figure("elements", full.elements, "elements", "measured"),
        Figure("cycles", full.cycles, "clocks", "measured"),
        Figure("cycles_model", full.model_cycles, "clocks", "model"),
        Figure("cycles_ideal", -(-full.elements // bench.rows), "clocks", "model"),
        Figure("cycles_half", half.cycles, f"clocks for {depth // 2} steps per lane", "measured"),
        Figure("elements_per_cycle_per_row", bench.sustained, "1", "measured"),
        Figure("elements_per_cycle_per_row_overall", bench.overall, "1", "measured"),
        Figure("stalls", full.stalls, "row-clocks", "measured"),
        Figure("occupancy", bench.occupancy(full), "1", "measured"),
        Figure("load_beats", full.beats_in, "beats", "measured"),
        Figure("read_beats", full.beats_out, "beats", "measured"),
        Figure("measure_cycles", full.measure, "clocks", "measured"),
        Figure("scale_cycles", full.scale, "clocks", "measured"),
        Figure("load_cycles", full.load, "clocks", "measured"),
        Figure("read_cycles", full.read, "clocks", "measured"),
        Figure("stream_cycles", bench.stream.cycles, "clocks from rollout to rollout", "measured"),
        Figure(
            "stream_measured_cycles", bench.stream.measured, "clocks, each measured before it is scaled", "measured"
        ),
        Figure("rollout_cycles", streamed, "clocks, all five commands", "measured"),
        Figure("clock_mhz", clock.mhz, f"MHz, {clock.whose}", "assumed"),
        Figure("ns_per_element", _ns(full.cycles, full.elements, clock), "ns", "model"),
        Figure("rollout_ns_per_element", _ns(streamed, full.elements, clock), "ns", "model"),
    ]
    if bench.unequal:
        run = bench.unequal
        listed += [
            Figure("unequal.elements", run.elements, "elements", "measured"),
            Figure("unequal.longest", run.longest, "records", "measured"),
            Figure("unequal.cycles", run.cycles, "clocks", "measured"),
            Figure("unequal.cycles_model", run.model_cycles, "clocks", "model"),
            Figure("unequal.occupancy", bench.occupancy(run), "1", "measured"),
            Figure("unequal.stalls", run.stalls, "row-clocks", "measured"),
        ]
    return [Figure(f"{prefix}.{f.name}", f.value, f.unit, f.how) for f in listed]


def peer_figures(seconds: float = 0.5, seed: int = SEED) -> list[Figure]:
    """NumPy and C on the paper's problem: nanoseconds an element on this machine, one core, float32.

    Raises RunFailed when a peer is further from float64 than float32 explains.
    """
    problem = gae_peers.problem(PEER_STEPS, PEER_LANES, seed)
    wide = (x.astype(np.float64) for x in (problem.rewards, problem.values))
    rest = problem.terminated, problem.truncated, problem.bootstrap, problem.final_values
    exact = gae_float.rollout(*wide, *rest, problem.gamma, problem.gae_lambda)
    listed = []
    for name, _, make, _ in gae_peers.BEST:
        compute = make(problem)
        error = max(float(np.abs(x - y).max()) for x, y in zip(compute(), exact, strict=True))
        if error > 1e-4:
            raise RunFailed(f"the {name} peer is off by {error:.2g} from float64")
        each = 1e9 * peer.least(lambda number, compute=compute: compute(), seconds) / problem.rewards.size
        listed.append(Figure(f"peer.{name}.gae_ns", each, "ns", "measured"))
    return listed


def ratios(bench: Bench, timed: list[Figure], clock: Clock, prefix: str = "gae") -> list[Figure]:
    """How many times faster an element is than a peer's: the array alone, and with its streams in and out."""
    full = bench.full
    array = _ns(full.cycles, full.elements, clock)
    streamed = _ns(full.measure + full.scale + full.load + full.cycles + full.read, full.elements, clock)
    listed = []
    for figure in timed:
        name = figure.name.split(".")[1]
        listed.append(Figure(f"{prefix}.ratio_{name}", figure.value / array, f"x, at {clock}", "model"))
        listed.append(Figure(f"{prefix}.rollout_ratio_{name}", figure.value / streamed, f"x, at {clock}", "model"))
    return listed


def _ns(clocks: int, elements: int, clock: Clock) -> float:
    return clocks * 1e3 / clock.mhz / elements


# --- tables ---

# Without --config: what the documents quote and what a laptop builds in a few minutes.
DEFAULT = ("paper64", "paper64_stream", "paper64_wide", "paper64_k3", "interleave16", "dispatch")


def run(chosen: Mapping[str, Parameters], clock: Clock, seed: int, step: Step) -> Outcome:
    """Measure these configurations, name -> parameters, and the peers."""
    step("NumPy and C")
    timed = peer_figures()
    results = measured(chosen, step, lambda parameters: measure(parameters, seed))
    listed = list(timed)
    for name, prefix in prefixes("gae", chosen).items():
        listed += figures(results[name], clock, prefix) + ratios(results[name], timed, clock, prefix)
    tables = [_cycles(results), *_unequal(results), _peers(results, timed, clock)]
    shares = {}
    for name, result in results.items():
        array, streamed = (ratio.value for ratio in ratios(result, timed[-1:], clock))
        shares[name] = result.parameters["BEAT"], against(array), against(streamed)
    sizes = {"lanes": PEER_LANES, "steps": PEER_STEPS}
    return Outcome(listed, [*tables, *notes("gae", results=results, ratios=shares, clock=clock, **sizes)])


def _cycles(results: dict[str, Bench]) -> Table:
    rows = [("config", "rows", "lanes x steps", "clocks", "ideal", "sustained", "load", "read", "stream")]
    for name, result in results.items():
        full, shape = result.full, f"{result.parameters['LANES']} x {result.parameters['DEPTH']}"
        clocks = full.cycles, -(-full.elements // result.rows), f"{result.sustained:.2f}", full.load, full.read
        clocks = *clocks, f"{result.stream.cycles:,.0f}"
        rows.append((name, result.rows, shape, *clocks))
    return shown.table("Clocks of the array, all lanes full (measured)", rows)


def _unequal(results: dict[str, Bench]) -> list[Table]:
    rows = [("config", "rows", "lanes", "steps", "longest", "clocks", "model", "occupancy")]
    for name, result in results.items():
        if run := result.unequal:
            counts = result.rows, result.parameters["LANES"], run.elements, run.longest, run.cycles, run.model_cycles
            rows.append((name, *counts, f"{result.occupancy(run):.1%}"))
    return [shown.table("Clocks of the array, heavy-tailed lengths (measured)", rows)] if len(rows) > 1 else []


def _peers(results: dict[str, Bench], software: Sequence[Figure], clock: Clock) -> Table:
    timed = [(way.title, figure.value, "measured") for way, figure in zip(gae_peers.BEST, software, strict=True)]
    for name, result in results.items():
        own = {f.name: f.value for f in figures(result, clock)}
        for what, figure in (("array", "ns_per_element"), ("streamed", "rollout_ns_per_element")):
            timed.append((f"{name}, {what}", own[f"gae.{figure}"], f"at {clock}"))
    rows = [("who", "ns", "how", "x NumPy", "x C")]
    rows += [(who, f"{ns:.4f}", how, *(times(one.value / ns) for one in software)) for who, ns, how in timed]
    return shown.table("Time of an element", rows)
