"""PPO under Taha and Abdelhadi's (2025) Table III: how rewards and values are standardised and quantised before GAE.

One run is an environment, an experiment, a number of bits and a seed; the returns of its training episodes are what the
paper plots. Experiment 5 runs on the integer model of the GAE core, which equals the RTL bit for bit.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from rlcores.base import files
from rlcores.cores.gae import float64 as gae_float
from rlcores.cores.gae.moments import Moments
from rlcores.errors import UserError
from rlcores.train import algorithms, loop, pool, settings, tasks
from rlcores.train.actor import Rollout
from rlcores.train.advantages import Advantages
from rlcores.train.algorithms.algorithm import tuples
from rlcores.train.algorithms.ppo import PpoRunSettings as Ppo
from rlcores.train.ppo import PpoTrainer
from rlcores.train.spaces import look
from rlcores_lab.study import runs

SEEDS = 5
BITS = (3, 4, 5, 6, 7, 8, 9, 10)
PAPER_BITS = 8
CLIP = 4.0  # standard deviations: the range of the quantiser
POINTS = 25  # of a curve
FINAL = 0.2  # share of the steps, at the end, whose episodes count as what was learned


@dataclass(frozen=True)
class Experiment:
    """A line of Table III, as heppo.yaml has it."""

    name: str
    title: str
    rewards: str
    values: str
    quantised: bool


@dataclass(frozen=True)
class Scene:
    """An environment of the study, and how PPO learns it."""

    environment: str
    steps: int
    ppo: Ppo
    state_scale: tuple[float, ...]
    least: float
    most: float


def _scene(environment: str, ppo: dict | None = None, **options: Any) -> Scene:
    ppo_settings = (
        Ppo(**tuples(ppo))
        if ppo
        else algorithms.named("ppo").settings(**tuples(tasks.of(environment).host["ppo"]["settings"]))
    )
    return Scene(environment, ppo=ppo_settings, **tuples(options))


GIVEN = files.read_yaml(Path(__file__).with_name("heppo.yaml"), "the settings of the HEPPO study")
EXPERIMENTS = {name: Experiment(name, **fields) for name, fields in GIVEN["experiments"].items()}
SCENES = {name: _scene(name, **fields) for name, fields in GIVEN["scenes"].items()}


@dataclass
class Run:
    """What a run gave: returns are undiscounted sums of raw rewards of training episodes."""

    environment: str
    experiment: str
    bits: int | None  # None: not quantised
    seed: int
    final: float = float("nan")  # mean over the episodes that ended in the last FINAL of the steps
    mean: float = float("nan")  # mean over the curve: how fast it was learned
    curve: list[list[float]] = field(default_factory=list)  # [step, mean return of the episodes since the last point]
    seconds: float = 0.0
    settings: str = ""


class Tabled:
    """Advantages of an experiment in float64, quantised where it says so."""

    def __init__(self, experiment: Experiment, bits: int | None, ppo: Ppo, clip: float = CLIP) -> None:
        """clip: range of the quantiser in standard deviations, as the core's."""
        self._experiment, self._bits, self._ppo, self._clip = experiment, bits, ppo, clip
        self.clocks = 0
        self._sums = np.zeros(3)

    def __call__(self, rewards, values, terminated, truncated, bootstrap, final_values):
        """See rlcores.train.advantages.Advantages."""
        rewards = np.asarray(rewards, np.float64)
        how = self._experiment.rewards
        if how.startswith("dynamic"):
            self._sums += rewards.size, rewards.sum(), (rewards**2).sum()
            mean, deviation = _moments(*self._sums)
        else:
            mean, deviation = rewards.mean(), rewards.std()
        if how != "raw":
            codes = self._quantised(_over(rewards - mean, deviation))
            if how == "block":
                rewards = codes * deviation + mean
            else:
                rewards = codes + (_over(np.float64(mean), deviation) if how == "dynamic scale" else 0.0)
        if self._experiment.values == "block":
            all_values = np.concatenate([np.ravel(values), bootstrap, np.asarray(final_values)[truncated]])
            mean, deviation = all_values.mean(), all_values.std()
            values, bootstrap, final_values = (
                self._quantised(_over(x - mean, deviation)) * deviation + mean
                for x in (values, bootstrap, final_values)
            )
        p = self._ppo
        return gae_float.rollout(rewards, values, terminated, truncated, bootstrap, final_values, p.gamma, p.gae_lambda)

    def _quantised(self, x: np.ndarray) -> np.ndarray:
        if self._bits is None:
            return x
        limit = (1 << (self._bits - 1)) - 1
        step = self._clip / limit
        return np.clip(np.floor(x / step + 0.5), -limit, limit) * step

    def checkpoint(self) -> dict[str, np.ndarray]:
        """See rlcores.train.advantages.Advantages."""
        return {"sums": self._sums}

    def restore(self, kept) -> None:
        """See rlcores.train.advantages.Advantages."""
        self._sums[:] = kept["sums"]


class Dynamic(Advantages):
    """Experiment 5 on the core, with the paper's rule that rewards without a deviation standardise to 0."""

    def __call__(self, rewards, values, terminated, truncated, bootstrap, final_values):
        """See rlcores.train.advantages.Advantages."""
        known = self.gae.statistics.merged(Moments.of(rewards))
        if known.constant:
            rewards = np.zeros(np.shape(rewards))
        result = super().__call__(rewards, values, terminated, truncated, bootstrap, final_values)
        self.gae.statistics = known
        return result


def _moments(count: float, total: float, squares: float) -> tuple[float, float]:
    mean = total / count
    return mean, float(np.sqrt(max(squares / count - mean * mean, 0.0)))


def _over(x: np.ndarray, deviation: float) -> np.ndarray:
    """x over the deviation; 0 where there is none, as in the core."""
    return x / deviation if deviation > 1e-9 else x * 0.0


def source(
    experiment: Experiment, bits: int | None, ppo: Ppo, envs: int, backend: str = "model"
) -> Advantages | Tabled:
    """Where an experiment's advantages come from: the core's integers for experiment 5, else float64."""
    if experiment.name == "5":
        dynamic = replace(ppo, reward_scaling="standardise")
        return Dynamic(dynamic, envs, backend, qbits=bits or PAPER_BITS, clip=CLIP)
    return Tabled(experiment, bits, ppo)


class _Returns(loop.Callback):
    """Returns of the episodes of training, (step, return) each."""

    def __init__(self) -> None:
        self.ended: list[tuple[float, float]] = []

    def progress(self, run: loop.Run, seen: Rollout) -> None:
        first = run.state.step - seen.rewards.size
        self.ended += [(first + run.plan.envs * (t + 1), total) for t, _, total, _ in seen.episodes]


def run(environment: str, experiment: str, bits: int | None, seed: int, steps: int | None = None) -> Run:
    """Train once. Raises UserError for an environment or an experiment that is not in the study."""
    scene, about = scene_of(environment), experiment_of(experiment)
    begun = time.perf_counter()
    spaces = look(environment)
    ppo, steps = scene.ppo, steps or scene.steps
    plan = settings.plan("ppo", environment, "model", spaces, seed=seed, steps=steps)
    plan = replace(plan, settings=ppo, round_steps=ppo.rollout, state_scale=scene.state_scale, evaluate_every=0)
    trainer = PpoTrainer(plan, spaces, source=source(about, bits, ppo, plan.envs))
    trained, returns = loop.Run(plan, spaces, trainer, pool.make(plan), None), _Returns()
    trained.run(returns)
    step, ended = trained.state.step, returns.ended
    result = Run(environment, experiment, bits, seed, settings=_fingerprint(scene, about, steps))
    result.curve = runs.curve(np.array(ended).reshape(-1, 2), step, POINTS)
    tail = [total for at, total in ended if at > step * (1 - FINAL)]
    # Nobody reached the end of an episode lately: the last ones there are stand for it.
    result.final = float(np.mean(tail or [total for _, total in ended[-plan.envs :]]))
    result.mean = float(np.mean([y for _, y in result.curve]))
    result.seconds = time.perf_counter() - begun
    return result


def scene_of(environment: str) -> Scene:
    """Raises UserError when the study has no such environment."""
    if environment not in SCENES:
        raise UserError(f"there is no environment '{environment}' in the study; environments: {', '.join(SCENES)}")
    return SCENES[environment]


def experiment_of(name: str) -> Experiment:
    """Raises UserError when there is none of that name."""
    if name not in EXPERIMENTS:
        raise UserError(f"there is no experiment '{name}'; experiments: {', '.join(EXPERIMENTS)}")
    return EXPERIMENTS[name]


# --- many runs ---

Job = tuple[str, str, int | None, int]


def plan(seeds: int = SEEDS, environments: Iterable[str] | None = None, bits: bool = True) -> list[Job]:
    """(environment, experiment, bits, seed): all experiments at 8 bits; with `bits`, experiment 5 at the others too."""
    names = [scene_of(e).environment for e in (environments or SCENES)]
    jobs: list[Job] = [
        (environment, e.name, PAPER_BITS if e.quantised else None, seed)
        for environment in names
        for e in EXPERIMENTS.values()
        for seed in range(seeds)
    ]
    # CartPole's reward is constant: dynamically standardised it is 0 at any number of bits.
    swept = [e for e in names if e != "CartPole-v1"] if bits else []
    return jobs + [(e, "5", b, seed) for e in swept for b in BITS if b != PAPER_BITS for seed in range(seeds)]


def one(job: Job, folder: Path) -> Run:
    """The run of a job: from its file, else made and kept there."""
    environment, experiment, bits, seed = job
    scene = scene_of(environment)
    file = folder / f"{environment}_{experiment}_{bits or 'float'}_{seed}.json"
    settings = _fingerprint(scene, experiment_of(experiment), scene.steps)
    return runs.once(file, Run, settings, lambda: run(*job))


def _fingerprint(scene: Scene, experiment: Experiment, steps: int) -> str:
    return runs.fingerprint((scene.environment, scene.ppo, scene.state_scale, experiment, steps))
