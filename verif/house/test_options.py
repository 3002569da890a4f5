"""Types of options name all options, and no others."""

import inspect

from rlcores import Gae
from rlcores.cores.gae.api import GaeOptions
from rlcores.cores.learner.networks import HYPER_DEFAULTS, LearnerOptions


def test_every_option_has_a_type() -> None:
    assert set(LearnerOptions.__annotations__) == set(HYPER_DEFAULTS)
    taken = inspect.signature(Gae).parameters.values()
    assert set(GaeOptions.__annotations__) == {p.name for p in taken if p.kind is p.KEYWORD_ONLY}
