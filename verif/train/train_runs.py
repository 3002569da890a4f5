"""Short plans, and runs of them."""

import signal
from dataclasses import replace
from pathlib import Path

from rlcores.train import pool, settings, spaces
from rlcores.train.algorithms.ppo import PpoRunSettings
from rlcores.train.folder import Folder
from rlcores.train.loop import Run, make_trainer
from rlcores.train.settings import Plan


def short(algo: str, backend: str, seed: int = 0, environment: str | None = None, **changes) -> Plan:
    """A plan of a few hundred steps."""
    environment = environment or dict.fromkeys(("dqn", "dueling", "ppo"), "CartPole-v1").get(algo, "Pendulum-v1")
    defaults = {"steps": 256, "envs": 4, "evaluate_every": 64, "until": float("inf"), "report": 2}
    plan = settings.plan(algo, environment, backend, spaces.look(environment), seed=seed, **(defaults | changes))
    if algo == "ppo":
        own = PpoRunSettings(rollout=16, epochs=2, batch_size=32, reward_scaling=plan.settings.reward_scaling)
        return replace(plan, settings=own, round_steps=16)
    less = {"learning_starts": 64, "buffer_size": 200, "batch_size": 16}
    less |= {"explore_steps": 100} if algo in ("dqn", "dueling") else {}
    less |= {"network": (16, 16)} if algo in ("td3", "sac", "dueling") else {}
    return replace(plan, settings=replace(plan.settings, **less))


def make(plan: Plan, folder: Path, actors: int = 1) -> Run:
    """A run of it, nothing done yet."""
    space = spaces.look(plan.environment)
    return Run(plan, space, make_trainer(plan, space), pool.make(plan, actors), Folder(folder))


def heed() -> None:
    """In a process that begins: pytest itself may run where Ctrl-C is ignored, and its children would inherit that."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
