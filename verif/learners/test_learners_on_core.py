"""Several replay learners on the simulated core: the engine's state after every call, and on from any of them."""

import numpy as np
import pytest
from test_learners_model import equal, experiences

from rlcores.cores.learners.api import ReplayLearners
from rlcores.errors import UserError

GIVEN = {"learners": 2, "average": 3, "batch_size": 8, "buffer_size": 64, "target_update_interval": 6, "tau": 0.3}


def agent(backend: str, seed: int, **options) -> ReplayLearners:
    return ReplayLearners((4, 8, 2), backend=backend, seed=seed, ahead=1, **(GIVEN | options))


@pytest.mark.slow
def test_the_core_of_several_learners_gives_the_engines_states(seed):
    """Whole and broken rounds, importance weights of both kinds, and a state from the middle of a round."""
    for exact in (True, False):
        engine, core = (agent(backend, seed, exact=exact) for backend in ("native", "rtl"))
        for number, steps in enumerate((4, 3, 7)):
            for one in (engine, core):
                one.add(*experiences(30, seed + number))
                one.set(beta=0.3 * (number + 1))
                assert one.train(steps) == steps
            assert engine.rounds == core.rounds and equal(engine.state_dict(), core.state_dict()) == []
        kept = engine.state_dict()
        assert kept["since"] == 14 % 3
        for one in (engine, core):
            one.load_state_dict(kept)
            one.train(8)
        assert equal(engine.state_dict(), core.state_dict()) == []
        assert core.rounds == engine.rounds == (14 % 3 + 8) // 3
        assert core._together.shared.exact == exact
    # Weights over all banks are not those of each bank.
    one, other = agent("native", seed), agent("native", seed, exact=False)
    for each in (one, other):
        each.add(*experiences(60, seed), priorities=np.geomspace(0.01, 100, 60))
        each.train(3)
    assert equal(one.state_dict(), other.state_dict())


def test_what_learners_on_the_core_cannot_be_is_said():
    with pytest.raises(UserError, match=r"one learner on the simulated core is a rlcores\.ReplayLearner"):
        agent("rtl", 1, learners=1)
    with pytest.raises(UserError, match="lag=False is of one replay learner"):
        agent("native", 1, lag=False)
