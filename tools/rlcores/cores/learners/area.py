"""Resources of several replay learners, and of what joins them."""

from collections.abc import Mapping

from rlcores.cores.learner.shape import Shape
from rlcores.cores.learners.joined import joined, lanes
from rlcores.cores.replay_learner import area as replay_area
from rlcores.eda.estimate.part import Counts, named


def total(parameters: Mapping[str, int | str]) -> Counts:
    """Resources of `rlc_learners`."""
    learners = int(parameters["LEARNERS"])
    each = named(replay_area.total(parameters))
    return (each * learners + joined(lanes(Shape.of(parameters).value), parameters)).counts
