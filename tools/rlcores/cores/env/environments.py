"""The environments that there are, in the order of their numbers, which are the values of parameter ENV.

One is a file here (its declaration, integer model and float64 reference), a line below, a leaf in rtl/env and a kernel
in native/include. `rlcores generate` writes what else names it: the leaf's place in rlc_env_physics, the numbers
in env.yaml, lists of files, the engine's table, the table of docs/env.md.
"""

from rlcores.cores.env.acrobot import Acrobot
from rlcores.cores.env.cartpole import CartPole
from rlcores.cores.env.mountaincar import MountainCar, MountainCarContinuous
from rlcores.cores.env.pendulum import Pendulum
from rlcores.cores.env.physics import Physics
from rlcores.cores.env.pmsm import Pmsm
from rlcores.cores.env.quadrotor import Quadrotor
from rlcores.errors import UserError

N_ENVS_MOST = 4096  # of a core
# A new one comes last: the numbers of the others stand in bitstreams and checkpoints.
_ALL = (CartPole(), MountainCar(), MountainCarContinuous(), Pendulum(), Acrobot(), Quadrotor(), Pmsm())
ENVIRONMENTS: dict[str, Physics] = {physics.name: physics for physics in _ALL}


def of_core(number: int, n_envs: int) -> Physics:
    """The physics of the parameter ENV. Raises ValueError where no core has these numbers."""
    if number >= len(_ALL) or not 1 <= n_envs <= N_ENVS_MOST:
        raise ValueError(f"ENV is {number} and N_ENVS {n_envs}; they are 0 to {len(_ALL) - 1} and 1 to {N_ENVS_MOST}")
    return list(ENVIRONMENTS.values())[number]


def named(name: str) -> Physics:
    """The physics of an environment, by our name or by Gymnasium's. Raises UserError."""
    for physics in ENVIRONMENTS.values():
        if name in (physics.name, physics.gymnasium):
            return physics
    raise UserError(f"there is no environment '{name}'; environments: {', '.join(ENVIRONMENTS)}")
