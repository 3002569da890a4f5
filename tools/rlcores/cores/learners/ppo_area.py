"""Resources of several PPO cores with their environments, and of what joins them."""

from collections.abc import Mapping

from rlcores.cores.learners.joined import joined, lanes
from rlcores.cores.ppo import area as ppo_area
from rlcores.cores.ppo.shape import Shape
from rlcores.eda.estimate.part import Counts, named


def total(parameters: Mapping[str, int | str]) -> Counts:
    """Resources of `rlc_learners_ppo`."""
    learners, shape = int(parameters["LEARNERS"]), Shape.of(parameters)
    each = named(ppo_area.total(parameters))
    parts = [*lanes(shape.actor), *lanes(shape.critic), *([1] if shape.gaussian else [])]
    return (each * learners + joined(parts, parameters)).counts
