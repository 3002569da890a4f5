"""What is learned in the study, and with which settings. docs/learner_study.md says how they were found."""

from dataclasses import dataclass

from rlcores.cores.learner.float64 import FloatSettings
from rlcores.cores.learner.format import DdpgFormats, Formats
from rlcores.errors import UserError

# Settings that a float learner and a core's have under the same names.
HYPER = (
    "gamma", "reward_scale", "huber", "double", "lag", "target_update_interval", "tau", "learning_rate",
    "actor_learning_rate", "momentum", "adam_epsilon",
)  # fmt: skip


@dataclass(frozen=True)
class Fractions:
    """Fraction bits of the integers, layer by layer: of neurons 0..M, of deltas and gradients 1..M (index 0 unused)."""

    act: tuple[int, ...]
    delta: tuple[int, ...]
    gradient: tuple[int, ...]
    actor_act: tuple[int, ...] = ()
    actor_delta: tuple[int, ...] = ()
    actor_gradient: tuple[int, ...] = ()
    through: tuple[int, ...] = ()  # deltas of the pass that takes the actor's gradient through the critic, 0..M


@dataclass(frozen=True)
class Task:
    """One environment of the study. Steps are environment steps."""

    name: str
    environment: str
    sizes: tuple[int, ...]  # of the value network; DDPG: states and actions in, one value out
    actor_sizes: tuple[int, ...] | None  # None: DQN
    settings: FloatSettings
    fractions: Fractions
    seeds: int
    goal: float  # mean return of 100 episodes at which the task counts as learned
    steps: int
    warmup: int  # steps before the first gradient step, random actions
    train_every: int  # steps for one gradient step
    capacity: int
    state_scale: tuple[float, ...]  # the learner sees states times this
    batch: int = 64
    alpha: float = 0.6
    beta: float = 0.4  # at the start; 1 at the end
    explore_steps: int = 1  # DQN: epsilon falls linearly from 1 over so many steps
    explore_end: float = 0.05
    rate_end: float = 1.0  # the value network's learning rate falls linearly to so much of it
    noise: float = 0.0  # DDPG: deviation of the Gaussian noise on actions in -1..1
    action_scale: float = 1.0  # DDPG: actions in -1..1 times this go to the environment
    evaluate_every: int = 1000
    episode: int | None = None  # steps after which an episode of training is cut off; None: the environment's own
    report: int = 100  # episodes of the figures that are reported
    promising: float = float("-inf")  # a look below this is not worth more episodes
    enough: float = float("inf")  # a checkpoint this good on the episodes of the choice ends the run


TASKS = {
    task.name: task
    for task in (
        Task(
            name="cartpole",
            environment="CartPole-v1",
            sizes=(4, 64, 64, 2),
            actor_sizes=None,
            settings=FloatSettings(
                gamma=0.99, learning_rate=3e-4, adam_epsilon=1e-5, target_update_interval=200, double=True
            ),
            fractions=Fractions((14, 13, 11, 16), (0, 13, 15, 16), (0, 19, 20, 18)),
            seeds=10,
            goal=475,
            steps=30_000,
            warmup=1000,
            train_every=1,
            capacity=30_000,
            state_scale=(0.5, 0.5, 5.0, 0.5),
            explore_steps=8000,
            evaluate_every=500,
        ),
        Task(
            name="pendulum",
            environment="Pendulum-v1",
            sizes=(4, 64, 64, 1),
            actor_sizes=(3, 64, 64, 1),
            settings=FloatSettings(
                gamma=0.98,
                learning_rate=1e-3,
                actor_learning_rate=5e-4,
                adam_epsilon=1e-6,
                tau=0.01,
                huber=None,
                reward_scale=1 / 8,
            ),
            fractions=Fractions(
                act=(16, 15, 13, 16),
                delta=(0, 13, 15, 14),
                gradient=(0, 18, 20, 16),
                actor_act=(16, 15, 13, 14),
                actor_delta=(0, 13, 15, 14),
                actor_gradient=(0, 18, 20, 17),
                through=(14, 11, 15, 16),
            ),
            seeds=10,
            goal=-200,
            steps=6000,
            warmup=1000,
            train_every=1,
            capacity=6000,
            state_scale=(1.0, 1.0, 0.125),
            noise=0.1,
            action_scale=2.0,
            evaluate_every=500,
        ),
        Task(
            name="lunarlander",
            environment="LunarLander-v3",
            sizes=(8, 64, 64, 4),
            actor_sizes=None,
            settings=FloatSettings(
                gamma=0.99, learning_rate=6e-4, adam_epsilon=1e-5, tau=0.002, double=True, reward_scale=1 / 16
            ),
            fractions=Fractions((13, 13, 11, 16), (0, 13, 15, 16), (0, 19, 20, 20)),
            seeds=5,
            goal=200,
            steps=240_000,
            warmup=2000,
            train_every=2,
            capacity=100_000,
            state_scale=(1.0,) * 8,
            explore_steps=80_000,
            explore_end=0.02,
            rate_end=0.1,
            episode=400,
            evaluate_every=5000,
            promising=170,
            enough=230,
        ),
    )
}


def task(name: str) -> Task:
    """The task of that name. Raises UserError when there is none."""
    if name not in TASKS:
        raise UserError(f"there is no task '{name}' in the learning study; tasks: {', '.join(TASKS)}")
    return TASKS[name]


def formats_of(task: Task) -> Formats | DdpgFormats:
    """The fractions of a task's integers."""
    f = task.fractions
    value = Formats(f.act, f.delta, f.gradient)
    if task.actor_sizes is None:
        return value
    return DdpgFormats(value, Formats(f.actor_act, f.actor_delta, f.actor_gradient), f.through)
