"""ReplayLearner as its users see it: the same numbers on both backends, checkpoints, one sentence for a mistake."""

import copy
import io
import pickle
import re
import warnings

import numpy as np
import pytest
from replay_cases import CORES

from rlcores.base import paths
from rlcores.cores.learner.api import Learner
from rlcores.cores.learner.format import DdpgFormats
from rlcores.cores.replay_learner.api import ReplayLearner, small_parameters
from rlcores.cores.replay_learner.driver import ReplayLearnerDriver
from rlcores.cores.replay_learner.native import ReplayLearnerNativeDriver
from rlcores.errors import CoreWarning, UserError

NETWORK, CRITIC, ACTOR = (5, 4, 3), (3, 4, 1), (2, 3, 1)
CORE = CORES["split"]


def dqn(backend="model", **options) -> ReplayLearner:
    options = {
        "buffer_size": 30,
        "batch_size": 6,
        "learning_rate": 3e-3,
        "target_update_interval": 7,
        "double": True,
        "seed": 3,
        **options,
    }
    return ReplayLearner(NETWORK, backend=backend, config=options.pop("config", CORE), **options)


def ddpg(backend="model", **options) -> ReplayLearner:
    options = {
        "buffer_size": 25,
        "batch_size": 4,
        "learning_rate": 3e-3,
        "actor_learning_rate": 1e-3,
        "tau": 0.1,
        "target_update_interval": 3,
        "seed": 0,
        **options,
    }
    config = options.pop("config", CORES["ddpg_tiny"])
    return ReplayLearner(CRITIC, actor=ACTOR, backend=backend, optimiser="sgd", config=config, **options)


SLOW = pytest.mark.slow  # the RTL of DDPG: its core takes a minute to build
MAKE = {"dqn": dqn, "ddpg": ddpg}


def data(rng, kind: str, count: int) -> tuple[np.ndarray, ...]:
    states = 5 if kind == "dqn" else 2
    actions = rng.integers(0, 3, count) if kind == "dqn" else rng.uniform(-1, 1, (count, 1))
    parts = rng.normal(size=(count, states)), actions, rng.normal(size=count), rng.normal(size=(count, states))
    return *parts, rng.random(count) < 0.2


def go_on(learner: ReplayLearner, kind: str, seed: int) -> list:
    """What a learner does from here on."""
    rng = np.random.default_rng(seed)
    state = []
    for _ in range(4):
        learner.add(*data(rng, kind, int(rng.integers(1, 12))))
        learner.set(beta=float(rng.random()), learning_rate=float(rng.uniform(1e-3, 4e-3)))
        learner.train(int(rng.integers(1, 6)))
        state.append([learner.weights(name) for name in learner.networks])
        state.append(learner.act(rng.normal(size=(6, 5 if kind == "dqn" else 2))).tolist())
        state.append(learner.driver.priorities(len(learner)).tolist())
    state += [learner.steps, len(learner), learner.beta, learner._networks.updates, learner.saturations()]
    return state


def alike(one, other) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(np.array_equal(one[k], other[k]) for k in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(alike(a, b) for a, b in zip(one, other, strict=True))
    return one == other


def through_a_file(kept: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    file = io.BytesIO()
    np.savez(file, **kept)
    file.seek(0)
    return dict(np.load(file))


@pytest.mark.parametrize("kind", list(MAKE))
def test_the_native_engine_gives_the_models_numbers(kind, seed):
    rng = np.random.default_rng(seed)
    first = data(rng, kind, 20)
    both = [MAKE[kind](backend) for backend in ("native", "model")]
    assert isinstance(both[0].driver, ReplayLearnerNativeDriver)
    for learner in both:
        learner.add(*first)
    native, exact = (go_on(learner, kind, seed) for learner in both)
    assert alike(native, exact) and not alike(exact[0], exact[3])
    assert both[0].counters() == both[1].counters() and both[0].steps > 0
    assert alike(*(learner.state_dict() for learner in both))


@pytest.mark.parametrize("largest", [1 << 14, 1 << 31])
def test_a_memory_that_holds_anything_trains_as_the_model_does(largest, seed, monkeypatch):
    """Actions that no network has, and numbers that are clipped; where sums might not fit, the step is the model's."""
    rng = np.random.default_rng([seed, largest])
    both = [dqn(backend) for backend in ("native", "model")]
    first = data(rng, "dqn", 30)
    words = rng.integers(-largest, largest, both[0].driver.memory.shape).astype(np.int32).view(np.uint32)
    actions = rng.choice([0, 1, 2, 3, 0x7FFFFFFF], len(words), p=[0.3, 0.2, 0.2, 0.1, 0.2])
    words[:, 0] = actions | rng.integers(0, 2, len(words)) << 31
    for learner in both:
        learner.add(*first)
        learner.driver.memory[:] = words
    if largest < 1 << 20:
        model = both[0].driver.learner.model
        monkeypatch.setattr(model, "step_records", lambda records: pytest.fail("the step is not the engine's"))
    for steps in (1, 2, 5):
        for learner in both:
            learner.train(steps)
        assert alike(*([learner.weights(), learner.driver.priorities(30).tolist()] for learner in both))
        assert both[0].counters() == both[1].counters() and both[0].saturations() == both[1].saturations()


@pytest.mark.parametrize("kind", ["dqn", pytest.param("ddpg", marks=SLOW)])
def test_both_backends_give_the_same_numbers(kind, seed):
    rng = np.random.default_rng(seed)
    first = data(rng, kind, 20), np.abs(rng.normal(size=20))
    both = [MAKE[kind](backend) for backend in ("model", "rtl")]
    assert isinstance(both[1].driver, ReplayLearnerDriver)
    for learner in both:
        learner.add(*first[0], priorities=first[1])
    exact, real = (go_on(learner, kind, seed) for learner in both)
    assert alike(exact, real) and not alike(exact[0], exact[3])
    counted = [learner.counters() for learner in both]
    assert {name: counted[1][name] for name in counted[0]} == counted[0]
    assert counted[0]["batches"] == both[0].steps > 0 and counted[1]["clocks"] > 0
    both[1].driver.bus.close()


@pytest.mark.parametrize(
    ("kind", "source", "sink"),
    [
        pytest.param(kind, *pair, marks=SLOW if kind == "ddpg" and "rtl" in pair else ())
        for kind in MAKE
        for pair in (
            ("model", "model"),
            ("native", "native"),
            ("native", "model"),
            ("model", "native"),
            ("rtl", "rtl"),
            ("native", "rtl"),
            ("rtl", "model"),
        )
    ],
)
@pytest.mark.parametrize("fill", [0.6, 2.3])
def test_a_restored_learner_goes_on_identically(kind, source, sink, fill, seed):
    rng = np.random.default_rng([seed, int(10 * fill)])
    one, other = MAKE[kind](source), MAKE[kind](sink, seed=8, beta=0.9, learning_rate=1e-5)
    for learner in (one, other):
        learner.add(*data(rng, kind, int(fill * one.buffer_size)))
        learner.train(int(rng.integers(1, 20)))
    other.train(5)
    kept = through_a_file(one.state_dict())
    other.load_state_dict(kept)
    assert alike(kept, other.state_dict())
    assert alike(go_on(one, kind, seed), go_on(other, kind, seed))
    # And once more from the same checkpoint, on a learner that has gone on.
    one.load_state_dict(kept)
    other.load_state_dict(kept)
    assert alike(go_on(one, kind, seed + 1), go_on(other, kind, seed + 1))


def test_a_checkpoint_without_stochastic_rounding_changes_nothing(seed):
    one, other = dqn(), dqn()
    for learner in (one, other):
        learner.add(*data(np.random.default_rng(seed), "dqn", 30))
        learner.train(9)
    one.state_dict()
    assert alike(go_on(one, "dqn", seed), go_on(other, "dqn", seed))


def test_stochastic_rounding_goes_on_identically_too(seed):
    one, other = (dqn(config={**CORE, "ROUND": 2}, rounding="stochastic") for _ in range(2))
    one.add(*data(np.random.default_rng(seed), "dqn", 30))
    one.train(9)
    kept = one.state_dict()
    other.load_state_dict(kept)
    assert alike(go_on(one, "dqn", seed), go_on(other, "dqn", seed))
    other.load_state_dict(kept)
    one.load_state_dict(kept)
    assert alike(go_on(one, "dqn", seed), go_on(other, "dqn", seed))


@pytest.mark.parametrize("interval", [0, 1, 5])
@pytest.mark.parametrize("calls", [(3,), (5, 1, 4), (1, 1, 1, 12)])
def test_the_count_of_steps_since_the_target_followed_is_the_models_own(interval, calls, seed):
    learner = dqn(target_update_interval=interval)
    learner.add(*data(np.random.default_rng(seed), "dqn", 30))
    for steps in calls:
        learner.train(steps)
        assert learner._networks.since_sync == learner.driver.learner.model.since_sync


def test_a_fresh_learner_learns_what_it_is_told(seed):
    """A bandit: the reward is the action's number, whatever the state. Q must say so."""
    rng = np.random.default_rng(seed)
    learner = ReplayLearner((2, 16, 3), buffer_size=500, batch_size=32, learning_rate=1e-2, gamma=0.0, seed=seed)
    actions = rng.integers(0, 3, 500)
    learner.add(rng.normal(size=(500, 2)), actions, actions, rng.normal(size=(500, 2)), np.ones(500, bool))
    assert learner.train(400) == 400 == learner.steps
    assert np.abs(learner.values(rng.normal(size=(50, 2))) - [0, 1, 2]).mean() < 0.15
    assert (learner.act(rng.normal(size=(50, 2))) == 2).mean() > 0.9


def test_the_example_of_the_document_runs(seed):
    text = (paths.root() / "docs" / "replay_learner.md").read_text()
    (example,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    rng = np.random.default_rng(seed)
    states, next_states = rng.normal(size=(2, 64, 4))
    names = {"states": states, "next_states": next_states, "actions": rng.integers(0, 2, 64)}
    names |= {"rewards": np.ones(64), "terminated": np.zeros(64, bool)}
    exec(example, names)
    assert names["done"] == 10 == names["learner"].steps and names["best"].shape == (5,)
    assert names["learner"].beta == pytest.approx(0.6, abs=1e-4) and len(names["kept"]["priorities"]) == 64


def test_nothing_is_trained_before_learning_starts(seed):
    rng = np.random.default_rng(seed)
    learner = dqn(learning_starts=20)
    learner.add(*data(rng, "dqn", 19))
    before = learner.weights()
    assert learner.train(5) == 0 == learner.steps and alike(before, learner.weights())
    learner.add(*data(rng, "dqn", 1))
    assert learner.train(0) == 0 and learner.train(5) == 5 == learner.steps


def test_priorities_decide_what_is_sampled(seed):
    rng = np.random.default_rng(seed)
    stored = []
    for which in (0, 29):
        learner = dqn(alpha=1.0, priority_epsilon=0.0, ahead=0)
        priorities = np.zeros(30)
        priorities[which] = 100.0
        learner.add(*data(rng, "dqn", 30), priorities=priorities)
        stored.append(learner.driver.priorities(30))
    assert stored[0].argmax() == 0 and stored[1].argmax() == 29
    assert stored[0].max() > 1000 and (np.sort(stored[0])[:-1] == 1).all()


def test_the_two_epsilons_are_two_settings():
    learner = dqn(priority_epsilon=0.5, adam_epsilon=1e-4)
    assert learner.driver.tree.registers.epsilon == 2**19 and learner._networks.hyper["adam_epsilon"] == 1e-4
    learner.set(adam_epsilon=1e-6)
    assert learner._networks.hyper["adam_epsilon"] == 1e-6 and learner.driver.tree.registers.epsilon == 2**19
    with pytest.raises(UserError, match="epsilon"):
        learner.set(epsilon=1e-3)
    with pytest.warns(CoreWarning, match="priority_epsilon is 1e-08; the core adds"):
        assert dqn(priority_epsilon=1e-8).driver.tree.registers.epsilon == 1


def test_a_priority_of_2048_or_more_is_the_largest_and_counted(seed):
    rng = np.random.default_rng(seed)
    one, other = dqn(), dqn()
    parts = data(rng, "dqn", 4)
    with pytest.warns(CoreWarning, match=r"2 priorities are 2048 or more and were clipped to that \(2 so far\)"):
        one.add(*parts, priorities=[1.0, 1e9, -2048.0, 3.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        other.add(*parts, priorities=[1.0, 2047.9999, 2047.9999, 3.0])
    assert one.driver.priorities(4).tolist() == other.driver.priorities(4).tolist()


GOOD = np.zeros((4, 5)), np.zeros(4, int), np.zeros(4), np.zeros((4, 5)), np.zeros(4, bool)


def changed(place: int, value) -> tuple:
    parts = list(GOOD)
    parts[place] = value
    return tuple(parts)


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        (changed(0, np.zeros((4, 4))), r"the states have shape \(4, 4\); this batch and network need \(4, 5\)"),
        (changed(3, np.zeros((3, 5))), r"the next states have shape \(3, 5\); this batch and network need \(4, 5\)"),
        (changed(1, np.zeros((4, 1))), r"actions has shape \(4, 1\); this batch needs \(4,\)"),
        (changed(1, np.array([0, 1, 3, 0])), "an action is 3; this network has 0 to 2"),
        (changed(2, np.array([0, np.nan, 0, 0])), "a reward is nan; it must be a finite number"),
        (changed(2, np.zeros((4, 1))), r"rewards has shape \(4, 1\); it must be"),
        (changed(0, np.full((4, 5), np.inf)), "a state is inf; it must be a finite number"),
        (changed(4, np.zeros(5, bool)), r"terminated has shape \(5,\); this batch needs \(4,\)"),
        ((*GOOD, [1, 2, np.nan, 1]), r"priorities\[2\] is nan; it must be a finite number"),
        ((*GOOD, [1, 2, 3]), "priorities has 3 entries; here it must have 4"),
    ],
)
def test_a_wrong_experience_is_one_sentence_and_nothing_is_kept(parts, sentence, seed):
    learner = dqn()
    learner.add(*data(np.random.default_rng(seed), "dqn", 8))
    before = learner.state_dict()
    with pytest.raises(UserError, match=sentence):
        learner.add(*parts)
    assert alike(before, learner.state_dict())


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"buffer_size": 0}, "buffer_size is 0; it must be 1 to"),
        ({"buffer_size": 51}, "buffer_size is 51; this core has at most 50"),
        ({"buffer_size": 3, "batch_size": 1}, "this core has up to 5 experiences on their way"),
        ({"batch_size": 13}, "batch_size is 13; this core has at most 12"),
        ({"ahead": 256}, "ahead is 256; this core has at most 255"),
        ({"learning_starts": 31}, "learning_starts is 31; it must be 1 to 30"),
        ({"beta": 1.5}, r"beta is 1\.5; it must be 0 to 1"),
        ({"stratified": 1}, "stratified is 1; it must be true or false"),
        ({"backend": "fpga"}, "backend is 'fpga'; it must be 'native' or 'model' or 'rtl', or a driver"),
        ({"speed": 1}, "there is no setting 'speed'"),
        ({"epsilon": 0.1}, "epsilon has two meanings: give priority_epsilon, of priorities, or adam_epsilon, of Adam"),
        ({"optimiser": "lion"}, "optimiser is 'lion'"),
        ({"config": "no_such"}, "no_such"),
        ({"formats": DdpgFormats.default()}, "formats is of type DdpgFormats"),
    ],
)
def test_a_wrong_argument_is_one_sentence(options, sentence):
    with pytest.raises(UserError, match=sentence):
        dqn(**options)


def test_wrong_settings_later_change_nothing(seed):
    learner = dqn()
    for wrong in ({"beta": -1}, {"learning_rate": float("nan")}, {"gamma": 2.0, "beta": 0.7}, {"speed": 1}):
        with pytest.raises(UserError):
            learner.set(**wrong)
    assert learner.beta == pytest.approx(0.4, abs=1e-4)
    with pytest.raises(UserError, match="steps is -1; it must be 0 to"):
        learner.train(-1)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"network": np.array([5, 6, 3])}, "of a replay learner with network 5-6-3; this one has 5-4-3"),
        ({"buffer_size": np.array(31)}, "with buffer_size 31; this one has 30"),
        ({"batch_size": np.array(5)}, "with batch_size 5; this one has 6"),
        ({"fractions": np.zeros(3, np.int64)}, "with fractions 0-0-0; this one has"),
        ({"draws": None}, "the state has no entry 'draws'; it is not one of a replay learner"),
        ({"states": np.zeros((30, 4))}, r"is damaged: 'states' has shape \(30, 4\); it must have \(30, 5\)"),
        ({"network.moment": None}, "the state has no entry 'network.moment'"),
        ({"next": np.array(30)}, "is damaged: 'next' holds numbers that are not 0 to 29"),
        ({"priorities": np.full(30, -1)}, "is damaged: 'priorities' holds numbers"),
    ],
)
def test_a_checkpoint_of_another_shape_is_one_sentence_and_changes_nothing(change, sentence, seed):
    rng = np.random.default_rng(seed)
    learner = dqn()
    learner.add(*data(rng, "dqn", 40))
    learner.train(3)
    kept = learner.state_dict()
    learner.train(2)
    before = learner.state_dict()
    wrong = {name: value for name, value in {**kept, **change}.items() if value is not None}
    with pytest.raises(UserError, match=sentence):
        learner.load_state_dict(wrong)
    assert alike(before, learner.state_dict())


@pytest.mark.parametrize("kind", [Learner, ReplayLearner])
def test_an_entry_of_a_state_that_is_no_such_array_is_one_sentence_and_changes_nothing(kind, seed):
    """None, words, fractions, ragged lists: for every entry; a few of them are a setting that may be."""
    options = {"buffer_size": 20, "batch_size": 4} if kind is ReplayLearner else {}
    learner = kind((2, 4, 2), seed=seed % 2**32, **options)
    if kind is ReplayLearner:
        learner.add(np.ones((3, 2)), [0, 1, 1], np.ones(3), np.ones((3, 2)), np.zeros(3, bool))
    kept = learner.state_dict()
    refused = 0
    for name, array in kept.items():
        real = np.asarray(array, np.float64)
        wrong = [None, "x", [[1], [2, 3]], real + 0.5, real * np.nan, real + np.inf, real + 0j, real[..., None]]
        for value in wrong:
            try:
                learner.load_state_dict(kept | {name: value})
                assert name.startswith(("hyper", "actor")) or alike(dict(kept), learner.state_dict()), (name, value)
                learner.load_state_dict(kept)
            except UserError as error:
                assert "\n" not in str(error)
                refused += 1
            assert alike(dict(kept), learner.state_dict()), (name, value)
    assert refused > 6 * len(kept)
    learner.load_state_dict({name: np.asarray(array, np.float64) for name, array in kept.items()})
    assert alike(dict(kept), learner.state_dict())


def test_the_default_parameters_are_those_of_the_networks():
    parameters = small_parameters((3, 8, 1), (2, 8, 1), capacity=1000, ahead=6, batch_max=32)
    wanted = {"LEAVES_LOG2": 10, "CAPACITY": 1024, "AHEAD_MAX": 6, "BATCH_MAX": 32}
    assert {name: parameters[name] for name in wanted} == wanted


@pytest.mark.parametrize("kind", list(MAKE))
@pytest.mark.parametrize("backend", ["model", "native"])
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_a_copy_goes_on_by_itself(kind, backend, copied, seed):
    rng = np.random.default_rng(seed)
    learner = MAKE[kind](backend, learning_starts=4)
    learner.add(*data(rng, kind, 40))
    learner.train(5)
    other = copied(learner)
    kept = learner.state_dict()
    state = go_on(other, kind, seed)
    assert alike(learner.state_dict(), kept)
    assert alike(state, go_on(learner, kind, seed))


def test_a_learner_on_a_core_says_that_it_cannot_be_copied():
    learner = dqn()
    vars(learner)["driver"] = object()
    with pytest.raises(UserError, match="cannot be pickled or copied"):
        copy.deepcopy(learner)
