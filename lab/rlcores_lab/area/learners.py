"""Resources of several replay learners, and of what joins them."""

from collections.abc import Mapping

from rlcores.cores.learner.shape import LearnerShape
from rlcores_lab.area import replay_learner as replay_area
from rlcores_lab.area.estimate.part import Counts, named
from rlcores_lab.area.learners_joined import joined, lanes, weighed


def total(parameters: Mapping[str, int | str]) -> Counts:
    """Resources of `rlc_learners`."""
    learners, shape = int(parameters["LEARNERS"]), LearnerShape.of(parameters)
    each = named(replay_area.total(parameters))
    parts = lanes(shape.value) + (lanes(shape.actor) if shape.actor else [])
    return (each * learners + joined(parts, parameters) + weighed(shape.batch_max, parameters)).counts
