"""Short plans, and runs of them."""

import signal
from dataclasses import replace
from pathlib import Path

from rlcores.train import pool, settings, spaces
from rlcores.train.folder import Folder
from rlcores.train.loop import Run, make_trainer
from rlcores.train.settings import Plan, Ppo


def short(algo: str, backend: str, seed: int = 0, environment: str | None = None, **changes) -> Plan:
    """A plan of a few hundred steps."""
    environment = environment or {"dqn": "CartPole-v1", "ddpg": "Pendulum-v1", "ppo": "CartPole-v1"}[algo]
    given = {"steps": 256, "envs": 4, "evaluate_every": 64, "until": float("inf"), "report": 2}
    plan = settings.plan(algo, environment, backend, spaces.look(environment), seed=seed, **(given | changes))
    if plan.replay:
        return replace(plan, replay=replace(plan.replay, warmup=64, capacity=200, batch=16, explore_steps=100))
    own = Ppo(rollout=16, epochs=2, minibatch=32, reward_scaling=plan.ppo.reward_scaling)
    return replace(plan, ppo=own, round_steps=16)


def make(plan: Plan, folder: Path, actors: int = 1) -> Run:
    """A run of it, nothing done yet."""
    found = spaces.look(plan.environment)
    return Run(plan, found, make_trainer(plan, found), pool.make(plan, actors), Folder(folder))


def heed() -> None:
    """In a process that begins: pytest itself may run where Ctrl-C is ignored, and its children would inherit that."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
