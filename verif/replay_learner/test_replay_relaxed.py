"""A relaxed loop: priority updates that wait from call to call, at any depth."""

import numpy as np
import pytest
from replay_cases import CORES
from test_replay_learner_api import MAKE, alike, data, dqn, through_a_file

from rlcores.cores.sumtree.model import UPDATE
from rlcores.errors import UserError

DEEP = {kind: {**CORES[core], "AHEAD_MAX": 64} for kind, core in (("dqn", "split"), ("ddpg", "ddpg_tiny"))}
DEPTHS = (0, 1, 10, 64)


def relaxed(kind: str, backend: str, ahead: int, **options):
    return MAKE[kind](backend, ahead=ahead, config=DEEP[kind], **options)


@pytest.mark.parametrize("backend", ["native", "model"])
@pytest.mark.parametrize("ahead", DEPTHS)
def test_every_batch_is_updated_once_and_behind_as_many_samples_as_d_says(ahead, backend, seed, monkeypatch):
    """The order of the definition, S(0) … S(D), U(0), S(D+1), U(1), …, over calls of any length."""
    rng = np.random.default_rng([seed, ahead])
    learner = relaxed("dqn", backend, ahead, relaxed=True)
    tree, happened, drawn = learner.driver.tree, [], []
    draw, operations = tree.draw, tree.operations

    def drawing(count):
        answers = draw(count)
        drawn.append(answers["index"].tolist())
        happened.append("S")
        return answers

    def operating(kind, index=0, *others, **named):
        if kind is UPDATE:
            happened.append(("U", list(index)))
        return operations(kind, index, *others, **named)

    monkeypatch.setattr(tree, "draw", drawing)
    monkeypatch.setattr(tree, "operations", operating)
    learner.add(*data(rng, "dqn", 20))
    while len(drawn) < 3 * ahead + 20:
        learner.train(int(rng.integers(1, 4)))
        learner.add(*data(rng, "dqn", int(rng.integers(0, 3))))
    waiting = min(ahead, len(drawn))
    assert learner.counters()["batches"] == len(drawn) - waiting == len(updates(happened))
    expected = []
    for k in range(len(drawn)):
        expected += ["S", ("U", drawn[k - ahead])] if k >= ahead else ["S"]
    assert happened == expected
    learner.settle()
    assert updates(happened) == drawn and learner.counters()["batches"] == len(drawn)


def updates(happened: list) -> list:
    return [entry[1] for entry in happened if entry != "S"]


@pytest.mark.parametrize("kind", list(MAKE))
@pytest.mark.parametrize("ahead", [0, 1, 3])
@pytest.mark.parametrize("backend", ["native", "model"])
def test_calls_and_a_settling_are_one_strict_call(kind, ahead, backend, seed):
    """Calls of one step without Adam, whose bias correction changes from call to call; else one call."""
    rng = np.random.default_rng([seed, ahead])
    strict, loose = (relaxed(kind, backend, ahead, relaxed=loose) for loose in (False, True))
    first = data(rng, kind, 20)
    for learner in (strict, loose):
        learner.add(*first)
    strict.train(17)
    for steps in [17] if kind == "dqn" else [1] * 17:
        loose.train(steps)
    if ahead:
        assert not np.array_equal(*(learner.driver.priorities(20) for learner in (strict, loose)))
    loose.settle()
    state, expected = loose.state_dict(), strict.state_dict()
    assert state.pop("relaxed") == 1 and expected.pop("relaxed") == 0
    assert not any(state.pop(f"pending.{name}").size for name in ("index", "stale", "errors", "sizes"))
    assert alike(state, expected)
    assert strict.counters() == loose.counters()


@pytest.mark.parametrize("kind", list(MAKE))
@pytest.mark.parametrize("backend", ["native", "model"])
def test_a_restored_loop_goes_on_with_the_updates_that_waited(kind, backend, seed):
    """Some of them are of slots that were overwritten since, which stay so."""
    rng = np.random.default_rng(seed)
    one, other = (relaxed(kind, backend, 12, relaxed=True, seed=s) for s in (3, 9))
    for learner in (one, other):
        learner.add(*data(rng, kind, 33))
        learner.train(int(rng.integers(5, 20)))
    one.add(*data(rng, kind, 9))
    kept = through_a_file(one.state_dict())
    assert kept["pending.stale"].any() and not kept["pending.stale"].all() and len(kept["pending.sizes"]) > 2
    other.load_state_dict(kept)
    assert alike(kept, other.state_dict())
    before = one.counters()
    rows = data(rng, kind, 7)
    for learner in (one, other):
        learner.train(9)
        learner.add(*rows)
        learner.train(4)
        learner.settle()
    assert alike(one.state_dict(), other.state_dict())
    gone = {name: count - before[name] for name, count in one.counters().items()}
    assert gone == {**other.counters(), "reserved": 7, "committed": 7} and gone["stale_updates"] > 0


@pytest.mark.parametrize("backend", ["native", "model"])
def test_who_forgets_the_experiences_forgets_the_updates_that_wait(backend, seed):
    rng = np.random.default_rng(seed)
    learner = relaxed("dqn", backend, 5, relaxed=True)
    learner.add(*data(rng, "dqn", 20))
    learner.train(9)
    learner.driver.clear()
    learner.settle()
    assert learner.counters()["batches"] == 4


@pytest.mark.parametrize("kind", list(MAKE))
def test_the_native_engine_is_as_late_as_the_model(kind, seed):
    rng = np.random.default_rng(seed)
    both = [relaxed(kind, backend, 3, relaxed=True) for backend in ("native", "model")]
    for turn in range(12):
        rows, steps = data(rng, kind, int(rng.integers(0 if turn else 30, 40))), int(rng.integers(1, 6))
        for learner in both:
            learner.add(*rows)
            learner.train(steps)
        assert alike(*(learner.state_dict() for learner in both))
    assert both[0].counters() == both[1].counters() and both[0].counters()["stale_updates"] > 0


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"relaxed": 0}, "is that of a replay learner with relaxed 0; this one has 1"),
        ({"pending.sizes": np.array([6] * 20)}, "the state is damaged: 20 batches of .* updates wait"),
        ({"pending.index": np.array([31])}, r"the state is damaged: 'pending"),
        ({"pending.stale": None}, "the state is damaged: 'pending.stale' has shape"),
    ],
)
def test_a_damaged_state_is_one_sentence(change, sentence, seed):
    learner = relaxed("dqn", "native", 12, relaxed=True)
    learner.add(*data(np.random.default_rng(seed), "dqn", 30))
    learner.train(5)
    kept = learner.state_dict()
    with pytest.raises(UserError, match=sentence):
        learner.load_state_dict(kept | change)
    assert alike(kept, learner.state_dict())


def test_a_state_from_before_there_were_relaxed_loops_is_read(seed):
    learner = dqn()
    learner.add(*data(np.random.default_rng(seed), "dqn", 30))
    kept = learner.state_dict()
    del kept["relaxed"]
    learner.load_state_dict(kept)


def test_a_core_says_that_its_calls_end_with_their_updates():
    with pytest.raises(UserError, match="relaxed=True is of the backends 'native' and 'model'"):
        dqn("rtl", relaxed=True)
