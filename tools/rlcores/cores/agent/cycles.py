"""Clocks of the agent core's loop where nothing waits, exact."""

from collections.abc import Mapping

from rlcores.cores.agent.area import policy
from rlcores.cores.policy.cycles import Shape

WAY = 2  # from an environment's answer to its observation at the policy


def act_clocks(parameters: Mapping[str, int | str]) -> int:
    """Clocks from the one that takes an answer to the one in which its action is offered to the environment."""
    shape = Shape.of(policy(parameters))
    return WAY + shape.words[0] - 1 + shape.act_clocks
