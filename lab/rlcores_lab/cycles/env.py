"""Clocks of the environment core."""

from collections.abc import Mapping

from rlcores.cores.env.environments import ENVIRONMENTS


def pipeline(parameters: Mapping[str, int]) -> int:
    """PIPELINE: clocks from an action to its answer, and to the next action of its environment."""
    return list(ENVIRONMENTS.values())[parameters["ENV"]].latency + 3


def turn(parameters: Mapping[str, int]) -> int:
    """Clocks of a step of all N environments while nobody stalls."""
    return max(parameters["N_ENVS"], pipeline(parameters))
