"""Traffic for one core behind two buses, or beside its model: both have the same results."""

from collections.abc import Iterable, Sequence

import numpy as np

from rlcores.cores.gae.api import Gae
from rlcores.cores.sumtree.sampler import PrioritizedSampler
from rlcores.eda import configs

# Those of `serial: tiny`, which other tests build too.
CORES = {
    "gae": configs.load("gae", "tiny"),
    "sumtree": configs.load("sumtree", "tiny") | {"PRIORITY_MATHS": 1, "BATCH_MAX": 16},
}
SAMPLER = {"priority_width": 8, "generation_width": 3, "batch_size": 16, "batch_max": 16}  # what fits that sum tree


def rollout(pair: Sequence[Gae], rng: np.random.Generator) -> list:
    """Random rewards and values of 14 steps and 8 environments, with ends of both kinds; the results of both."""
    rewards, values = rng.normal(1, 3, (14, 8)), rng.normal(0, 2, (14, 8))
    ends = rng.random((2, 14, 8)) < 0.08
    ends[1] &= ~ends[0] & (np.cumsum(ends[1], axis=0) <= 2)
    results = [each.compute(rewards, values, *ends, values[0], np.where(ends[1], values, np.nan)) for each in pair]
    for field in ("advantages", "returns", "rewards", "values"):
        np.testing.assert_array_equal(*(getattr(each, field) for each in results), err_msg=field)
    return results


def batches(pair: Sequence[PrioritizedSampler], counts: Iterable[int], rng: np.random.Generator) -> None:
    """For each count: nine transitions come, that many are sampled, and their priorities follow random errors."""
    for count in counts:
        np.testing.assert_array_equal(*(each.add(9) for each in pair))
        drawn = [each.sample(count, beta=0.5) for each in pair]
        for field in ("indices", "weights", "priorities", "generations"):
            np.testing.assert_array_equal(*(getattr(each, field) for each in drawn), err_msg=field)
        errors = rng.normal(0, 2, count)
        kept = [each.update(batch.indices, errors, batch.generations) for each, batch in zip(pair, drawn, strict=True)]
        np.testing.assert_array_equal(*kept)
        assert pair[0].tree.total == pair[1].tree.total > 0
