"""Resources of several PPO cores with their environments, and of what joins them."""

from collections.abc import Mapping

from rlcores.cores.ppo.shape import PpoShape
from rlcores_lab.area import ppo as ppo_area
from rlcores_lab.area.estimate.part import Counts, named
from rlcores_lab.area.learners_joined import joined, lanes


def total(parameters: Mapping[str, int | str]) -> Counts:
    """Resources of `rlc_learners_ppo`."""
    learners, shape = int(parameters["LEARNERS"]), PpoShape.of(parameters)
    each = named(ppo_area.total(parameters))
    parts = [*lanes(shape.actor), *lanes(shape.critic), *([1] if shape.gaussian else [])]
    return (each * learners + joined(parts, parameters)).counts
