"""The tensor core on the Verilated RTL: clocks of a step of DQN, TD3 and SAC, whose TD errors are the model's."""

from collections.abc import Mapping
from dataclasses import dataclass

from rlcores.base.report import Figure
from rlcores.eda.boards import Clock
from rlcores_lab import shown
from rlcores_lab.bench.tables import Outcome, Parameters, Step, measured, prefixes
from rlcores_lab.cycles import tensor as cycles

DEFAULT = ("tiny",)


@dataclass(frozen=True)
class Bench:
    """Of one configuration, by algorithm: (network and batch in words, clocks counted, clocks of the schedule)."""

    steps: dict[str, tuple[str, int, int]]


def measure(parameters: Parameters, seed: int) -> Bench:
    """Train the largest learners that fit. Raises RunFailed when a TD error is not the model's."""
    by_kind = {}
    for kind in cycles.KINDS:
        learner, batch = cycles.learner_of(parameters, kind)
        layers = "-".join(map(str, learner.settings.network))
        what = f"{learner.states}-{layers}-{learner.actions}, batch {batch}"
        by_kind[kind] = what, cycles.counted(parameters, seed, kind), cycles.step(parameters, kind)
    return Bench(by_kind)


def figures(bench: Bench, prefix: str = "tensor") -> list[Figure]:
    """What --json gets of one configuration."""
    listed = []
    for kind, (_, counted, model) in bench.steps.items():
        listed.append(Figure(f"{prefix}.{kind}.cycles_per_step", counted, "cycles", "measured"))
        listed.append(Figure(f"{prefix}.{kind}.model_cycles", model, "cycles", "model"))
    return listed


def run(chosen: Mapping[str, Parameters], clock: Clock, seed: int, step: Step) -> Outcome:
    """Measure these configurations, name -> parameters."""
    results = measured(chosen, step, lambda p: measure(p, seed))
    listed: list[Figure] = []
    for name, prefix in prefixes("tensor", results).items():
        listed += figures(results[name], prefix)
    rows: list[tuple] = [("config", "algorithm", "network", "clocks", "of the schedule", f"us at {clock}")]
    for name, bench in results.items():
        for kind, (what, counted, model) in bench.steps.items():
            rows.append((name, kind, what, counted, model, f"{counted / clock.mhz:.3g}"))
    return Outcome(listed, [shown.table("A training step, the quickest of some (measured)", rows)])
