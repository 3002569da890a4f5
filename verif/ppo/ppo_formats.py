"""Fractions of PPO's networks for benches: the two differ in every number that may, so neither passes for the other."""

from rlcores.cores.learner.format import LearnerFormats as NetworkFormats
from rlcores.cores.ppo.settings import PpoFormats


def formats_of(actor: int, critic: int) -> PpoFormats:
    """Of networks with so many layers of weights."""
    return PpoFormats(
        NetworkFormats((14, *(13,) * (actor - 1), 16), (0, *(12,) * (actor - 1), 13), (0, *range(18, 18 + actor))),
        NetworkFormats((14, *(12,) * (critic - 1), 16), (0, *(11,) * (critic - 1), 14), (0, *range(17, 17 + critic))),
    )
