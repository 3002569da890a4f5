"""TD3 and SAC on Pendulum: the integers, whose fractions follow the numbers, beside float32 in the same loop.

A third line, of TD3, holds the fractions that were found by hand for DDPG on Pendulum (task_files/pendulum.yaml), at
the reward scale that they were found for.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from rlcores.base import report
from rlcores.cores.learner.format import ACT_WIDTH
from rlcores.cores.rl.batch import TransitionBatch
from rlcores.cores.rl.float64 import FloatSac, FloatTd3
from rlcores.cores.rl.networks import RlNetwork
from rlcores.train import algorithms, loop, pool, settings, tasks
from rlcores.train.evaluation import REPORT_SEED
from rlcores.train.off_policy import OffPolicyTrainer
from rlcores.train.policies import FloatPolicy
from rlcores.train.settings import Plan
from rlcores.train.spaces import Spaces, look
from rlcores_lab import shown
from rlcores_lab.study import runs, statistics

KEPT = Path(__file__).with_name("continuous.jsonl")
ENVIRONMENT = "Pendulum-v1"
ARITHMETICS = {"td3": ("integer", "float32", "held"), "sac": ("integer", "float32")}
TITLES = {"integer": "integers, exponents follow", "float32": "float32", "held": "integers, fractions by hand"}
KINDS = {"act": "activations 0 … 3", "delta": "deltas 1 … 3", "grad": "gradients 1 … 3", "passed": "pass, 0 … 3"}
SEEDS = 10
GOAL = -200.0  # mean return that counts as learned

Job = tuple[str, str, int]  # algorithm, arithmetic, seed


@dataclass
class Run:
    """What a run gave; returns are means of greedy episodes."""

    algo: str
    arithmetic: str
    seed: int
    steps: int = 0
    best: float = -math.inf  # of 100 episodes, the weights chosen on others
    final: float = -math.inf  # the same of the last weights
    curve: list[list[float]] = field(default_factory=list)  # [step, mean of 10 episodes]
    moves: int = 0  # of exponents
    saturated: int = 0  # numbers that did not fit
    fractions: dict[str, list] = field(default_factory=dict)  # at the end, by network and tensor
    seconds: float = 0.0  # of the processor
    settings: str = ""
    commit: str = ""


def plan(seeds: int = SEEDS) -> list[Job]:
    """All runs, a seed of everything before the next one."""
    return [(algo, kind, seed) for seed in range(seeds) for algo, kinds in ARITHMETICS.items() for kind in kinds]


def one(job: Job, file: Path = KEPT) -> Run:
    """The run of a job: the one that is kept, else made and kept."""
    have = {(run.algo, run.arithmetic, run.seed): run for run in kept(file)}
    if job not in have:
        have[job] = train(*job)
        runs.add(file, have[job])
    return have[job]


def kept(file: Path = KEPT) -> list[Run]:
    """The runs that are kept and were made with the present settings."""
    return [run for run in runs.lines(file, Run) if run.settings == fingerprint(run.algo, run.arithmetic)]


def fingerprint(algo: str, arithmetic: str) -> str:
    """Of a run's settings, whatever its seed."""
    return runs.fingerprint((_plan(algo, arithmetic, 0), arithmetic))


def _plan(algo: str, arithmetic: str, seed: int) -> Plan:
    made = settings.plan(algo, ENVIRONMENT, "native", look(ENVIRONMENT), seed=seed)
    scale = algorithms.named("ddpg").of_task(_task(), look(ENVIRONMENT))[0].reward_scale
    own = replace(made.settings, reward_scale=scale) if arithmetic == "held" else made.settings
    return replace(made, settings=own, until=math.inf)


def _task() -> dict:
    return tasks.TASKS["pendulum"].host["ddpg"]


def train(algo: str, arithmetic: str, seed: int) -> Run:
    """One run from its first step to its last."""
    begun = time.process_time()
    planned, spaces = _plan(algo, arithmetic, seed), look(ENVIRONMENT)
    learner = _learner(planned, spaces, arithmetic)
    trainer = OffPolicyTrainer(planned, spaces, learner)
    run = loop.Run(planned, spaces, trainer, pool.make(planned, 1), None)
    run.run()
    result = Run(
        algo, arithmetic, seed, run.state.step,
        best=run.report(),
        final=run.evaluate(trainer.policy(), planned.report, REPORT_SEED),
        curve=[[float(row[0]), float(row[4])] for row in run.state.curve],
        seconds=round(time.process_time() - begun, 1),
        settings=fingerprint(algo, arithmetic),
        commit=runs.commit(),
    )  # fmt: skip
    if arithmetic != "float32":
        exponents = {id(e): e for network in learner.networks for e in (*network.own(), *network.act)}
        result.moves = sum(e.moves for e in exponents.values())
        result.saturated = sum(learner.saturations().values())
        result.fractions = learner.fractions()
    return result


def _learner(planned: Plan, spaces: Spaces, arithmetic: str):
    s, sizes = planned.settings, (spaces.state_size, spaces.action_size)
    algorithm = planned.algorithm
    if arithmetic == "float32":
        return Float32(algorithm.learner(s, *sizes, seed=planned.seed).settings, planned.algo, sizes, planned.seed)
    networks = held(spaces) if arithmetic == "held" else None
    return algorithm.learner(s, *sizes, seed=planned.seed, backend=planned.backend, networks=networks)


def held(spaces: Spaces) -> Sequence[RlNetwork]:
    """TD3's networks with the fractions that were found by hand for DDPG."""
    ddpg = algorithms.named("ddpg").of_task(_task(), spaces)[0]
    critic, actor = ddpg.sizes(spaces)
    value = RlNetwork(critic, formats=ddpg.formats.value, passed=ddpg.formats.pass_frac)
    return (
        RlNetwork(
            actor, output_width=ACT_WIDTH, output_frac=ddpg.formats.actor.act_frac[-1], formats=ddpg.formats.actor
        ),
        value,
        value,
    )


class Float32:
    """A float learner with what a trainer asks of an ActorCritic."""

    def __init__(self, own: object, algo: str, sizes: tuple[int, int], seed: int) -> None:
        self.learner = {"td3": FloatTd3, "sac": FloatSac}[algo](*sizes, own, seed=seed)
        self._squashes = algo == "td3"

    def step(self, *transitions: np.ndarray) -> np.ndarray:
        """As ActorCritic.step()."""
        return self.learner.step(TransitionBatch(*transitions))

    @property
    def steps(self) -> int:
        """Gradient steps so far."""
        return self.learner.steps

    def policy(self) -> FloatPolicy:
        """The present actor."""
        network = self.learner.actor.net
        return FloatPolicy(network.sizes, network.theta.copy(), self._squashes)

    def weights(self) -> list[np.ndarray]:
        """All that is trained."""
        return [network.net.theta for network in self.learner.networks]


@dataclass(frozen=True)
class Line:
    """An algorithm in an arithmetic, over its seeds; pairs are means with half 95 % intervals."""

    algo: str
    arithmetic: str
    seeds: int
    learned: int  # whose best weights reach the goal
    best: tuple[float, float]
    worst: float
    mean: tuple[float, float]  # of the curve
    moves: float  # of exponents, a run
    saturated: float  # numbers, a run


def lines(runs: Sequence[Run]) -> list[Line]:
    """A line an algorithm and arithmetic that has runs."""
    result = []
    for algo, kinds in ARITHMETICS.items():
        for kind in kinds:
            group = [run for run in runs if (run.algo, run.arithmetic) == (algo, kind)]
            if group:
                best, mean = [run.best for run in group], [float(np.mean([y for _, y in run.curve])) for run in group]
                learned = sum(x >= GOAL for x in best)
                rest = (float(np.mean([getattr(run, name) for run in group])) for name in ("moves", "saturated"))
                pair = statistics.interval(best), min(best), statistics.interval(mean)
                result.append(Line(algo, kind, len(group), learned, *pair, *rest))
    return result


def table(runs: Sequence[Run]) -> list[tuple[str, ...]]:
    """A header and a row for each line."""
    rows: list[tuple[str, ...]] = [
        ("algorithm", "arithmetic", "seeds", f"reach {GOAL:g}", "best weights", "least", "mean of the curve",
         "moves of exponents", "clipped numbers")
    ]  # fmt: skip
    for line in lines(runs):
        exact = line.arithmetic == "float32"
        rows.append((
            line.algo.upper(), TITLES[line.arithmetic], str(line.seeds), str(line.learned),
            statistics.shown(line.best), f"{line.worst:.1f}", statistics.shown(line.mean),
            "" if exact else f"{line.moves:.0f}", "" if exact else f"{line.saturated:,.0f}",
        ))  # fmt: skip
    return rows


def fractions(runs: Sequence[Run]) -> list[tuple[str, ...]]:
    """A header and a row for each tensor of TD3: fractions by hand, and medians of those that follow at a run's end."""
    runs_of = [run.fractions for run in runs if (run.algo, run.arithmetic) == ("td3", "integer") and run.fractions]
    actor, critic, _ = held(look(ENVIRONMENT))
    rows: list[tuple[str, ...]] = [("tensor", "by hand", f"they follow, median of {len(runs_of)} seeds")]
    for name, about in (("actor", actor), ("critic1", critic)):
        known = {
            "act": about.formats.act_frac,
            "delta": about.formats.delta_frac[1:],
            "grad": about.formats.grad_frac[1:],
        }
        known |= {} if about.passed is None else {"passed": about.passed}
        for kind, by_hand in known.items():
            follow = np.median([run[f"{name}.{kind}"] for run in runs_of], axis=0) if runs_of else []
            texts = (", ".join(f"{x:g}" for x in each) for each in (by_hand, follow))
            rows.append((f"{name.removesuffix('1')}, {KINDS[kind]}", *texts))
    return rows


def figures(runs: Sequence[Run]) -> list[report.Figure]:
    """Of each line."""
    listed = []
    for line in lines(runs):
        name = f"continuous.{line.algo}.{line.arithmetic}"
        listed += [
            report.Figure(f"{name}.best", round(line.best[0], 1), "return", "measured"),
            report.Figure(f"{name}.worst", round(line.worst, 1), "return", "measured"),
            report.Figure(f"{name}.learned", line.learned, "seeds", "measured"),
            report.Figure(f"{name}.seeds", line.seeds, "seeds", "measured"),
            report.Figure(f"{name}.moves", round(line.moves, 1), "moves of exponents a run", "measured"),
            report.Figure(f"{name}.saturated", round(line.saturated, 1), "numbers a run", "measured"),
        ]
    return listed


def outputs() -> dict[Path, str]:
    """docs/continuous_study.md, from the root, and its text."""
    runs = kept()
    steps = {run.algo: run.steps for run in runs}
    text = shown.rendered(
        "study/continuous.md.j2", table=shown.markdown(table(runs)), count=len(runs), planned=len(plan()),
        steps=steps, goal=f"{GOAL:g}", fractions=shown.markdown(fractions(runs)),
    )  # fmt: skip
    return {Path("docs") / "continuous_study.md": text}
