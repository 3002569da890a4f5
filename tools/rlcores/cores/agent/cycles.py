"""Clocks of the agent core's loop where nothing waits, exact."""

from collections.abc import Mapping

from rlcores.cores.agent.area import policy
from rlcores.cores.policy.cycles import Shape

_BLOCK_FROM = 65  # environments whose observations wait in block RAM, at the least


def way(n_envs: int) -> int:
    """Clocks from an environment's answer to the first word of its observation at the policy."""
    return 1 if n_envs < _BLOCK_FROM else 2


def act_clocks(parameters: Mapping[str, int | str]) -> int:
    """Clocks from the one that takes an answer to the one in which its action is offered to the environment."""
    shape = Shape.of(policy(parameters))
    return way(int(parameters["N_ENVS"])) + shape.words[0] - 1 + shape.act_clocks
