"""What a PPO core of several starts from."""

from dataclasses import replace

from rlcores.cores.ppo.model import Ppo
from rlcores.cores.ppo.shape import PpoShape
from rlcores.train import chip

MINIBATCHES = 4


def learner(shape: PpoShape, seed: int, **changes: int) -> Ppo:
    """A learner with random weights for a core of that shape; changes: of the settings."""
    task = chip.task_of("pendulum" if shape.gaussian else "cartpole")
    task = replace(task, network=shape.actor.sizes[1:-1])
    changes |= {"envs": shape.environments, "steps": shape.steps, "minibatches": MINIBATCHES}
    own = chip.learner(task, seed, **changes)
    own.columns = shape.columns
    return own
