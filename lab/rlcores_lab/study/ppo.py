"""Does PPO in integers learn? A run: an environment's integer model, a seed, the core's integers; judged in Gymnasium.

Settings and formats are in ppo.yaml. The exported policy is the actor with float64 products, an observation times
2**fraction of its element: what a user of PyTorch would run.
"""

import math
import time
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from rlcores.cores.common.draws import Xoshiro128pp, state_of, stream_state
from rlcores.cores.env import environments
from rlcores.cores.env.model import EnvModel
from rlcores.cores.env.physics import Physics
from rlcores.cores.learner.float64 import FloatNetwork
from rlcores.cores.learner.format import WEIGHT_FRAC
from rlcores.cores.learner.format import Formats as NetworkFormats
from rlcores.cores.learner.layout import numbers
from rlcores.cores.policy.density import OUT_FRAC
from rlcores.cores.ppo.model import Ppo
from rlcores.cores.ppo.settings import Formats, registers
from rlcores_lab.study import runs

EPISODES = 100
REPORT_SEED = 1_000_000  # of Gymnasium's episodes that count: no run has seen them
_FIRST = 66  # number of the generator of the first weights


@dataclass(frozen=True)
class Task:
    """An environment, and how it is learned: see ppo.yaml. input: fraction with which the networks see its codes."""

    name: str
    goal: float
    iterations: int
    input: int
    settings: dict[str, Any]
    actor: dict[str, list[int]]
    critic: dict[str, list[int]]
    hidden: tuple[int, ...] = (64, 64)
    deviation: float = 0.0  # first log-deviation
    logs: int = 17  # fraction of its gradient
    last: float = 0.01  # the actor's last layer begins within this


@dataclass
class Run:
    """What a run gave. curve: [environment steps, mean return of the episodes that ended in the iteration]."""

    task: str
    seed: int
    steps: int = 0
    updates: int = 0
    seconds: float = 0.0
    final: float = float("-inf")  # mean return of EPISODES in Gymnasium, the last weights
    curve: list[list[float]] = field(default_factory=list)
    saturations: dict[str, int] = field(default_factory=dict)
    settings: str = ""


@cache
def tasks() -> dict[str, Task]:
    """All tasks by name."""
    found = yaml.safe_load((Path(__file__).parent / "ppo.yaml").read_text())
    return {name: Task(name=name, **given) for name, given in found.items()}


def learner(task: Task, seed: int) -> Ppo:
    """A learner of the task with its first weights: uniform within 1/sqrt(inputs), from the seed's generator."""
    physics = environments.named(task.name)
    gaussian = physics.actions == 0
    outputs = 1 if gaussian else physics.actions
    made = []
    for given in (task.actor, task.critic):
        fractions = (task.input, *given["act"][:-1], OUT_FRAC)
        made.append(NetworkFormats(fractions, (0, *given["delta"]), (0, *given["grad"])))
    formats = Formats(*made, task.logs)
    settings = registers(formats, gaussian=gaussian, seed=seed, falls=task.iterations, **task.settings)
    inputs = len(physics.observations)
    sizes, critic = (inputs, *task.hidden, outputs), (inputs, *task.hidden, 1)
    own = Ppo(sizes, critic, formats, settings, gaussian)
    generator = Xoshiro128pp(stream_state(state_of(seed), _FIRST))
    flats = [_uniform(generator, sizes, task.last), _uniform(generator, critic, None)]
    own.load(*flats, np.full(outputs, task.deviation) if gaussian else None)
    return own


def _uniform(generator: Xoshiro128pp, sizes: tuple[int, ...], last: float | None) -> np.ndarray:
    limits = []
    for i, (m, n) in enumerate(pairwise(sizes)):
        limit = last if last is not None and i == len(sizes) - 2 else 1 / math.sqrt(m)
        limits.append(np.full((m + 1) * n, limit))
    words = generator.take(numbers(sizes)).astype(np.float64)
    return np.concatenate(limits) * (words / 2.0**31 - 1)


def train(task: Task, seed: int) -> Run:
    """Learn the task, and judge the last weights in Gymnasium. Raises UserError when there is no such environment."""
    begun = time.perf_counter()
    physics = environments.named(task.name)
    own = learner(task, seed)
    s = own.settings
    envs = _Returns(EnvModel(physics, s.envs), s.envs)
    observations = envs.start(seed)["obs"]
    run = Run(task.name, seed, settings=runs.fingerprint(task))
    for _ in range(task.iterations):
        rollout, observations = own.collect(envs, observations)
        own.train(rollout)
        run.steps += s.envs * s.steps
        run.curve.append([run.steps, envs.mean()])
    run.updates, run.saturations = own.updates, own.saturations()
    run.final = float(np.mean(judge(own, physics, task.input)))
    run.seconds = time.perf_counter() - begun
    return run


def exported(own: Ppo, physics: Physics, frac: int) -> FloatNetwork:
    """The actor over real observations: the scale of the codes is folded into its first layer."""
    network = FloatNetwork(own.actor.sizes, np.float64)
    network.theta[:] = own.actor.planes[0] / 2.0**WEIGHT_FRAC
    network.weights[0] *= 2.0 ** (np.array(physics.observations) - frac)
    return network


def judge(own: Ppo, physics: Physics, frac: int, episodes: int = EPISODES, seed: int = REPORT_SEED) -> np.ndarray:
    """Returns (episodes,) of the exported policy in Gymnasium: the greatest logit, or the mean."""
    import gymnasium

    network = exported(own, physics, frac)
    envs = [gymnasium.make(physics.gymnasium) for _ in range(episodes)]
    seen = np.stack([env.reset(seed=seed + i)[0] for i, env in enumerate(envs)]).astype(np.float64)
    found, live = np.zeros(episodes), np.arange(episodes)
    while live.size:
        out = network.output(seen[live])
        actions = out.astype(np.float32) if own.gaussian else out.argmax(axis=1)
        more = []
        for i, action in zip(live, actions, strict=True):
            seen[i], reward, terminated, truncated, _ = envs[i].step(action)
            found[i] += reward
            if not (terminated or truncated):
                more.append(i)
        live = np.array(more, int)
    for env in envs:
        env.close()
    return found


class _Returns:
    """Environments that know the returns of the episodes that end."""

    def __init__(self, envs: EnvModel, count: int) -> None:
        self._envs, self._sums, self._ended = envs, np.zeros(count), []

    def start(self, seed: int) -> np.ndarray:
        return self._envs.start(seed)

    def step(self, actions: np.ndarray) -> np.ndarray:
        beats = self._envs.step(actions)
        self._sums += beats["reward"] / 2.0**19
        ended = beats["terminated"] | beats["truncated"]
        self._ended += self._sums[ended].tolist()
        self._sums[ended] = 0
        return beats

    def mean(self) -> float:
        """Of the episodes that ended since the last call; NaN without one."""
        found = float(np.mean(self._ended)) if self._ended else float("nan")
        self._ended.clear()
        return found


def one(job: tuple[str, int], folder: Path) -> Run:
    """The run of (task, seed) that has its file in `folder`, else made and kept there."""
    task, seed = job
    found = tasks()[task]
    return runs.once(folder / f"{task}_{seed}.json", Run, runs.fingerprint(found), lambda: train(found, seed))


def table(found: list[Run]) -> str:
    """Markdown: a line a task, its seeds in order."""
    lines = [
        "| environment | goal | reached | mean | least | steps | of each seed | saturations |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name in dict.fromkeys(run.task for run in found):
        mine, goal = sorted((r for r in found if r.task == name), key=lambda r: r.seed), tasks()[name].goal
        finals = [r.final for r in mine]
        cells = (
            name, f"{goal:g}", f"{sum(x >= goal for x in finals)} of {len(mine)}", f"{np.mean(finals):.1f}",
            f"{min(finals):.1f}", f"{mine[0].steps:,}", ", ".join(f"{x:.1f}" for x in finals),
            f"{sum(sum(r.saturations.values()) for r in mine):,}",
        )  # fmt: skip
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
