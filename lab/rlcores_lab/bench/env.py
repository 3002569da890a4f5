"""`rlcores bench env`: steps per clock of the RTL through its stream, its error, and how fast processors step."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from rich.table import Table

from rlcores import native
from rlcores.base.report import Figure
from rlcores.cores.env import float64
from rlcores.cores.env.driver import EnvDriver
from rlcores.cores.env.model import EnvModel
from rlcores.cores.env.native import NativeEnvs
from rlcores.cores.env.physics import Physics
from rlcores.eda import configs, declared
from rlcores.eda.boards import Clock
from rlcores.errors import RunFailed
from rlcores_lab import shown
from rlcores_lab.bench import peer
from rlcores_lab.bench.tables import Outcome, Parameters, Step, measured, notes, prefixes, times

SEED = 1
STATES = 1_000_000  # random ones, from which the error is taken
# Copies of an environment that step at once: those of a PPO rollout, and more.
COPIES = (64, 1024)
SECONDS = 0.5
# Actions of the two runs; what a run takes beside its steps cancels in their difference.
RUNS = (2048, 6144)


@dataclass(frozen=True)
class Bench:
    """What one configuration does, every answer compared with the model."""

    physics: Physics
    n_envs: int
    cycles: tuple[int, int]  # of the two runs, from the first register access to the last answer

    @property
    def steps_per_clock(self) -> float:
        """Between the short and the long run."""
        return (RUNS[1] - RUNS[0]) / (self.cycles[1] - self.cycles[0])


def measure(parameters: Mapping[str, int], seed: int = SEED) -> Bench:
    """Build the core, stream random actions into it, and compare every answer with the integer model.

    Raises RunFailed when one differs, or the core does not build.
    """
    rng = np.random.default_rng(seed)
    driver = EnvDriver.verilated(parameters)
    with driver.bus as bus:
        model = EnvModel(driver.physics, driver.n_envs, driver.time_limit)
        _same(driver.start(seed), model.start(seed))
        cycles = []
        for count in RUNS:
            actions = driver.physics.random_actions(count, rng)
            before = bus.cycles
            answers = driver.step(actions)
            cycles.append(bus.cycles - before)
            _same(answers, model.step(actions))
        return Bench(driver.physics, driver.n_envs, tuple(cycles))


def _same(answers: np.ndarray, expected: np.ndarray) -> None:
    if answers.tobytes() != expected.tobytes():
        raise RunFailed(
            f"the RTL and the integer model differ in {(answers != expected).sum()} of {len(answers)} answers"
        )


def figures(bench: Bench, error: float, clock: Clock, prefix: str) -> list[Figure]:
    """The figures of one configuration. Times are at that clock, and say so."""
    listed = [
        Figure("n_envs", bench.n_envs, "environments", "measured"),
        Figure("steps_per_cycle", bench.steps_per_clock, "1, through the stream", "measured"),
        Figure("max_error", error, f"of a state's range, {STATES:,} random states", "measured"),
        Figure("clock_mhz", clock.mhz, f"MHz, {clock.whose}", "assumed"),
        Figure("step_ns", _ns(bench, clock), "ns", "model"),
    ]
    return [Figure(f"{prefix}.{f.name}", f.value, f.unit, f.how) for f in listed]


def _ns(bench: Bench, clock: Clock) -> float:
    return 1e3 / clock.mhz / bench.steps_per_clock


def software(physics: Physics, copies: int, seed: int) -> Iterator[tuple[str, str, float]]:
    """Of each peer a name, a title and nanoseconds a step, `copies` stepping at once."""
    import gymnasium

    import rlcores.cores.env.plants  # noqa: F401 - registers the library's own

    rng = np.random.default_rng(seed)
    codes = [physics.random_actions(copies, rng) for _ in range(16)]
    engine = NativeEnvs(physics, copies)
    engine.begin(seed)
    yield "native", f"rlcores, native on {native.isa()}", _least(copies, lambda i: engine.answers(codes[i % 16]))
    kinds = {"gymnasium_sync": "sync"}
    if gymnasium.spec(physics.gymnasium).vector_entry_point is not None:
        kinds["gymnasium_numpy"] = "vector_entry_point"
    for name, mode in kinds.items():
        envs = gymnasium.make_vec(physics.gymnasium, num_envs=copies, vectorization_mode=mode)
        envs.reset(seed=seed)
        envs.action_space.seed(seed)
        actions = [envs.action_space.sample() for _ in range(16)]
        title = f"Gymnasium {gymnasium.__version__}, {type(envs.unwrapped).__name__}"
        yield name, title, _least(copies, lambda i, envs=envs, actions=actions: envs.step(actions[i % 16]))
        envs.close()


def _least(copies: int, call: Callable[[int], object]) -> float:
    return peer.least(call, SECONDS) / copies * 1e9


# --- tables ---

# Without --config: the configuration of each environment that is called like it.
DEFAULT = tuple(name for name in declared.of("env")["ENV"].choice if name in configs.names("env"))


def run(chosen: Mapping[str, Parameters], clock: Clock, seed: int, step: Step) -> Outcome:
    """Measure these configurations, name -> parameters, and step the same environments on this processor."""
    results = measured(chosen, step, lambda parameters: measure(parameters, seed))
    listed: list[Figure] = []
    clocks = [("config", "environment", "copies", "steps per clock", "largest error")]
    speeds = [("environment", "who", "copies", "ns a step", "million steps a second", "x Gymnasium")]
    for name, place in _places(results).items():
        result = results[name]
        kind = result.physics.name
        step(f"{kind}: {STATES:,} random states beside Gymnasium's float64")
        error = float64.largest_error(result.physics, STATES, seed)
        listed += figures(result, error, clock, place)
        cells = result.physics.gymnasium, result.n_envs, f"{result.steps_per_clock:.3f}", f"2^{np.log2(error):.1f}"
        clocks.append((name, *cells))
    for kind in dict.fromkeys(result.physics.name for result in results.values()):
        result = next(one for one in results.values() if one.physics.name == kind)
        for copies in COPIES:
            step(f"{kind}: {copies} copies on this processor")
            timed = list(software(result.physics, copies, seed))
            timed.append(("", f"the core at {clock}", _ns(result, clock)))
            base = next(ns for who, _, ns in timed if who == "gymnasium_sync")
            for who, title, ns in timed:
                if who:
                    place_of_peer = who if who == "native" else f"peer.{who}"
                    place_of_peer += "" if copies == COPIES[0] else f".copies{copies}"
                    condition = f"{copies} at once, through Python"
                    listed.append(Figure(f"{place_of_peer}.{kind}_step_ns", ns, f"ns, {condition}", "measured"))
                    listed.append(
                        Figure(f"{place_of_peer}.{kind}_steps_per_second", 1e9 / ns, f"1/s, {condition}", "measured")
                    )
                speeds.append((kind, title, copies, f"{ns:,.1f}", f"{1e3 / ns:.3g}", times(base / ns)))
    tables: list[Table | str] = [
        shown.table("Environments: steps of the RTL (measured)", clocks, left=("config", "environment")),
        shown.table("Environments: a step on this processor (measured)", speeds, left=("environment", "who")),
    ]
    return Outcome(listed, [*tables, *notes("env", states=STATES, clock=clock)])


def _places(results: Mapping[str, Bench]) -> dict[str, str]:
    # A figure is called by its environment; by its configuration as well where there are several of one.
    kinds = [result.physics.name for result in results.values()]
    if len(set(kinds)) == len(kinds):
        return {name: f"env.{result.physics.name}" for name, result in results.items()}
    return prefixes("env", results)
