"""One run of the study: an environment, a seed, an arithmetic; exploration, prioritised replay, evaluation."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import gymnasium
import numpy as np

from rlcores.cores.learner.float64 import FloatDdpgLearner, FloatValueLearner
from rlcores.cores.learner.format import ACT_WIDTH, GRADIENT_WIDTH, Batch
from rlcores.cores.learner.ranges import Ranges, observe
from rlcores.errors import UserError
from rlcores.train.evaluation import REPORT_SEED, Evaluation, judged
from rlcores.train.tasks import Task
from rlcores_lab.study import runs
from rlcores_lab.study.arithmetic import make
from rlcores_lab.study.replay import Replay

# Environment steps from one learning rate to the next, where it falls.
_RATE_STEPS = 1000

Watch = Callable[..., np.ndarray]


@dataclass
class Run:
    """What a run gave. Returns are undiscounted sums of rewards of an episode of the greedy policy."""

    task: str
    arithmetic: str
    seed: int
    steps: int = 0  # environment steps
    updates: int = 0  # gradient steps
    seconds: float = 0.0
    best: float = float("-inf")  # mean of task.report episodes, the checkpoint chosen on other episodes
    best_step: int = 0
    final: float = float("-inf")  # the same of the weights after the last step
    curve: list[list[float]] = field(default_factory=list)  # [step, mean of LOOK episodes]
    saturations: dict[str, int] = field(default_factory=dict)  # integers: stage and count, where not 0
    settings: str = ""  # fingerprint of the task


def train(task: Task, arithmetic: str, seed: int, watch: Watch | None = None) -> Run:
    """Learn `task` once and judge its best checkpoint and its final weights.

    arithmetic: as arithmetic.make. The seed sets first weights, exploration, environment and replay, so
    two arithmetics with one seed start from the same weights and the same random numbers. A run on the simulated core
    ('rtl') ends as soon as a checkpoint reaches the goal. watch(learner, batch, step), when given, takes the gradient
    steps itself: it returns step(batch). Raises UserError when the environment is not installed.
    """
    begun = time.perf_counter()
    agent = make(task, arithmetic, seed)
    rng = np.random.default_rng([seed, 1])
    try:
        environment = gymnasium.make(task.environment, max_episode_steps=task.episode, disable_env_checker=True)
    except gymnasium.error.DependencyNotInstalled as error:
        raise UserError(f"{task.environment} needs Box2D, which is not installed: `uv sync --extra study`") from error
    scale = np.array(task.state_scale, np.float32)
    state = environment.reset(seed=seed)[0] * scale
    environment.action_space.seed(seed)
    replay = Replay(task.capacity, len(state), agent.explore(state, 1.0, rng), seed, task.alpha)
    evaluation = Evaluation(task.environment, scale)

    def mean_of(episodes: int, first: int) -> float:
        return float(evaluation(agent.policy, episodes, first).mean())

    run = Run(task.name, arithmetic, seed, settings=runs.fingerprint(task))
    step_with = agent.backend.step
    if watch:
        step_with = partial(watch, agent.backend.learner, step=agent.backend.step)
    chosen, chosen_mean = agent.backend.snapshot(), -np.inf
    enough = task.goal if arithmetic == "rtl" else task.enough
    for step in range(1, task.steps + 1):
        action = agent.explore(state, float(task.epsilon(np.array(step))), rng)
        following, reward, terminated, truncated, _ = environment.step(agent.to_environment(action))
        following = following * scale
        replay.add(state, action, float(reward), following, terminated)
        state = environment.reset()[0] * scale if terminated or truncated else following
        if task.rate_end != 1 and step % _RATE_STEPS == 0:
            agent.backend.set_rate(task.settings.learning_rate * (1 - (1 - task.rate_end) * step / task.steps))
        if step > task.warmup and step % task.train_every == 0:
            beta = task.beta + (1 - task.beta) * step / task.steps
            index, batch = replay.sample(task.batch, beta)
            replay.update(index, step_with(batch))
            run.updates += 1
        if step % task.evaluate_every == 0 and step > task.warmup:
            weights = agent.backend.snapshot()
            look, choice = judged(mean_of, chosen_mean, task.promising)
            run.curve.append([step, look])
            mean = look if choice is None else choice
            if mean > chosen_mean:
                chosen, chosen_mean, run.best_step = weights, mean, step
            if mean >= enough:
                break
    run.steps = step
    run.final = mean_of(task.report, REPORT_SEED)
    run.saturations = agent.backend.saturations()
    agent.backend.restore(chosen)
    run.best = mean_of(task.report, REPORT_SEED)
    run.seconds = time.perf_counter() - begun
    return run


def ranges(task: Task, every: int = 5) -> dict[str, tuple[list[float], tuple[int, ...]]]:
    """The largest numbers of each tensor in a float32 run of seed 0, and the fractions that hold them.

    Looked at in every `every`-th batch. One bit to spare for activations and deltas, three for gradients.
    """
    seen = Ranges()

    def watch(learner: FloatValueLearner | FloatDdpgLearner, batch: Batch, step: Callable) -> np.ndarray:
        if learner.steps % every == 0:
            observe(seen, learner, batch)
        return step(batch)

    train(task, "float32", 0, watch)
    kinds = {
        name: (GRADIENT_WIDTH, 3, 40) if name.endswith("gradient") else (ACT_WIDTH, 1, 17) for name in seen.largest
    }
    return {n: (seen.largest[n], seen.fractions(n, *kind)) for n, kind in kinds.items() if n != "td"}


def kept(folder: Path, task: Task, arithmetic: str, seed: int) -> Run | None:
    """The run that has its file in `folder`; None without one, or when it was made with other settings."""
    return runs.kept(_file(folder, task, arithmetic, seed), Run, runs.fingerprint(task))


def one(task: Task, arithmetic: str, seed: int, folder: Path) -> Run:
    """The run that has its file in `folder`, else made and kept there."""
    file = _file(folder, task, arithmetic, seed)
    return runs.once(file, Run, runs.fingerprint(task), lambda: train(task, arithmetic, seed))


def _file(folder: Path, task: Task, arithmetic: str, seed: int) -> Path:
    return folder / f"{task.name}_{arithmetic}_{seed}.json"
