"""The native learner gives the model's integers in every public call, on every instruction set."""

import contextlib
import copy
import pickle
import threading
import warnings

import numpy as np
import pytest

from rlcores import Learner
from rlcores.cores.learner.format import DdpgFormats, LearnerFormats
from rlcores.cores.learner.native import LearnerNativeDriver
from rlcores.cores.learner.network import NetworkModel
from rlcores.cores.learner.optimisers import ADAM, ALL, OPTIMISERS
from rlcores.cores.learner.optimisers.slot import ROUNDINGS
from rlcores.cores.learner.parameters import small_parameters
from rlcores.cores.learner.records import Records
from rlcores.errors import CoreWarning, UserError
from rlcores.native import engine

SIZES = [(3, 5), (4, 16, 8, 2), (7, 70, 33, 9, 4), (4, 64, 64, 2), (9, 130, 3)]


pytestmark = pytest.mark.usefixtures("isa")


def pair(*network, **options) -> tuple[Learner, Learner]:
    return tuple(Learner(*network, backend=backend, **options) for backend in ("native", "model"))


def transitions(rng: np.random.Generator, count: int, states: int, actions: int, scale: float = 1.0, ddpg=False):
    """`scale` beyond 1: what saturates in every stage."""
    chosen = rng.uniform(-1, 1, (count, actions)) if ddpg else rng.integers(0, actions, count)
    return (
        rng.normal(size=(count, states)) * scale,
        chosen,
        np.clip(rng.normal(size=count) * scale, -900, 900),
        rng.normal(size=(count, states)) * scale,
        rng.random(count) < 0.1,
        rng.random(count) if rng.random() < 0.5 else None,
    )


def same(learners: tuple[Learner, Learner]) -> None:
    """All that a core holds, and what it counted."""
    one, other = (learner.driver for learner in learners)
    assert (one.counters() == other.counters()).all()
    states = [learner.state_dict() for learner in learners]
    assert all(np.array_equal(states[0][name], states[1][name], equal_nan=True) for name in states[1])
    assert list(states[0]) == list(states[1])


def stepped(learners: tuple[Learner, Learner], batch: tuple) -> None:
    results = []
    for learner in learners:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", CoreWarning)
            results.append((learner.step(*batch).tobytes(), [str(w.message) for w in caught]))
    assert results[0] == results[1]


@pytest.mark.parametrize("optimiser", OPTIMISERS)
@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_every_step_is_the_models(optimiser, rounding, seed):
    rng = np.random.default_rng(seed)
    sizes = SIZES[rng.integers(len(SIZES))]
    both = pair(
        sizes,
        optimiser=optimiser,
        rounding=rounding,
        batch_max=64,
        seed=seed % 1000,
        tau=float(rng.choice([0, 0.01])),
        learning_rate=float(rng.choice([1e-3, 0.3])),
        target_update_interval=3,
    )
    assert isinstance(both[0].driver, LearnerNativeDriver)
    for step in range(6):
        if step == 3:
            for learner in both:
                learner.set(gamma=0.5, learning_rate=1e-2, huber=None, double=True)
        scale = float(rng.choice([1, 1, 30, 1000]))
        stepped(both, transitions(rng, int(rng.integers(1, 65)), sizes[0], sizes[-1], scale))
        states = rng.normal(size=(9, sizes[0])) * 3
        assert both[0].values(states).tobytes() == both[1].values(states).tobytes()
        assert both[0].act(states).tobytes() == both[1].act(states).tobytes()
    same(both)
    for learner in both:
        learner.reset_optimiser()
        learner.load_weights(both[1].weights())
    stepped(both, transitions(rng, 33, sizes[0], sizes[-1]))
    same(both)


@pytest.mark.parametrize("sizes", [(4, 1024, 2), (1023, 40, 1024, 3)])
def test_every_step_of_the_largest_layers_is_the_models(sizes, seed):
    rng = np.random.default_rng(seed)
    both = pair(sizes, batch_max=16, seed=1, learning_rate=1e-3, target_update_interval=2)
    for scale in (1.0, 30.0, 1000.0):
        stepped(both, transitions(rng, 16, sizes[0], sizes[-1], scale))
    same(both)


@pytest.mark.parametrize("batch", [8191, 8192, 16384])
@pytest.mark.parametrize("scale", [1.0, 1000.0])
def test_every_step_of_the_largest_batches_is_the_models(batch, scale, seed):
    rng = np.random.default_rng(seed)
    both = pair((3, 8, 2), batch_max=batch, seed=1, target_update_interval=2)
    for count in (batch, batch - 1):
        stepped(both, transitions(rng, count, 3, 2, scale))
    same(both)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_gradient_of_16384_of_the_largest_products_is_the_models(sign):
    both = pair((1, 2), formats=LearnerFormats((12, 16), (0, 16), (0, 0)), batch_max=16384, huber=None, optimiser="sgd")
    states, zeros = np.full((16384, 1), -32.0), np.zeros(16384, int)
    stepped(both, (states, zeros, np.full(16384, sign * 900.0), states, zeros == 1, None))
    assert abs(both[1].driver.model.gradient).max() >= 2**20 - 8
    same(both)


@pytest.mark.parametrize("turned", [0, 1, 511, 512])
def test_a_sum_of_1024_of_the_largest_products_keeps_its_last_bit(turned):
    """Every product is 2**43, but for those of `turned` inputs, which are about -2**43: the sum reaches 2**53."""
    both = pair((1024, 2), formats=LearnerFormats((12, 16), (0, 16), (0, 18)), batch_max=1)
    states, bias = np.full((1, 1024), -32.0), 5 / 2**12
    states[0, :turned] = 32 - 2**-12
    exact = (1024 - turned) * 2**43 - turned * (2**17 - 1) * 2**26 + (round(bias * 2**22) << 12)
    wrapped = (exact + 2**47) % 2**48 - 2**47
    for learner in both:
        learner.load_weights({"0.weight": np.full((2, 1024), -16.0), "0.bias": np.full(2, bias)})
        expected = np.clip((wrapped + 2**17) >> 18, -(2**26), 2**26 - 1) / 2**16
        assert learner.values(states).tolist() == [[expected] * 2]


DDPG_SIZES = [
    ((5, 20, 12, 1), (3, 17, 2)),
    ((5, 9, 1), (4, 1)),
    ((23, 70, 33, 1), (17, 40, 9, 6)),
    ((3, 8, 8, 8, 1), (1, 5, 2)),
]


@pytest.mark.parametrize("optimiser", OPTIMISERS)
@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_every_step_of_ddpg_is_the_models(optimiser, rounding, seed):
    rng = np.random.default_rng(seed)
    critic, actor = DDPG_SIZES[rng.integers(len(DDPG_SIZES))]
    both = pair(
        critic,
        actor=actor,
        optimiser=optimiser,
        rounding=rounding,
        batch_max=32,
        seed=seed % 1000,
        tau=float(rng.choice([0, 0.01])),
        target_update_interval=2,
        learning_rate=float(rng.choice([1e-3, 0.1])),
        actor_learning_rate=float(rng.choice([1e-3, 0.1])),
    )
    for step in range(6):
        if step == 3:
            for learner in both:
                learner.set(lag=False, huber=None)
        scale = float(rng.choice([1, 1, 30, 1000]))
        stepped(both, transitions(rng, int(rng.integers(1, 33)), actor[0], actor[-1], scale, ddpg=True))
        states, actions = rng.normal(size=(5, actor[0])) * 3, rng.uniform(-1, 1, (5, actor[-1]))
        assert both[0].act(states).tobytes() == both[1].act(states).tobytes()
        assert both[0].values(states, actions).tobytes() == both[1].values(states, actions).tobytes()
        for name in ("gradient", "actor_gradient", "td"):
            np.testing.assert_array_equal(*(getattr(learner.driver.model, name) for learner in both))
    same(both)


def test_the_engine_itself_computes_what_fits(monkeypatch, seed):
    """Otherwise the tests here would compare the model with itself."""

    def model(*_, **__):
        raise AssertionError("the model computes")

    for stage in ("forward", "backward", "through", "gradient"):
        monkeypatch.setattr(NetworkModel, stage, model)
    monkeypatch.setattr(type(ALL[ADAM]), "step", model)
    rng = np.random.default_rng(seed)
    for options, actions in ({"network": (4, 9, 3)}, 3), ({"network": (6, 9, 1), "actor": (4, 8, 2)}, 2):
        learner = Learner(**options, huber=1.0)
        batch = transitions(rng, 20, 4, actions, ddpg="actor" in options)
        learner.step(*batch)
        learner.values(batch[0], *batch[1:2] if "actor" in options else ())
        learner.act(batch[0])
        assert learner.steps == 1


@pytest.mark.parametrize("lag", [True, False])
def test_ddpg_of_batch_slices_and_records_that_train_nothing_is_the_models(lag, seed):
    rng = np.random.default_rng(seed)
    parameters = small_parameters((5, 9, 7, 1), (3, 8, 2), batch_max=8) | {"DP": 4}
    both = pair((5, 9, 7, 1), actor=(3, 8, 2), config=parameters, lag=lag)
    for count in (1, 3, 4, 7):
        for last in (False, True):
            for learner in both:
                learner.configure(count)
            valid = rng.random(count) < 0.6
            valid[-1] = last
            codes = rng.integers(-(2**18), 2**18, (2, count, 3))
            records = Records(
                codes[0],
                rng.integers(-(2**18), 2**18, (count, 2)),
                rng.integers(-(2**26), 2**26, count) * 2,
                codes[1],
                rng.random(count) < 0.5,
                rng.integers(0, 2**18, count),
                None if last and rng.random() < 0.5 else valid,
            )
            errors = [learner.driver.step(records) for learner in both]
            assert errors[0].tolist() == errors[1].tolist()
            same(both)


def test_ddpg_beyond_the_accumulators_is_the_models(seed):
    """Fractions with which a bias wraps, and weights as large as they go, in critic and actor."""
    rng = np.random.default_rng(seed)
    for fraction in (0, 12, 16):
        value = LearnerFormats((fraction, 22, 16), (0, 12, 16), (0, 12, 12))
        actor = LearnerFormats((fraction, 0, 14), (0, 12, 16), (0, 12, 12))
        formats = DdpgFormats(value, actor, (14, 12, 14))
        both = pair((8, 60, 1), actor=(6, 50, 2), formats=formats, batch_max=16, seed=1)
        for name in ("network", "actor"):
            state = {key: np.clip(w * 1e4, -15.9, 15.9) for key, w in both[0].weights(name).items()}
            for learner in both:
                learner.load_weights(state, name)
        for scale in (1.0, 1e4, 1e6):
            stepped(both, transitions(rng, 16, 6, 2, scale, ddpg=True))
        same(both)


@pytest.mark.parametrize("backend", ["model", "native"])
def test_no_states_have_no_values(backend):
    plain = Learner((4, 9, 3), backend=backend)
    assert plain.values(np.zeros((0, 4))).shape == (0, 3)
    assert plain.act(np.zeros((0, 4))).shape == (0,)
    ddpg = Learner((6, 9, 1), actor=(4, 8, 2), backend=backend)
    assert ddpg.values(np.zeros((0, 4)), np.zeros((0, 2))).shape == (0, 1)
    assert ddpg.act(np.zeros((0, 4))).shape == (0, 2)


@pytest.mark.parametrize("optimiser", OPTIMISERS)
@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_a_parameter_that_saturates_in_the_update_and_in_the_average_counts_once(optimiser, rounding):
    hyper = {"target_update_interval": 1, "tau": 0.5, "learning_rate": 0.5, "huber": None}
    both = pair((1, 3), optimiser=optimiser, rounding=rounding, batch_max=4, **hyper)
    largest, least = (2**26 - 1) / 2**22, -16.0
    for learner in both:
        learner.load_weights({"0.weight": np.full((3, 1), largest), "0.bias": np.zeros(3)})
        learner.load_weights({"0.weight": np.full((3, 1), least), "0.bias": np.zeros(3)}, "target")
    states = np.ones((4, 1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CoreWarning)
        for learner in both:
            learner.step(states, np.zeros(4, int), np.full(4, 100.0), states, np.ones(4, bool))
    # Of three weights all are too far from their target's, and one is pushed as well.
    assert [learner.saturations()["SAT0_WEIGHT1"] for learner in both] == [3, 3]
    same(both)


def test_sums_beyond_the_accumulators_are_the_models(seed):
    """Weights and states as large as they go, fractions with which a bias wraps: the core wraps at 48 bits."""
    rng = np.random.default_rng(seed)
    sizes = 8, 100, 3
    for fractions in ((0, 0, 16), (24, 20, 16)):
        formats = LearnerFormats(fractions, (0, 12, 16), (0, 12, 12))
        both = pair(sizes, formats=formats, batch_max=16, seed=1)
        state = {name: np.clip(w * 1e3, -15.9, 15.9) for name, w in both[0].weights().items()}
        for learner in both:
            learner.load_weights(state)
        for scale in (1.0, 1e4, 1e6):
            stepped(both, transitions(rng, 16, sizes[0], sizes[-1], scale))
            values = [learner.values(np.full((2, sizes[0]), scale)) for learner in both]
            assert values[0].tobytes() == values[1].tobytes()
        same(both)


@pytest.mark.parametrize("sizes", [(1, 3), (80, 90, 3), (3, 40, 70, 5), (2, 9, 8, 7, 2)])
def test_numbers_at_the_ends_of_16_bits_are_the_models(sizes, seed):
    """Small numbers go a quicker way, whose sums have 32 bits: what just fits, and what just does not."""
    rng = np.random.default_rng(seed)

    def codes(shape, *most):
        signs = rng.choice([-1, 1], shape) if rng.random() < 0.3 else rng.choice([-1, 1])
        near_ends = rng.choice(most) - rng.integers(0, 2, shape) * rng.integers(0, 2)
        return near_ends * signs * (rng.random(shape) < rng.choice([0.1, 1]))

    def weights(like):
        return {name: codes(w.shape, 2048, 2**15, 2**22, 2**23, 2**26 - 1) / 2**22 for name, w in like.items()}

    for _ in range(5):
        ends = (9, 15), (12, 18), (8, 17)
        act, delta, grad = (tuple(int(f) for f in rng.integers(*e, len(sizes) - 1)) for e in ends)
        formats = LearnerFormats((*act, 16), (0, *delta), (0, *grad))
        batch = int(rng.choice([5, 300]))
        both = pair(sizes, formats=formats, batch_max=batch, tau=float(rng.choice([0, 0.1])), huber=None)
        state, target = (weights(both[0].weights()) for _ in range(2))
        for learner in both:
            learner.load_weights(state)
            learner.load_weights(target, "target")
        for _ in range(2):
            states = codes((2, batch, sizes[0]), 100, 32767, 32768) / 2 ** act[0]
            actions = rng.integers(0, sizes[-1], batch) * rng.integers(0, 2)
            rewards = codes(batch, 1, 900)
            stepped(both, (states[0], actions, rewards.astype(float), states[1], rng.random(batch) < 0.5, None))
        same(both)


@pytest.mark.parametrize("weight", [-2048, 2047, 2**26 - 1])
@pytest.mark.parametrize("inputs", [3, 8, 32, 33])
def test_sums_about_32_bits_are_the_models(weight, inputs):
    """All products of a sum are equal and the largest there are: forward, and in a gradient of 300 rows."""
    formats = LearnerFormats((14, 16), (0, 12), (0, 8))
    both = pair((inputs, 2), formats=formats, batch_max=300, huber=None)
    for learner in both:
        learner.load_weights({"0.weight": np.full((2, inputs), weight / 2**22), "0.bias": np.ones(2)})
    states = np.full((300, inputs), 32767 / 2**14)
    for reward in (-500.0, 500.0):
        batch = states, np.zeros(300, int), np.full(300, reward), states, np.zeros(300, bool), None
        stepped(both, batch)
    same(both)


@pytest.mark.parametrize("weight", [-2048, 2**26 - 1])
@pytest.mark.parametrize("width", [4, 33, 512])
@pytest.mark.parametrize("last", [0.25 - 2**-16, 120832 / (2**17 - 1), 3.0])  # 2: the largest low piece
@pytest.mark.parametrize("frac", [16, 20])
def test_deltas_whose_sums_are_about_32_bits_are_the_models(weight, width, last, frac):
    """The same on the way back, from deltas of nearly 16 bits, of 18, and of more; the vectors are small."""
    formats = LearnerFormats((12, 12, 12, 16), (0, frac, 16, 16), (0, 18, 18, 18))
    both = pair((1, 3, width, 1), formats=formats, batch_max=4, huber=None)
    state = both[0].weights()
    fills = {"0.weight": 0, "0.bias": 2**-12, "2.weight": weight / 2**22, "2.bias": 2**-6, "4.bias": 0}
    fills["4.weight"] = last
    for learner in both:
        learner.load_weights({name: np.full(state[name].shape, float(x)) for name, x in fills.items()})
    states = np.zeros((4, 1))
    for _ in range(2):
        stepped(both, (states, np.zeros(4, int), np.full(4, -900.0), states, np.ones(4, bool), None))
    same(both)


@pytest.mark.parametrize("rows", [16, 64])
@pytest.mark.parametrize("over", [-1, 0, 1, 9])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_gradient_whose_halves_are_about_32_bits_is_the_models(rows, over, sign):
    """Half a batch of equal deltas times activations of 15 bits: together 33 bits, in each layer."""
    formats = LearnerFormats((12, 12, 16), (0, 16, 16), (0, 18, 18))
    both = pair((1, 3, 1), formats=formats, batch_max=rows, huber=None)
    most = 32767 / 2**12
    for learner in both:
        state = learner.weights()
        fills = {"0.weight": 0.0, "0.bias": most, "2.weight": 1.0, "2.bias": 0.0}
        learner.load_weights({name: np.full(state[name].shape, x) for name, x in fills.items()})
    delta = sign * (2**17 // rows + over) / 2**16
    states = np.full((rows, 1), most)
    stepped(both, (states, np.zeros(rows, int), np.full(rows, 3 * most - delta), states, np.ones(rows, bool), None))
    assert abs(both[1].driver.model.gradient).max() > 2**21
    same(both)


@pytest.mark.parametrize("number", [32767, 32768, 65536, 131071, 131072, 200000])
@pytest.mark.parametrize("width", [2, 200])
@pytest.mark.parametrize("weight", [-2048, 2047, 2**18])
def test_activations_of_15_to_18_bits_are_the_models(number, width, weight):
    """All neurons of the first layer have this number, in many rows whose deltas are the largest there are."""
    formats = LearnerFormats((12, 12, 12, 16), (0, 16, 16, 16), (0, *[18 if width == 2 else 8] * 3))
    both = pair((1, width, 3, 2), formats=formats, batch_max=150, huber=None)
    state = both[0].weights()
    fills = {"0.weight": number / 32767, "2.weight": weight / 2**22, "2.bias": 1, "4.weight": 1}
    for learner in both:
        learner.load_weights({name: np.full(x.shape, float(fills.get(name, 0))) for name, x in state.items()})
    states = np.full((150, 1), 32767 / 2**12)
    for reward in (-500.0, 500.0):
        stepped(both, (states, np.zeros(150, int), np.full(150, reward), states, np.ones(150, bool), None))
    same(both)


def test_batches_that_fill_no_batch_slice_and_records_that_train_nothing_are_the_models(seed):
    rng = np.random.default_rng(seed)
    both = pair((5, 7, 6, 3), config="small2")
    for count in (1, 3, 4):
        for last in (0, 3, -1):
            for learner in both:
                learner.configure(count)
            actions = rng.integers(-1, 4, count)
            actions[-1] = last
            wide = (rng.integers(-(2**26), 2**26, count), rng.integers(0, 2**18, count))
            codes = rng.integers(-(2**18), 2**18, (2, count, 5))
            records = Records(codes[0], actions, wide[0] * 2, codes[1], rng.random(count) < 0.5, wide[1])
            errors = [learner.driver.step(records) for learner in both]
            assert errors[0].tolist() == errors[1].tolist()
            same(both)


def test_batches_of_any_type_and_layout_are_the_models(seed):
    rng = np.random.default_rng(seed)
    both = pair((4, 9, 3), batch_max=20)
    plain = transitions(rng, 20, 4, 3)
    ends = plain[4]
    kinds = (
        [x if x is None or x.dtype.kind in "ib" else x.astype(np.float32) for x in plain],
        [x if x is None or x.dtype.kind in "ib" else x.astype(">f8") for x in plain],
        [None if x is None else np.asfortranarray(x) for x in plain],
        [None if x is None else np.repeat(x, 2, axis=0)[::2] for x in plain],
        [None if x is None else x.tolist() for x in plain],
        [*plain[:1], plain[1].astype(np.int32), *plain[2:4], ends.astype(float), plain[5]],
        [*plain[:1], plain[1].astype(np.uint8), *plain[2:4], ends.astype(np.int64), plain[5]],
    )
    for batch in kinds:
        stepped(both, tuple(batch))
    same(both)


@pytest.mark.parametrize("place", range(6))
def test_a_batch_that_is_wrong_is_refused_as_the_model_refuses_it(place, seed):
    rng = np.random.default_rng(seed)
    both = pair((4, 9, 3), batch_max=20)
    for wrong in (np.nan, np.inf, 1e9, -1e9, -1):
        batch = [*transitions(rng, 20, 4, 3)[:5], rng.random(20)]
        batch[place] = batch[place].astype(float)
        batch[place].flat[int(rng.integers(batch[place].size))] = wrong
        said = []
        for learner in both:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", CoreWarning)
                try:
                    said.append(learner.step(*batch).tolist())
                except ValueError as error:
                    said.append(str(error))
        assert said[0] == said[1]
    same(both)


@pytest.mark.parametrize("rounding", ["nearest", "stochastic"])
def test_a_state_moves_between_the_backends(rounding, seed):
    rng = np.random.default_rng(seed)
    both = pair((4, 16, 2), rounding=rounding, batch_max=8, target_update_interval=4)
    for turn in range(4):
        one, other = both if turn % 2 else both[::-1]
        for _ in range(int(rng.integers(1, 6))):
            one.step(*transitions(rng, 8, 4, 2))
        other.load_state_dict(one.state_dict())
        stepped(both, transitions(rng, 8, 4, 2))
        same(both)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
@pytest.mark.parametrize("ddpg", [False, True])
def test_a_copy_goes_on_by_itself(copied, ddpg, seed):
    rng = np.random.default_rng(seed)
    one = Learner((5, 8, 1), actor=(3, 6, 2)) if ddpg else Learner((3, 8, 2))
    first, more = (transitions(rng, 20, 3, 2, ddpg=ddpg) for _ in range(2))
    one.step(*first)
    other = copied(one)
    same((one, other))
    kept = one.state_dict()
    other.step(*more)
    assert all(np.array_equal(kept[name], one.state_dict()[name], equal_nan=True) for name in kept)
    one.step(*more)
    same((one, other))


@pytest.mark.parametrize("optimiser", OPTIMISERS)
@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_a_parameter_whose_step_and_average_saturate_counts_once(optimiser, rounding, seed):
    """Weights at one end of their range and their targets at the other, moved further apart."""
    rng = np.random.default_rng(seed)
    both = pair(
        (4, 200, 3), optimiser=optimiser, rounding=rounding, tau=0.5, target_update_interval=1, learning_rate=1.0
    )
    ends = {name: rng.choice([-15.999, 15.999], w.shape) for name, w in both[0].weights().items()}
    for learner in both:
        learner.load_weights(ends, target=False)
        learner.load_weights({name: -w for name, w in ends.items()}, "target")
    for _ in range(2):
        stepped(both, transitions(rng, 20, 4, 3, 30))
    assert both[0].saturations()["SAT0_WEIGHT1"] > 100
    same(both)


@pytest.mark.parametrize("backend", ["model", "native"])
def test_a_gradient_at_the_end_of_its_range_fits(backend):
    """Adam keeps 8 more bits than a gradient has: rounded half up, one more number fits below."""
    learner = Learner((1, 1), formats=LearnerFormats((8, 16), (0, 16), (0, 24)), huber=None, gamma=0.0, backend=backend)
    learner.load_weights({"0.weight": np.zeros((1, 1)), "0.bias": np.zeros(1)})
    states = np.zeros((2, 1))
    learner.step(states, np.zeros(2, int), np.array([2.0, (2**17 - 1) / 2**16]), states, np.ones(2, bool))
    assert learner.saturations() == {}


@pytest.mark.parametrize("backend", ["model", "native"])
def test_a_damaged_plane_is_refused_and_nothing_changes(backend):
    learner = Learner((2, 3, 2), backend=backend)
    before = learner.state_dict()
    state = {name: array.copy() for name, array in before.items()} | {"steps": np.array(7)}
    state["network.weights"][0] = 2**40
    with pytest.raises(UserError, match=r"network\.weights"):
        learner.load_state_dict(state)
    for name, array in learner.state_dict().items():
        np.testing.assert_array_equal(array, before[name], err_msg=name)


def test_threads_that_share_a_learner_take_turns(seed):
    rng = np.random.default_rng(seed)
    learner = Learner((4, 64, 64, 2))
    states = [rng.normal(size=(count, 4)) for count in (64, 3000)]
    wanted = [learner.values(x) for x in states]
    wrong = []

    def run(k):
        for _ in range((1500, 100)[k]):
            if not np.array_equal(learner.values(states[k]), wanted[k]):
                wrong.append(k)

    threads = [threading.Thread(target=run, args=(k,)) for k in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf, 1e9, 1e300, 0.5, -1.0])
@pytest.mark.parametrize("backend", ["model", "native"])
def test_no_number_makes_numpy_warn(backend, wrong):
    """Refused in one sentence, or saturated and counted: nothing is cast to something else on the way."""
    learner, ddpg = Learner((2, 3, 2), backend=backend), Learner((3, 4, 1), actor=(2, 3, 1), backend=backend)
    for one, actions in (learner, np.zeros(4, int)), (ddpg, np.zeros((4, 1))):
        batch = [np.zeros((4, 2)), actions, np.zeros(4), np.zeros((4, 2)), np.zeros(4, bool), np.ones(4)]
        for place in range(6):
            spoilt = list(batch)
            spoilt[place] = spoilt[place].astype(float)
            spoilt[place].flat[1] = wrong
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                warnings.simplefilter("ignore", CoreWarning)
                with contextlib.suppress(UserError):
                    one.step(*spoilt)
                with contextlib.suppress(UserError):
                    one.values(spoilt[0], *([spoilt[1]] if one is ddpg else []))
    state = learner.weights() | {"0.bias": np.array([wrong, 0, 0])}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with contextlib.suppress(UserError):
            learner.load_weights(state)


@pytest.mark.parametrize("lies", ["states", "actions", "rewards", "next_states", "terminated", "weights"])
def test_arrays_that_lie_askew_are_the_models(lies, seed):
    rng = np.random.default_rng(seed)
    for ddpg in (False, True):
        both = pair((6, 9, 1), actor=(4, 8, 2)) if ddpg else pair((4, 9, 3))
        batch = dict(
            zip(
                ("states", "actions", "rewards", "next_states", "terminated"),
                transitions(rng, 20, 4, 2, ddpg=ddpg)[:5],
                strict=True,
            )
        )
        batch["weights"] = rng.random(20)
        batch[lies] = askew(batch[lies])
        stepped(both, tuple(batch.values()))
        chosen = (batch["actions"],) if ddpg else ()
        assert both[0].values(batch["states"], *chosen).tobytes() == both[1].values(batch["states"], *chosen).tobytes()
        same(both)


def askew(array):
    """The same numbers, a byte behind where their type may lie."""
    room = np.empty(array.nbytes + 16, np.uint8)
    start = 1 - room.ctypes.data % 8
    shifted = room[start % 8 :][: array.nbytes].view(array.dtype).reshape(array.shape)
    shifted[...] = array
    return shifted


def test_the_engine_refuses_arrays_of_other_shapes_and_places():
    """It would read what is not there; no call of ours gives it any."""
    model = Learner((6, 9, 1), actor=(4, 8, 2)).driver.model
    critic = model.network.engine
    n, size, whole = 3, model.network.size, np.zeros
    good = [whole((n, 6), int), whole(n, int), whole(n, int), whole((n, 6), int), whole(n, bool), whole(n, int)]
    rest = (n, 0, 0, 0, False, whole(size, int), whole(n, int), whole(64, int))
    assert critic.gradients(*good, *rest) == n
    for place in (0, 3):
        for wrong in (whole((n, 5), int), whole((n + 1, 6), int), whole((n - 1, 6), int), askew(whole((n, 6), int))):
            with pytest.raises(ValueError, match=r"shape|lengths"):
                critic.gradients(*[wrong if k == place else x for k, x in enumerate(good)], *rest)
    with pytest.raises(ValueError, match="rows"):
        critic.gradients(*good, n - 1, *rest[1:])
    for inputs, outputs in (
        (whole((n, 5)), whole((n, 1))),
        (whole((n, 6)), whole((n, 2))),
        (whole((n, 6)), whole((2, 1))),
    ):
        with pytest.raises(ValueError, match="shape"):
            critic.outputs(inputs, outputs)
    with pytest.raises(ValueError, match="update"):
        critic.update(
            whole(size, int), False, whole(size, int), whole(64, int), 18
        )  # dither, though it rounds to nearest
    with pytest.raises(ValueError, match="update"):
        critic.update(whole(size, int), False, None, whole(64, int), 62)
    with pytest.raises(ValueError, match="rates"):
        critic.rates(0, 0, 0, 0, 0, [0], [0, 0], 0, 17)
    records = (
        whole((n, 4), int),
        whole((n, 2), int),
        whole(n, int),
        whole((n, 4), int),
        whole(n, bool),
        *[whole(n, int)] * 2,
    )
    both = model._engine
    assert both.critic(*records, n, 0, 0, 0, *rest[-3:]) == n
    with pytest.raises(ValueError, match="shape"):
        both.critic(records[0], whole((n, 3), int), *records[2:], n, 0, 0, 0, *rest[-3:])
    with pytest.raises(ValueError, match="shape"):
        both.actor(whole((n, 6), int), whole(n, int), n, 0, whole(model.actor.size, int), whole(64, int))
    for sizes, planes in (
        ([6, 9, 1], whole((4, size - 1), int)),
        ([6, 9], whole((4, 63), int)),
        ([6, 0, 1], whole((4, 1), int)),
    ):
        with pytest.raises(ValueError, match="no such network"):
            engine.LearnerNetwork(planes, sizes, [0] * 3, [0] * 3, [0] * 3, 27, "adam", True, 0, False, (0, 0, 0, 0))


@pytest.mark.parametrize("backend", ["model", "native"])
@pytest.mark.parametrize("wrong", [np.inf, -np.inf, np.nan, "1", None, [1.0], 1j])
def test_a_setting_that_is_no_number_is_one_sentence(backend, wrong):
    learner = Learner((2, 3, 2), backend=backend)
    before = learner.state_dict()
    for name in ("learning_rate", "gamma", "tau", "momentum", "target_update_interval"):
        with pytest.raises(UserError, match=name):
            learner.set(**{name: wrong})
        with pytest.raises(UserError, match=name):
            Learner((2, 3, 2), backend=backend, **{name: wrong})
    for name, array in learner.state_dict().items():
        np.testing.assert_array_equal(array, before[name], err_msg=name)
