"""The algorithms of `rlcores train`: each is a file here and a name below.

algorithm.py says what an algorithm is.
"""

from typing import TYPE_CHECKING

from rlcores.errors import UserError
from rlcores.train.algorithms.algorithm import ANY, NUMBERED, Algorithm
from rlcores.train.algorithms.ddpg import DDPG
from rlcores.train.algorithms.dqn import DQN
from rlcores.train.algorithms.dueling import DUELING
from rlcores.train.algorithms.ppo import PPO
from rlcores.train.algorithms.sac import SAC
from rlcores.train.algorithms.td3 import TD3

if TYPE_CHECKING:
    from rlcores.train.spaces import Spaces

ALL: dict[str, Algorithm] = {one.name: one for one in (DQN, DUELING, DDPG, TD3, SAC, PPO)}


def named(name: str) -> Algorithm:
    """The algorithm of that name. Raises UserError."""
    if name not in ALL:
        raise UserError(f"there is no algorithm '{name}'; algorithms: {', '.join(ALL)}")
    return ALL[name]


def fitting(name: str, environment: str, spaces: "Spaces") -> Algorithm:
    """The same; raises UserError too where it is not one for such actions."""
    one = named(name)
    numbered = spaces.actions is not None
    if one.actions != ANY and (one.actions == NUMBERED) != numbered:
        wants, has = ("numbered actions", "vectors") if one.actions == NUMBERED else ("vectors of actions", "numbered")
        *fit, last = [other.name for other in ALL.values() if other.actions != one.actions]
        raise UserError(f"{name} takes {wants}, but those of {environment} are {has}; use {', '.join(fit)} or {last}")
    return one
