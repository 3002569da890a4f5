"""The learner's API as a user calls it: both backends alike, PyTorch's names, and one sentence for what is wrong."""

import dataclasses
import math
import sys
import warnings
from itertools import pairwise

import numpy as np
import pytest
from learner_axi_cores import CORES

from rlcores.cores.learner.api import Learner, small_parameters
from rlcores.cores.learner.float64 import FloatDdpgLearner, FloatSettings, FloatValueLearner
from rlcores.cores.learner.format import DdpgFormats, LearnerBatch, LearnerFormats
from rlcores.cores.learner.layout import MOMENT, SQUARES, TARGET
from rlcores.cores.learner.shape import LearnerShape, ceil_div
from rlcores.cores.learner.state import sizes_of
from rlcores.errors import CoreWarning, UserError

SIZES = (3, 5, 2)
# Five numbers of a state take two words of four.
CRITIC, ACTOR = (7, 8, 6, 1), (5, 8, 6, 2)


def transitions(rng, count: int, states: int = 3, actions: int = 2, *, box: bool = False) -> LearnerBatch:
    chosen = rng.uniform(-1, 1, (count, actions)) if box else rng.integers(0, actions, count)
    before, after = rng.normal(size=(2, count, states))
    return LearnerBatch(before, chosen, rng.normal(size=count), after, rng.random(count) < 0.2, rng.random(count))


def arrays(batch: LearnerBatch) -> list:
    return [getattr(batch, field.name) for field in dataclasses.fields(batch)]


def random_state(rng, sizes, scale: float = 1.0) -> dict[str, np.ndarray]:
    state = {}
    for layer, (m, n) in enumerate(pairwise(sizes)):
        state[f"{2 * layer}.weight"] = rng.uniform(-scale, scale, (n, m))
        state[f"{2 * layer}.bias"] = rng.uniform(-scale, scale, n)
    return state


def same_states(state, expected) -> bool:
    return list(state) == list(expected) and all(np.array_equal(state[n], expected[n]) for n in state)


def all_states(learner: Learner) -> dict:
    return {f"{net} {n}": x.tolist() for net in learner.networks for n, x in learner.weights(net).items()}


def float_twin(learner: Learner, settings: FloatSettings):
    """The float64 learner with the same weights."""
    ddpg = "actor" in learner.networks
    if ddpg:
        twin = FloatDdpgLearner(CRITIC, ACTOR, settings, dtype=np.float64)
        pairs = (("network", twin.network), ("actor", twin.actor))
    else:
        twin = FloatValueLearner(SIZES, settings, dtype=np.float64)
        pairs = (("network", twin.network),)
    for name, network in pairs:
        state = learner.weights(name)
        for layer, (w, b) in enumerate(zip(network.weights, network.biases, strict=True)):
            w[:], b[:] = state[f"{2 * layer}.weight"], state[f"{2 * layer}.bias"]
    twin._target.copy()
    if ddpg:
        twin._actor_target.copy()
    return twin


def test_the_rtl_does_every_step_as_the_model_does(seed):
    rng = np.random.default_rng(seed)
    options = {"optimiser": "adamw", "batch_max": 24}
    pair = [Learner(SIZES, backend=b, **options, seed=3, target_update_interval=3) for b in ("model", "rtl")]
    assert pair[1].hyper["weight_decay"] == 0.01 and CORES["dqn"] == small_parameters(SIZES, **options)
    for step in range(1, 13):
        batch = transitions(rng, int(rng.integers(1, 25)))
        if step == 6:
            for learner in pair:
                learner.set(gamma=0.5, learning_rate=1e-2, huber=None, double=True)
        priorities = [learner.step(*arrays(batch)) for learner in pair]
        assert priorities[0].shape == (len(batch),) and np.array_equal(*priorities), step
        states = rng.normal(size=(5, 3))
        assert np.array_equal(*(learner.values(states) for learner in pair))
    assert all_states(pair[0]) == all_states(pair[1])
    moments = [learner.driver.read(plane) for learner in pair for plane in (MOMENT, SQUARES)]
    assert str(moments[:2]) == str(moments[2:]) and np.any(moments[0][0][0])
    assert [learner.steps for learner in pair] == [12, 12]
    state = random_state(rng, SIZES)
    for learner in pair:
        learner.load_weights(state)
        learner.reset_optimiser()
    batch = transitions(rng, 7)
    assert np.array_equal(*(learner.step(batch) for learner in pair))
    assert all_states(pair[0]) == all_states(pair[1])


@pytest.mark.parametrize("optimiser", ["adam", "momentum", "sgd"])
def test_it_learns_what_the_float_learner_learns(optimiser, seed):
    rng = np.random.default_rng(seed)
    rate = {"adam": 1e-3, "momentum": 1e-2, "sgd": 1e-1}[optimiser]
    learner = Learner(
        SIZES, optimiser=optimiser, learning_rate=rate, target_update_interval=10, seed=seed % 1000, double=True
    )
    first = all_states(learner)
    twin = float_twin(
        learner, FloatSettings(learning_rate=rate, optimiser=optimiser, target_update_interval=10, double=True)
    )
    for _ in range(60):
        batch = transitions(rng, 32)
        errors, expected = learner.step(batch), twin.step(batch)
    assert np.abs(errors - expected).max() < 0.02 * np.abs(expected).max()
    assert all_states(learner) != first and not learner.saturations()
    state = learner.weights()
    moved = max(np.abs(state["2.weight"] - np.array(first["network 2.weight"])).max(), 1e-9)
    assert np.abs(state["2.weight"] - twin.weights[1]).max() < 0.1 * moved


def test_ddpg_learns_what_the_float_learner_learns(seed):
    rng = np.random.default_rng(seed)
    hyper = {
        "learning_rate": 1e-3,
        "actor_learning_rate": 1e-3,
        "tau": 0.05,
        "target_update_interval": 1,
        "huber": None,
    }
    learner = Learner(CRITIC, actor=ACTOR, **hyper)
    for name, sizes in (("network", CRITIC), ("actor", ACTOR)):
        learner.load_weights(random_state(rng, sizes, 0.5), name)
    twin = float_twin(learner, FloatSettings(**hyper))
    # The core keeps state and action in whole words; the weights between them are nobody's.
    assert learner.shape.value.sizes[0] == 8 + 2
    first = all_states(learner)
    for _ in range(40):
        batch = transitions(rng, 32, 5, box=True)
        errors, expected = learner.step(batch), twin.step(batch)
    assert np.abs(errors - expected).max() < 0.03 * np.abs(expected).max()
    states = rng.normal(size=(20, 5))
    assert np.abs(learner.act(states) - twin.actions(states)).max() < 0.02
    values = learner.values(states, learner.act(states))
    x = np.concatenate([states, learner.act(states)], axis=1)
    assert values.shape == (20, 1) and np.abs(values - twin.network.output(x)).max() < 0.03
    assert all(all_states(learner)[name] != weights for name, weights in first.items() if "weight" in name)


def test_adams_first_step_is_as_long_as_the_rate(seed):
    # Without bias correction it would be a tenth of it times a root of thousand.
    learner = Learner(SIZES, learning_rate=1e-3, huber=None, seed=seed % 1000)
    before = learner.weights()["2.bias"]
    batch = transitions(np.random.default_rng(seed), 64)
    batch.rewards[:] = 5
    learner.step(batch)
    moved = np.abs(learner.weights()["2.bias"] - before)
    assert np.allclose(moved, 1e-3, rtol=0.01)


@pytest.mark.parametrize("scale", [1.0, 16.0])
def test_weights_come_back_exactly_under_the_names_of_a_sequential(scale, seed):
    rng = np.random.default_rng(seed)
    learner = Learner(CRITIC, actor=ACTOR, tau=0.01)
    assert learner.networks == ("network", "target", "actor", "actor_target")
    for network, sizes in zip(learner.networks, (CRITIC, CRITIC, ACTOR, ACTOR), strict=True):
        state = random_state(rng, sizes, scale * (1 - 2**-20))
        learner.load_weights(state, network, target=False)
        weights = learner.weights(network)
        assert list(weights) == ["0.weight", "0.bias", "2.weight", "2.bias", "4.weight", "4.bias"]
        # The targets are averages, with nine bits more.
        step = 2.0**-31 if network.endswith("target") else 2.0**-22
        for name, x in state.items():
            assert weights[name].shape == x.shape and np.abs(weights[name] - x).max() <= step / 2, name
        learner.load_weights(weights, network, target=False)
        assert same_states(learner.weights(network), weights)


def test_loading_a_network_loads_its_target_unless_told_otherwise(seed):
    rng = np.random.default_rng(seed)
    learner = Learner(SIZES)
    assert same_states(learner.weights("target"), learner.weights())
    known = learner.weights()
    learner.load_weights(random_state(rng, SIZES), target=False)
    assert same_states(learner.weights("target"), known) and not same_states(learner.weights(), known)
    learner.load_weights(random_state(rng, SIZES))
    assert same_states(learner.weights("target"), learner.weights())
    last = learner.weights()
    learner.load_weights(known, "target")
    assert same_states(learner.weights("target"), known) and same_states(learner.weights(), last)


def test_the_target_follows_every_so_many_steps(seed):
    rng = np.random.default_rng(seed)
    learner = Learner(SIZES, target_update_interval=4)
    known = learner.weights("target")
    for step in range(1, 9):
        learner.step(transitions(rng, 8))
        if step % 4 == 0:
            assert same_states(learner.weights("target"), learner.weights())
            known = learner.weights()
        assert same_states(learner.weights("target"), known), step


# --- PyTorch ---


class Linear:
    """As torch.nn.Linear, as far as its sizes go."""

    def __init__(self, inputs: int, outputs: int, bias: bool = True) -> None:
        self.in_features, self.out_features, self.bias = inputs, outputs, [0.0] if bias else None


ReLU, Tanh, Sigmoid = (type(name, (), {}) for name in ("ReLU", "Tanh", "Sigmoid"))


def test_a_sequential_says_its_sizes():
    assert sizes_of([Linear(4, 8), ReLU(), Linear(8, 2)], "network") == (4, 8, 2)
    assert sizes_of([Linear(4, 2)], "network") == (4, 2)
    assert sizes_of([Linear(4, 8), ReLU(), Linear(8, 2), Tanh()], "actor", last="Tanh") == (4, 8, 2)
    assert sizes_of([4, np.int64(8), 2], "network") == (4, 8, 2)


@pytest.mark.parametrize(
    ("modules", "last", "text"),
    [
        ([Linear(4, 8), Tanh(), Linear(8, 2)], None, "the net is Linear, Tanh, Linear; it must be Linear with ReLU"),
        ([Linear(4, 8), Linear(8, 2)], None, "the net is Linear, Linear; it must be"),
        ([Linear(4, 8), ReLU()], None, "the net is Linear, ReLU; it must be"),
        ([Linear(4, 8), ReLU(), Linear(8, 2)], "Tanh", "and a Tanh at the end"),
        ([Linear(4, 8), ReLU(), Linear(8, 2), Sigmoid()], "Tanh", "and a Tanh at the end"),
        ([Linear(4, 8), ReLU(), Linear(9, 2)], None, "a Linear of 8 outputs before one of 9 inputs"),
        ([Linear(4, 8), ReLU(), Linear(8, 2, bias=False)], None, "a Linear of the net has no bias"),
        ([Linear(4, 1025), ReLU(), Linear(1025, 2)], None, "size 1025; it must be a whole number, 1 to 1024"),
        ((4, 0, 2), None, "size 0; it must be a whole number, 1 to 1024"),
        ((4, 8.0, 2), None, "size 8.0; it must be a whole number"),
        ((4,), None, "the net has 1 layers of neurons; it must have 2 to 5"),
        ((4, 4, 4, 4, 4, 4), None, "the net has 6 layers of neurons; it must have 2 to 5"),
        (7, None, "the net is 7; give its sizes"),
        ((), None, r"the net is \(\); give its sizes"),
    ],
)
def test_a_network_that_the_core_cannot_be_is_refused(modules, last, text):
    with pytest.raises(UserError, match=text):
        sizes_of(modules, "net", last)


def test_weights_go_to_and_from_pytorch(seed):
    torch = pytest.importorskip("torch")
    torch.manual_seed(seed)
    nn = torch.nn
    model = nn.Sequential(nn.Linear(3, 5), nn.ReLU(), nn.Linear(5, 2))
    learner = Learner(model)
    states = torch.randn(20, 3)
    with torch.no_grad():
        assert np.abs(learner.values(states.numpy()) - model(states).numpy()).max() < 1e-2
    for _ in range(5):
        learner.step(transitions(np.random.default_rng(seed), 16))
    other = nn.Sequential(nn.Linear(3, 5), nn.ReLU(), nn.Linear(5, 2))
    other.load_state_dict(learner.weights())
    with torch.no_grad():
        assert np.abs(learner.values(states.numpy()) - other(states).numpy()).max() < 1e-2
    actor = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 6), nn.ReLU(), nn.Linear(6, 2), nn.Tanh())
    ddpg = Learner(CRITIC, actor=actor)
    with torch.no_grad():
        states = torch.randn(20, 5)
        assert np.abs(ddpg.act(states.numpy()) - actor(states).numpy()).max() < 1e-2
    actor.load_state_dict(ddpg.weights("actor_target"))


def test_a_state_is_made_of_tensors_where_the_program_has_pytorch(monkeypatch):
    class Torch:
        @staticmethod
        def from_numpy(x):
            return "tensor", x.shape

    learner = Learner(SIZES)
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    assert isinstance(learner.weights()["0.weight"], np.ndarray)
    monkeypatch.setitem(sys.modules, "torch", Torch)
    assert learner.weights()["0.weight"] == ("tensor", (5, 3))


# --- wrong input ---


def changed(state: dict, name: str, value) -> dict:
    return {**state, name: value}


def spoilt(x: np.ndarray, value: float) -> np.ndarray:
    x = x.copy()
    x.flat[3] = value
    return x


@pytest.mark.parametrize("backend", ["native", "model", "rtl"])
def test_wrong_weights_are_one_sentence_and_change_nothing(backend, seed):
    rng = np.random.default_rng(seed)
    learner = Learner(SIZES, backend=backend, batch_max=24)
    state = random_state(rng, SIZES)
    w = state["0.weight"]
    known = all_states(learner)
    wrong = {
        "'0.weight' of the network holds nan; weights are": changed(state, "0.weight", spoilt(w, np.nan)),
        "'0.weight' of the network holds -inf; weights": changed(state, "0.weight", spoilt(w, -np.inf)),
        r"'0.weight' of the network holds 16; sfix\(27,22\) goes from -16 to 15.99": changed(
            state, "0.weight", spoilt(w, 16.0)
        ),
        "'0.weight' of the network holds -16.5; sfix": changed(state, "0.weight", spoilt(w, -16.5)),
        r"'0.weight' of the network has shape \(3, 5\); this network's is \(5, 3\)": changed(state, "0.weight", w.T),
        r"'2.bias' of the network has shape \(3,\)": changed(state, "2.bias", np.zeros(3)),
        "'2.bias' of the network is not an array of numbers": changed(state, "2.bias", ["a", "b"]),
        "have no '2.bias'; its sizes are 3-5-2": {n: x for n, x in state.items() if n != "2.bias"},
        "have a '4.weight', but its sizes are 3-5-2": changed(state, "4.weight", w),
    }
    for text, bad in wrong.items():
        with pytest.raises(UserError, match=text):
            learner.load_weights(bad)
        assert all_states(learner) == known, text
    for network in ("actor", "critic"):
        with pytest.raises(UserError, match=f"there is no network '{network}'; networks: network, target"):
            learner.load_weights(state, network)
    # The ends of the range are in it.
    learner.load_weights(changed(state, "0.weight", np.full((5, 3), -16.0)))
    assert learner.weights()["0.weight"].tolist() == np.full((5, 3), -16.0).tolist()


def cut(batch: LearnerBatch, **fields) -> LearnerBatch:
    return dataclasses.replace(batch, **fields)


def test_a_wrong_batch_is_one_sentence_and_changes_nothing(seed):
    rng = np.random.default_rng(seed)
    learner = Learner(SIZES, batch_max=24)
    known, good = all_states(learner), transitions(rng, 6)
    wrong = {
        "the batch has 0 transitions; this learner takes 1 to 24": transitions(rng, 0),
        "the batch has 25 transitions; this learner takes 1 to 24": transitions(rng, 25),
        r"the states have shape \(6, 4\)": cut(good, states=np.zeros((6, 4))),
        r"the next states have shape \(5, 3\)": cut(good, next_states=np.zeros((5, 3))),
        r"actions has shape \(6, 2\)": cut(good, actions=np.zeros((6, 2))),
        "an action is 2; this network has 0 to 1": cut(good, actions=np.full(6, 2)),
        "an action is 0.5": cut(good, actions=np.full(6, 0.5)),
        "a reward is nan": cut(good, rewards=np.full(6, math.nan)),
        "a reward is 2000; sfix": cut(good, rewards=np.full(6, 2000.0)),
        "a state is inf": cut(good, states=np.full((6, 3), math.inf)),
        "an importance weight is 1.5; it must be 0 to 1": cut(good, weights=np.full(6, 1.5)),
        r"weights has shape \(5,\)": cut(good, weights=np.ones(5)),
    }
    for text, bad in wrong.items():
        with pytest.raises(UserError, match=text):
            learner.step(bad)
        with pytest.raises(UserError, match=text):
            learner.step(*arrays(bad))
        assert all_states(learner) == known and learner.steps == 0, text
    with pytest.raises(UserError, match="rewards is missing"):
        learner.step(good.states, good.actions)
    with pytest.raises(UserError, match=r"rewards has shape \(6, 1\)"):
        learner.step(good.states, good.actions, good.rewards[:, None], good.next_states, good.terminated)
    # Without importance weights they are all 1.
    learner.step(*arrays(good)[:5])
    assert all_states(learner) != known


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"backend": "gpu"}, "backend is 'gpu'; it must be 'native' or 'model' or 'rtl'"),
        ({"optimiser": "rmsprop"}, "optimiser is 'rmsprop'; it must be one of sgd, momentum, adam"),
        ({"rounding": "up"}, "rounding is 'up'; it must be one of nearest, floor, stochastic"),
        ({"batch_max": 0}, "batch_max is 0; it must be 1 to 16384"),
        ({"seed": -1}, "seed is -1; it must be 0 to 4294967295"),
        ({"seed": 1.5}, "seed is 1.5; it must be a whole number"),
        ({"gama": 0.9}, "there is no setting 'gama'; did you mean 'gamma'; settings: gamma, reward_scale"),
        ({"gamma": 1.01}, "gamma is 1.01; it must be 0 to 1"),
        ({"gamma": math.nan}, "gamma is nan; it must be a finite number"),
        ({"gamma": 1e-7}, "gamma is 1e-07; the core has 0, or 7.63e-06 and more"),
        ({"reward_scale": 1e-6}, "reward_scale is 1e-06; the core has 0, or 7.63e-06 and more"),
        ({"tau": 1e-6}, "tau is 1e-06; the core has 0, or 7.63e-06 and more"),
        ({"tau": 2.0}, "tau is 2.0; it must be 0 to 1"),
        ({"optimiser": "momentum", "momentum": 1.5}, "momentum is 1.5; it must be 0 to 1"),
        ({"huber": 0.0}, "huber is 0.0; it must be above 0"),
        ({"huber": -1.0}, "huber is -1.0; it must be above 0"),
        ({"huber": 1e-9}, "huber is 1e-09; the core has 0, or"),
        ({"adam_epsilon": -1.0}, "adam_epsilon is -1.0; it must be 0 or more"),
        ({"learning_rate": -1.0}, "the learning rate is -1.0; it must be a number of 0 or more"),
        ({"target_update_interval": -1}, "target_update_interval is -1; the register holds 0 to"),
        (
            {"actor": (3, 8, 2)},
            "takes 3 numbers and gives 2; an actor of 3 states and 2 actions needs 5 and 1",
        ),
        ({"actor": (3, 8)}, "the critic takes 3 numbers and gives 2"),
        ({"config": "u200"}, "the core is built for 4-64-64-2; the networks are 3-5-2"),
        ({"config": "none"}, "core 'learner' has no configuration 'none'"),
        ({"config": {}}, "the core is built for"),
        ({"config": {"LANE": "1"}}, "core 'learner' has no Verilog parameter 'LANE'; parameters: "),
        ({"config": {"DP": 0}}, "DP is 0; it must be 1 to"),
        ({"formats": LearnerFormats.default(3)}, "the formats are of 3 weight layers"),
        ({"formats": DdpgFormats.default(2, 2)}, "formats is of type DdpgFormats; these networks need LearnerFormats"),
    ],
)
def test_wrong_arguments_are_one_sentence(arguments, text):
    with pytest.raises(UserError, match=text) as caught:
        Learner(SIZES, **arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("rate", "rounding", "said"), [(1e-9, "nearest", 1), (1e-9, "stochastic", 0), (1e-6, "nearest", 0)]
)
def test_a_rate_that_moves_no_weight_is_a_warning(rate: float, rounding: str, said: int) -> None:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always", CoreWarning)
        learner = Learner(SIZES, learning_rate=rate, rounding=rounding, seed=1)
        learner.step(*arrays(transitions(np.random.default_rng(1), 6)))
    assert sum("a weight, in steps of" in str(one.message) for one in warned) == said


def test_settings_that_do_not_fit_leave_the_old_ones(seed):
    rng = np.random.default_rng(seed)
    pair = [Learner(SIZES, seed=1) for _ in range(2)]
    for wrong in ({"gamma": 2.0}, {"learning_rate": -1.0}, {"huber": 1e9}, {"unknown": 1}, {"tau": 0.5}):
        with pytest.raises(UserError):
            pair[0].set(**wrong)
    batch = transitions(rng, 9)
    assert np.array_equal(*(learner.step(batch) for learner in pair))
    assert all_states(pair[0]) == all_states(pair[1])


def test_numbers_that_do_not_fit_are_counted_by_stage(seed):
    rng = np.random.default_rng(seed)
    learner = Learner(SIZES)
    batch = transitions(rng, 10)
    assert learner.saturations() == {}
    learner.step(cut(batch, states=batch.states * 1e3))
    counts = learner.saturations()
    # Inputs hold up to 32.
    assert counts["SAT_IN"] == int((np.abs(batch.states * 1e3) >= 32).sum())
    learner.clear_saturations()
    assert learner.saturations() == {}


def test_the_parameters_for_a_network_are_a_core_that_can_be_built():
    for network, actor in (
        ((4, 64, 64, 2), None),
        ((1, 1), None),
        ((5, 7, 1), (3, 9, 2)),
        ((4, 64, 64, 1), (3, 64, 64, 1)),
    ):
        shape = LearnerShape.of(small_parameters(network, actor, polyak=True))
        assert shape.value.sizes[1:] == network[1:] and (shape.actor.sizes if actor else None) == actor


@pytest.mark.parametrize("hidden", range(1, 20))
def test_the_lanes_for_a_small_network_are_legal_ones_of_a_policy_that_acts_with_it(hidden: int) -> None:
    for ends in range(1, 7):
        sizes = (ends, hidden, ends)
        for actor in (None, (ends, 6, hidden, 1)):
            shape = LearnerShape.of(small_parameters((ends + 1, 4, 1) if actor else sizes, actor))
            acting = shape.actor or shape.value
            assert acting.lanes[-1] <= acting.words[-2]
            # And no narrower than that.
            assert acting.lanes[-2] == min(4, hidden) or ceil_div(hidden, acting.lanes[-2] + 1) < acting.lanes[-1]


def test_a_configuration_of_the_library_may_be_named():
    learner = Learner((5, 7, 6, 3), config="small2", tau=0.1)
    assert learner.shape.columns == 2 and learner.shape.polyak
    with pytest.raises(UserError, match="tau is not 0, but the core was built without averaging"):
        Learner((3, 4, 2), config="tiny", tau=0.1)
    assert learner.driver.read(TARGET)


@pytest.mark.parametrize("backend", ["native", "model", pytest.param("rtl", marks=pytest.mark.slow)])
@pytest.mark.parametrize("optimiser", ["adam", "momentum"])
@pytest.mark.parametrize("rounding", ["nearest", "stochastic"])
def test_a_state_goes_on_identically(backend: str, optimiser: str, rounding: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    options = {"backend": backend, "optimiser": optimiser, "rounding": rounding, "batch_max": 8}
    one = Learner(SIZES, target_update_interval=4, learning_rate=1e-2, seed=5, **options)
    other = Learner(SIZES, target_update_interval=9, seed=6, **options)
    count = int(rng.integers(1, 12))
    for learner, steps in ((one, count), (other, 2)):
        for _ in range(steps):
            learner.step(transitions(rng, 8))
    kept = one.state_dict()
    other.load_state_dict(kept)
    assert other.steps == one.steps == count and all_states(one) == all_states(other)
    for _ in range(9):
        batch = transitions(rng, 8)
        assert one.step(batch).tolist() == other.step(batch).tolist()
        assert all_states(one) == all_states(other)
    # Loaded once more, by the learner that has gone on.
    one.load_state_dict(kept)
    assert one.steps == count and one.hyper["target_update_interval"] == 4


def test_a_state_of_other_networks_changes_nothing(seed: int) -> None:
    learner = Learner(SIZES, seed=seed % 1000)
    known = all_states(learner)
    for wrong, sentence in (
        (Learner((SIZES[0], 3, SIZES[-1])).state_dict(), "the state is that of a learner with network"),
        ({k: v for k, v in learner.state_dict().items() if k != "updates"}, "has no entry 'updates'"),
        (learner.state_dict() | {"network.target": np.zeros(3)}, "is damaged: 'network.target' has shape"),
        (learner.state_dict() | {"seed": np.array(-1)}, "is damaged: 'seed' holds numbers"),
    ):
        with pytest.raises(UserError, match=sentence):
            learner.load_state_dict(wrong)
        assert all_states(learner) == known
