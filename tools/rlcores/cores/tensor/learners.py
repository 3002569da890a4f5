"""The trainer of each learner: its program of rlc_tensor_trainer."""

from typing import Any

from rlcores.cores.rl.dqn import Dqn
from rlcores.cores.rl.sac import Sac
from rlcores.cores.rl.td3 import Td3
from rlcores.cores.tensor.actor_critic import SacTrainer, Td3Trainer
from rlcores.cores.tensor.dqn import DqnTrainer
from rlcores.cores.tensor.program import TensorShape
from rlcores.cores.tensor.trainer import Trainer


def trainer_of(learner: Any, shape: TensorShape, batch: int, **more: Any) -> Trainer:
    """The trainer of a learner. Raises KeyError: there is no program of it."""
    return {Dqn: DqnTrainer, Td3: Td3Trainer, Sac: SacTrainer}[type(learner)](learner, shape, batch, **more)
