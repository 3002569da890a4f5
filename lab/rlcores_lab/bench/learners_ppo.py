"""`rlcores bench learners_ppo`: an iteration of PPO cores that average their weights, beside one core by itself.

The environments are inside; whatever the cores learn is compared with the integer model. `--config u200` builds and
runs three cores of 64-64, which takes half an hour and more.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rlcores.base.report import Figure
from rlcores.cores.env import environments
from rlcores.cores.env.native import NativeEnvs
from rlcores.cores.learner.layout import WeightLayout
from rlcores.cores.learners.driver import PpoLearnersDriver
from rlcores.cores.learners.ppo import PpoLearners
from rlcores.cores.ppo.driver import PpoDriver
from rlcores.cores.ppo.native import NativePpo
from rlcores.cores.ppo.registers import planes
from rlcores.cores.ppo.shape import PpoShape
from rlcores.eda.boards import Clock
from rlcores.errors import RunFailed
from rlcores.train import chip
from rlcores_lab import shown
from rlcores_lab.bench.tables import Outcome, Parameters, Step, measured
from rlcores_lab.cycles import env as env_cycles
from rlcores_lab.cycles import learners as learners_cycles
from rlcores_lab.cycles import ppo as cycles

DEFAULT = ("tiny",)
_OWN = ("LEARNERS", "CROSS")  # parameters that one core does not have
_DIES = 3  # of a U200
_QUICK = 4096  # steps of a core's rollout; several cores take a quarter of an hour for an iteration of more


class _Cores:
    """Cores behind their drivers, and for each the integer learner and its environments that it must equal."""

    def __init__(self, reals: Sequence[PpoDriver], parameters: Parameters, seed: int) -> None:
        self.reals, shape = reals, reals[0].shape
        physics = list(environments.ENVIRONMENTS.values())[int(parameters["ENV"])]
        own_shape = PpoShape.of(parameters)
        task = chip.task_of(physics.name)
        settings = task.settings | {"record_bits": shape.record_bits}
        task = replace(task, network=shape.actor.sizes[1:-1], settings=settings)
        self._layouts = {name: WeightLayout(net) for name, net in shape.networks.items()}

        def learner(number: int) -> NativePpo:
            sizes = {"envs": shape.environments, "steps": shape.steps}
            batches = {"minibatches": own_shape.minibatches, "epochs": own_shape.epochs}
            return chip.learner(task, seed + number, NativePpo, shape.columns, **sizes, **batches)

        numbers = range(len(reals))
        self._learners, self._copies = ([learner(number) for number in numbers] for _ in range(2))
        self._together = PpoLearners(self._learners, 0)
        self._together.begin()
        self._environments = [NativeEnvs(physics, shape.environments) for _ in reals]
        self._seen = [one.start(seed + number)["obs"] for number, one in enumerate(self._environments)]
        for number, (real, own) in enumerate(zip(reals, self._learners, strict=True)):
            real.adopt(own)
            real.begin(seed + number)

    def iteration(self, average: int = 0) -> int:
        """Clocks of the next one, with an average every `average` minibatches. Raises RunFailed: not the model's."""
        before = [real.clocks for real in self.reals]
        for real in self.reals:
            real.start(1)
        for real in self.reals:
            real.wait()
        self._together.average, self._together.since = average, 0
        rollouts = []
        for number, own in enumerate(self._learners):
            rollout, self._seen[number] = own.collect(self._environments[number], self._seen[number])
            rollouts.append(rollout)
        self._together.train(rollouts)
        for number, (real, own, copy) in enumerate(zip(self.reals, self._learners, self._copies, strict=True)):
            real.show(copy)
            pairs = zip(planes(own, self._layouts), planes(copy, self._layouts), strict=True)
            wrong = [f"plane {plane} of the {name}" for (name, plane, a), (*_, b) in pairs if not np.array_equal(a, b)]
            if wrong:
                raise RunFailed(f"PPO core {number} and its model differ in {', '.join(wrong)}, H = {average}")
        # Of the one that began last: the others waited for it.
        return min((real.clocks - then) % (1 << 32) for real, then in zip(self.reals, before, strict=True))


def alone(parameters: Parameters, seed: int) -> int:
    """Clocks of the second iteration of one core. Raises RunFailed when it has not learned what its model has."""
    cores = _Cores([PpoDriver.verilated(parameters)], parameters, seed)
    cores.iteration()
    return cores.iteration()


def together(parameters: Parameters, seed: int, averages: Sequence[int]) -> dict[int, int]:
    """Clocks of an iteration of several cores, for each H. Raises RunFailed as alone().

    It is behind another one. Of long rollouts it may be the first of its run, which has some hundred clocks more: in
    them the driver writes the registers of the environments.
    """
    core = PpoLearnersDriver.verilated(parameters, once=True)
    cores = _Cores(core.learners, parameters, seed)
    clocks = {}
    before = averages[:1] if PpoShape.of(parameters).records <= _QUICK else ()
    for average in (*before, *averages):
        core.shared.begin_rounds(average)
        clocks[average] = cores.iteration(average)
    return clocks


@dataclass(frozen=True)
class Bench:
    """Of one configuration: clocks of an iteration of one core, and of all with an average every H minibatches."""

    shape: PpoShape
    learners: int
    alone: int
    clocks: Mapping[int, int]
    model_alone: float
    model: Mapping[int, float]

    def speedup(self, average: int) -> float:
        """How often the rate of one core."""
        return self.learners * self.alone / self.clocks[average]

    def rate(self, average: int) -> float:
        """Environment steps per clock, of all cores."""
        return self.learners * self.shape.records / self.clocks[average]


def model(parameters: Parameters, average: int = 0) -> float:
    """Clocks of an iteration by the cycle model; 0: of a core that averages nothing."""
    shape = PpoShape.of(parameters)
    clocks = cycles.cycles(shape, environment=env_cycles.pipeline({"ENV": int(parameters["ENV"])})).total
    if not average:
        return clocks
    added = learners_cycles.average_clocks(int(parameters["LEARNERS"]), int(parameters["CROSS"]))
    return clocks + shape.epochs * shape.minibatches // average * added


def measure(parameters: Parameters, seed: int) -> Bench:
    """One core, then all of them with an average every minibatch; of short rollouts also every epoch and iteration."""
    shape = PpoShape.of(parameters)
    averages = (1, shape.minibatches, shape.minibatches * shape.epochs)[: 3 if shape.records <= _QUICK else 1]
    one = alone({name: value for name, value in parameters.items() if name not in _OWN}, seed)
    models = {average: model(parameters, average) for average in averages}
    clocks = together(parameters, seed, averages)
    return Bench(shape, int(parameters["LEARNERS"]), one, clocks, model(parameters), models)


def figures(bench: Bench, clock: Clock) -> list[Figure]:
    """What --json gets of one configuration."""
    prefix = "ppo.three_slr" if bench.learners == _DIES else f"ppo.learners{bench.learners}"
    of_one = "clocks per environment step of one"
    listed = [
        Figure(f"{prefix}_alone", round(bench.alone / bench.shape.records, 2), of_one, "measured"),
        Figure(f"{prefix}_iteration_alone", bench.alone, "clocks", "measured"),
        Figure(f"{prefix}_iteration_alone_model", bench.model_alone, "clocks", "model"),
    ]
    for average, clocks in bench.clocks.items():
        last = f"_h{average}" if average > 1 else ""
        rate = bench.rate(average)
        listed += [
            Figure(f"{prefix}_speedup{last}", round(bench.speedup(average), 4), "of one core's rate", "measured"),
            Figure(f"{prefix}_speedup{last}_rate", round(rate, 5), "trained steps per clock", "measured"),
            Figure(f"{prefix}_iteration{last}", clocks, "clocks", "measured"),
            Figure(f"{prefix}_iteration{last}_model", bench.model[average], "clocks", "model"),
            Figure(f"{prefix}_steps_per_second{last}", round(clock.mhz * 1e6 * rate), f"at {clock}", "model"),
        ]
    return listed


def run(chosen: Mapping[str, Parameters], clock: Clock, seed: int, step: Step) -> Outcome:
    """Measure these configurations, name -> parameters. Raises RunFailed."""
    listed: list[Figure] = []
    tables = []
    for name, bench in measured(chosen, step, lambda p: measure(p, seed)).items():
        listed += figures(bench, clock)
        of_one = f"{clock.mhz * 1e6 * bench.shape.records / bench.alone:,.0f}"
        rows = [("H, minibatches", "clocks per iteration", "by the model", "speed of one", f"steps a second, {clock}")]
        rows.append(("one core", f"{bench.alone:,}", f"{bench.model_alone:,.0f}", "1", of_one))
        for average, clocks in bench.clocks.items():
            second, speed = clock.mhz * 1e6 * bench.rate(average), f"{bench.speedup(average):.4f}"
            rows.append((str(average), f"{clocks:,}", f"{bench.model[average]:,.0f}", speed, f"{second:,.0f}"))
        title = f"{bench.learners} PPO cores, configuration {name}, as their model bit for bit"
        tables.append(shown.table(title, rows))
    return Outcome(listed, tables)
