"""Does PPO in integers learn? A run: an environment's integer model, a seed, the core's integers; judged in Gymnasium.

Settings and formats are in rlcores/train/task_files. The exported policy is the actor with float64 products, an
observation times 2**fraction of its element: what a user of PyTorch would run.
"""

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import numpy as np

from rlcores.base import files, report
from rlcores.cores.env import environments
from rlcores.cores.env.native import NativeEnvs
from rlcores.cores.env.physics import Physics
from rlcores.cores.ppo.model import Ppo, Rollout
from rlcores.cores.ppo.native import NativePpo
from rlcores.train.chip import ChipSettings, Episodes, exported, learner, tasks
from rlcores.train.evaluation import Evaluation
from rlcores_lab import shown
from rlcores_lab.study import runs

EPISODES = 100
REPORT_SEED = 1_000_000  # of Gymnasium's episodes that count: no run has seen them


# What is tried beside the tasks: both networks in one trunk, or a value that moves so far at most in an iteration.
VARIANTS = "shared", "clipped"
_VALUE_CLIP = 5.0


def named(name: str) -> ChipSettings:
    """A task by its name, "cartpole", or a variant of it, "cartpole shared"."""
    base, _, variant = name.partition(" ")
    task = tasks()[base]
    if variant == "shared":
        # The gradients that are the largest of both, and the deltas.
        both = {
            part: [min(pair) for pair in zip(task.actor[part], task.critic[part], strict=True)] for part in task.actor
        }
        return replace(task, actor=both, critic=None)
    if variant == "clipped":
        return replace(task, settings=task.settings | {"value_clip": _VALUE_CLIP})
    return task


@dataclass
class Run:
    """What a run gave. task: as named() takes it.

    curve: [environment steps, mean return of the episodes that ended in the iteration].
    """

    task: str
    seed: int
    steps: int = 0
    updates: int = 0
    seconds: float = 0.0
    final: float = float("-inf")  # mean return of EPISODES in Gymnasium, the last weights
    curve: list[list[float]] = field(default_factory=list)
    saturations: dict[str, int] = field(default_factory=dict)
    settings: str = ""


def train(task: ChipSettings, seed: int, look: Callable[[Ppo, Rollout], None] | None = None) -> Run:
    """Learn the task, and judge the last weights in Gymnasium. Raises UserError when there is no such environment.

    look: is shown each rollout before it is trained on.
    """
    begun = time.perf_counter()
    physics = environments.named(task.name)
    own = learner(task, seed, NativePpo)
    s = own.settings
    envs, episodes = NativeEnvs(physics, s.envs), Episodes(np.zeros(s.envs))
    observations = envs.start(seed)["obs"]
    run = Run(task.name, seed, settings=runs.fingerprint(task))
    for _ in range(task.iterations):
        rollout, observations = own.collect(envs, observations)
        if look is not None:
            look(own, rollout)
        own.train(rollout)
        run.steps += s.envs * s.steps
        ended = episodes.ended(rollout)[:, 2]
        run.curve.append([run.steps, float(ended.mean()) if ended.size else float("nan")])
    run.updates, run.saturations = own.updates, own.saturations()
    run.final = float(np.mean(judge(own, physics, task.input)))
    run.seconds = time.perf_counter() - begun
    return run


def judge(own: Ppo, physics: Physics, frac: int, episodes: int = EPISODES, seed: int = REPORT_SEED) -> np.ndarray:
    """Returns (episodes,) of the exported policy in Gymnasium: the greatest logit, or the mean."""
    network = exported(own, physics, frac)

    def act(states: np.ndarray) -> np.ndarray:
        out = network.output(states.astype(np.float64))
        return out.astype(np.float32) if own.gaussian else out.argmax(axis=1)

    return Evaluation(physics.gymnasium, np.ones(len(physics.observations), np.float32))(act, episodes, seed)


def one(job: tuple[str, int], folder: Path) -> Run:
    """The run of (task, seed) that has its file in `folder`, else made and kept there."""
    name, seed = job
    task = named(name)
    file = folder / f"{name.replace(' ', '_')}_{seed}.json"
    return runs.once(file, Run, runs.fingerprint(task), lambda: replace(train(task, seed), task=name))


def write(runs: list[Run], folder: Path) -> None:
    """ppo_study.json in a folder: every run. Raises UserError when it cannot be written."""
    report.put(folder / "ppo_study.json", json.dumps({"runs": [asdict(run) for run in runs]}, indent=1) + "\n")


def read(file: Path) -> list[Run]:
    """The runs of such a file. Raises UserError for any other file."""
    return [Run(**one) for one in files.read_json(file, "runs of the study", dict)["runs"]]


def table(runs: list[Run]) -> str:
    """Markdown: a line a task, its seeds in order."""
    rows = [("environment", "goal", "reached", "mean", "least", "steps", "of each seed", "saturations")]
    for name in dict.fromkeys(run.task for run in runs):
        mine, goal = sorted((r for r in runs if r.task == name), key=lambda r: r.seed), named(name).goal
        finals = [r.final for r in mine]
        means = f"{np.mean(finals):.1f}", f"{min(finals):.1f}", mine[0].steps, ", ".join(f"{x:.1f}" for x in finals)
        reached = f"{sum(x >= goal for x in finals)} of {len(mine)}"
        rows.append((name, f"{goal:g}", reached, *means, sum(sum(r.saturations.values()) for r in mine)))
    return shown.markdown(rows)
