"""The learner's integer model: exact against integers written out, and close to float64."""

import math
from fractions import Fraction

import numpy as np
import pytest
from learner_cases import (
    FINE,
    SIZES,
    ddpg_batch,
    ddpg_learner,
    ddpg_of,
    planes,
    real_batch,
    real_weights,
    value_learner,
    value_of,
)

from rlcores.cores.common.fixed import round_shift, saturate
from rlcores.cores.common.tanh import tanh_fixed
from rlcores.cores.learner import loss as learner_loss
from rlcores.cores.learner import update as learner_update
from rlcores.cores.learner.float64 import FloatDdpgLearner, FloatNetwork, FloatSettings, FloatValueLearner
from rlcores.cores.learner.format import DdpgFormats, LearnerFormats, equal_networks
from rlcores.cores.learner.layout import MOMENT, SQUARES, TARGET, WEIGHTS
from rlcores.cores.learner.model import (
    ACC_OVERFLOW,
    ACTOR_ACC_OVERFLOW,
    ACTOR_BW,
    ACTOR_FW,
    ACTOR_GRAD,
    ACTOR_TFW,
    ACTOR_WEIGHT,
    BW,
    DELTA,
    FW,
    GRAD,
    IN,
    PASS_BW,
    PASS_FW,
    TAIL,
    TD,
    TFW,
    WEIGHT,
)
from rlcores.cores.learner.network import NetworkModel
from rlcores.cores.learner.optimisers import adam, momentum, sgd
from rlcores.cores.learner.records import Records
from rlcores.cores.learner.registers import AdamRate, settings
from rlcores.cores.learner.shape import NetworkShape as Groups


def wrap48(x: np.ndarray) -> np.ndarray:
    return ((x + 2**47) % 2**48) - 2**47


# --- the stages in integers, written out: what the float64 products must equal ---

SHAPES = [
    ((5, 7, 3), LearnerFormats((12, 10, 16), (0, 12, 15), (0, 18, 20))),
    ((1, 1), LearnerFormats((17, 16), (0, 17), (0, 3))),
    ((1024, 40, 2), LearnerFormats((0, 15, 3), (0, 17, 17), (0, 0, 17))),
    ((9, 8, 7, 6, 5), LearnerFormats((16, 14, 12, 10, 16), (0, 17, 13, 11, 17), (0, 24, 22, 18, 20))),
    (
        (6, 5, 4),
        LearnerFormats((9, 31, 6), (0, 31, 9), (0, 30, 20)),
    ),  # a shift of 0, and one beyond the first layer's sum
    (
        (6, 5, 4),
        LearnerFormats((31, 31, 31), (0, 31, 31), (0, 20, 30)),
    ),  # biases that leave the accumulator by themselves
]


def spread(rng: np.random.Generator, width: int, shape) -> np.ndarray:
    """Integers of `width` bits of all magnitudes, the extremes among them."""
    x = rng.integers(-(2 ** (width - 1)), 2 ** (width - 1), shape) >> rng.integers(0, width, shape)
    x = np.where(rng.random(shape) < 0.05, -(2 ** (width - 1)), x)
    return np.where(rng.random(shape) < 0.05, 2 ** (width - 1) - 1, x)


@pytest.mark.parametrize("large", [False, True], ids=["usual", "extreme"])
@pytest.mark.parametrize(("sizes", "formats"), SHAPES, ids=[str(sizes) for sizes, _ in SHAPES])
def test_every_product_and_rounding_is_that_of_integers(sizes, formats: LearnerFormats, large: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    net = NetworkModel(sizes, formats, optimiser=0)
    net.set_flat(spread(rng, 27, net.size) if large else rng.integers(-(2**22), 2**22, net.size))
    rows = 24
    x = spread(rng, 18, (rows, sizes[0])) if large else rng.integers(-(2**13), 2**13, (rows, sizes[0]))
    counters = np.zeros(64, np.int64)
    vectors = net.forward(x.astype(np.float64), counters=counters, base=FW, overflow_at=ACC_OVERFLOW)
    far = 0
    for layer, (w, b) in enumerate(net.matrices(), 1):
        acc = wrap48(x @ w.T + (b << formats.act_frac[layer - 1]))
        far += int((((acc >= 2**46) | (acc < -(2**46))).any(axis=1)).sum())
        exact = round_shift(np.maximum(acc, 0) if layer < net.layers else acc, formats.forward_shift(layer))
        y = saturate(exact, 18 if layer < net.layers else 27)
        assert np.array_equal(vectors[layer], y)
        assert counters[FW + layer] == (exact != y).sum()
        x = y
    assert counters[ACC_OVERFLOW] == far  # one word a row here

    delta = spread(rng, 18, (rows, sizes[-1])) >> (0 if large else 4)
    deltas = net.backward(vectors, delta.astype(np.float64), formats.delta_frac, counters=counters, base=BW)
    gradient = net.gradient(vectors, deltas, counters, GRAD)
    for layer in range(net.layers, 0, -1):
        at, (w, _) = net.starts[layer - 1], net.matrices()[layer - 1]
        below = vectors[layer - 1].astype(np.int64)
        sums = np.concatenate([(delta.T @ below).ravel(), delta.sum(axis=0) << formats.act_frac[layer - 1]])
        exact = round_shift(wrap48(sums), formats.gradient_shift(layer))
        expected = saturate(exact, 27, symmetric=True)
        assert np.array_equal(gradient[at : at + len(expected)], expected)
        assert counters[GRAD + layer] == (exact != expected).sum()
        if layer > 1:
            exact = round_shift(wrap48(delta @ w), formats.backward_shift(layer)) * (below > 0)
            delta = saturate(exact, 18)
            assert np.array_equal(deltas[net.layers + 1 - layer], delta)
            assert counters[BW + layer] == (exact != delta).sum()


def test_a_bias_beyond_the_accumulator_keeps_the_last_bit_of_the_sum() -> None:
    # (2**26 - 1) * 2**31 is 57 bits; with 2**21 - 1 added the sum is just below a tie, modulo 2**48.
    net = NetworkModel((1, 1), LearnerFormats((31, 31), (0, 31), (0, 20)))
    net.set_matrices([(np.array([[2**21 - 1]]), np.array([2**26 - 1]))])
    assert net.forward(np.ones((1, 1)))[-1] == -512


# --- against float64 ---


def test_forward_layers_are_float64_within_their_rounding(seed: int) -> None:
    rng = np.random.default_rng(seed)
    learner = value_learner(rng)
    states = rng.normal(size=(50, 4))
    layers = learner.network.forward(np.floor(states * 2**12 + 0.5))
    x = layers[0] / 2**12
    for layer, (w, b) in enumerate(learner.weights(), 1):
        exact = x @ (w / 2**22).T + b / 2**22
        exact = np.maximum(exact, 0) if layer < 3 else exact
        x = layers[layer] / 2 ** FINE.act_frac[layer]
        assert np.abs(x - exact).max() <= 0.5001 * 2.0 ** -FINE.act_frac[layer]
    assert np.array_equal(learner.q(states), x)


def cosine_and_error(integers: np.ndarray, exact: np.ndarray) -> tuple[float, float]:
    norm = np.linalg.norm(exact)
    return integers @ exact / np.linalg.norm(integers) / norm, np.linalg.norm(integers - exact) / norm


@pytest.mark.parametrize("double", [False, True], ids=["dqn", "double"])
@pytest.mark.parametrize("huber", [None, 0.5], ids=["squared", "huber"])
def test_the_whole_gradient_of_dqn_is_that_of_float64(double: bool, huber: float | None, seed: int) -> None:
    rng = np.random.default_rng(seed)
    learner = value_learner(rng, double=double, huber=huber, gamma=0.9, reward_scale=0.5)
    reference = FloatValueLearner(
        SIZES, FloatSettings(double=double, huber=huber, gamma=0.9, reward_scale=0.5), dtype=np.float64
    )
    cosines, errors = [], []
    for _ in range(15):
        online, target = real_weights(rng, *SIZES), real_weights(rng, *SIZES)
        learner.load(target)
        learner.network.set_flat(learner.network.codes(online))
        reference.network.theta[:] = learner.network.flatten(online)
        reference.target.theta[:] = learner.network.flatten(target)
        batch = real_batch(rng)
        priorities = learner.gradients(learner.records(batch)) / 2**16
        exact = reference.gradients(batch)
        assert (np.abs(priorities - exact) > 1e-3).sum() <= (2 if double else 0)
        cosine, error = cosine_and_error(learner.gradient / 2**20, reference.gradient * 32)
        cosines.append(cosine)
        errors.append(error)
    # Where a sum rounds across zero a unit is off for one record, and where values are close another action may be the
    # best: rare, and not small.
    assert np.median(cosines) > 0.99999 and np.median(errors) < 5e-3 and min(cosines) > 0.5
    assert not learner.counters.any()


def test_both_gradients_of_ddpg_are_those_of_float64(seed: int) -> None:
    rng = np.random.default_rng(seed)
    learner = ddpg_learner(rng, gamma=0.9)
    reference = FloatDdpgLearner((5, 16, 12, 1), (3, 16, 12, 2), FloatSettings(huber=None, gamma=0.9), dtype=np.float64)
    cosines, errors = [], []
    for _ in range(15):
        critic, actor = real_weights(rng, 5, 16, 12, 1), real_weights(rng, 3, 16, 12, 2)
        learner.load(critic, actor)
        for network in (reference.network, reference.target):
            network.theta[:] = learner.network.flatten(critic)
        for network in (reference.actor, reference.actor_target):
            network.theta[:] = learner.actor.flatten(actor)
        batch = ddpg_batch(rng)
        records = learner.records(batch)
        priorities = learner.critic_gradients(records) / 2**16
        learner.actor_gradients(records)
        assert np.abs(priorities - reference.critic_gradients(batch)).max() < 2e-3
        reference.actor_gradients(batch)
        assert np.abs(learner.act(batch.states) - reference.actions(batch.states)).max() < 1e-3
        for gradient, exact in (
            (learner.gradient / 2**20, reference.gradient),
            (learner.actor_gradient / 2**22, reference.actor_gradient),
        ):
            cosine, error = cosine_and_error(gradient, exact * 32)
            cosines.append(cosine)
            errors.append(error)
    assert np.median(cosines) > 0.99998 and np.median(errors) < 5e-3 and min(cosines) > 0.5
    assert not learner.counters.any()


@pytest.mark.parametrize("optimiser", ["sgd", "momentum", "adam"])
def test_fifty_steps_follow_float64(optimiser: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rate = {"sgd": 0.05, "momentum": 0.01, "adam": 1e-3}[optimiser]
    learner = value_learner(rng, FINE, optimiser, learning_rate=rate, target_update_interval=7, huber=1.0)
    reference = FloatValueLearner(
        SIZES, FloatSettings(optimiser=optimiser, learning_rate=rate, target_update_interval=7), dtype=np.float64
    )
    start = learner.network.planes[0] / 2**22
    reference.network.theta[:] = reference.target.theta[:] = start
    adam = AdamRate(rate)
    for step in range(1, 51):
        batch = real_batch(rng)
        learner.set(networks=equal_networks(**{**vars(learner.settings.networks[0]), "log_rate": adam.at(step)}))
        learner.step(batch)
        reference.step(batch)
    moved = reference.network.theta - start
    cosine, error = cosine_and_error(learner.network.planes[0] / 2**22 - start, moved)
    assert np.linalg.norm(moved) > 0.02
    # Adam takes whole steps where a gradient is small, whatever its sign.
    assert cosine > (0.95 if optimiser == "adam" else 0.999) and error < (0.3 if optimiser == "adam" else 0.05)


# --- update and target ---


def adamw_decay(register: int) -> tuple[int, int]:
    """Numerator and denominator of what a weight loses, from the page of the register."""
    return register & 0x3FFFF, 1 << 17 + (register >> 18)


@pytest.mark.parametrize("optimiser", ["sgd", "momentum", "adam", "adamw"])
def test_one_pass_over_all_layers_updates_each_with_its_own_fractions(optimiser: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    formats = LearnerFormats((12, 12, 12, 16), (0, 14, 14, 16), (0, 22, 20, 18))
    options = {"tau": 0.1, "target_update_interval": 1, "momentum": 0.8, "adam_epsilon": 1e-3, "weight_decay": 0.3}
    learner = value_learner(rng, formats, optimiser, learning_rate=0.02, **options)
    net, s, own = learner.network, learner.settings, learner.settings.networks[0]
    for _ in range(3):
        before = net.planes.copy()
        learner.step(real_batch(rng))
        for layer in range(1, 4):
            part = slice(net.starts[layer - 1], net.starts[layer])
            w, t, m, v = before[:, part]
            g, frac = learner.gradient[part], formats.grad_frac[layer]
            shift = frac + own.rate_exp - 22
            if optimiser == "sgd":
                w, _ = sgd.sgd(w, g, own.rate, shift)
            elif optimiser == "momentum":
                w, m, _ = momentum.momentum(w, m, g, s.momentum, own.rate, shift)
            else:
                eps, before_decay = adam.eps_of(s.log_eps, frac), w
                w, m, v, _ = adam.adam(w, m, v, g, own.log_rate, eps, s.log_clip)
                if optimiser == "adamw":
                    share = Fraction(*adamw_decay(own.decay))
                    w = w - np.array([math.floor(int(x) * share + Fraction(1, 2)) for x in before_decay])
            t, _ = learner_update.sync(w, t, s.tau)
            for plane, expected in zip((WEIGHTS, TARGET, MOMENT, SQUARES), (w, t, m, v), strict=True):
                assert np.array_equal(net.planes[plane][part], expected)


def test_target_follows_every_interval_and_never_between(seed: int) -> None:
    rng = np.random.default_rng(seed)
    learner = value_learner(rng, FINE, "sgd", learning_rate=0.05, target_update_interval=3)
    for step in range(1, 8):
        before = learner.network.planes[TARGET].copy()
        learner.step(real_batch(rng))
        expected = learner.network.planes[WEIGHTS] if step % 3 == 0 else before
        assert np.array_equal(learner.network.planes[TARGET], expected)
    learner.set(sync_interval=0)
    before = learner.network.planes[TARGET].copy()
    for _ in range(3):
        learner.step(real_batch(rng))
    assert np.array_equal(learner.network.planes[TARGET], before)


def test_an_average_that_cannot_follow_in_one_step_is_counted(seed: int) -> None:
    rng = np.random.default_rng(seed)
    learner = value_learner(rng, FINE, "sgd", tau=0.5, target_update_interval=1)
    net = learner.network
    target = net.planes[TARGET].copy()
    target[:3] = -(2**35)
    weights = net.planes[WEIGHTS].copy()
    weights[:3] = 2**26 - 1
    weights[net.starts[2]] = 2**26 - 1
    target[net.starts[2]] = -(2**35)
    net.set_flat(weights)
    net.set_flat(target, TARGET)
    # One that leaves its format in the update itself, and one that does both and counts once.
    learner.set(networks=equal_networks(rate=2**17 - 1, rate_exp=5))
    gradient = np.zeros(net.size, np.int64)
    gradient[[0, net.starts[1]]] = -(2**26) + 1
    net.update(gradient, True, learner.counters, WEIGHT)
    assert learner.counters[WEIGHT + 1 : WEIGHT + 4].tolist() == [3, 1, 1]
    assert np.array_equal(net.planes[TARGET][:3], np.full(3, -(2**35) + (2**26 - 1) * 2**8))


def test_forward_of_the_target_uses_the_weights_of_before_the_step(seed: int) -> None:
    rng = np.random.default_rng(seed)
    learner = value_learner(rng, FINE, "sgd", learning_rate=0.05, target_update_interval=1)
    batch = real_batch(rng)
    twin = value_learner(np.random.default_rng(seed), FINE, "sgd", learning_rate=0.05, target_update_interval=0)
    assert np.array_equal(learner.step(batch), twin.step(batch))
    assert not np.array_equal(learner.step(batch), twin.step(batch))


@pytest.mark.parametrize("optimiser", ["sgd", "momentum", "adam"])
def test_rounding_modes_differ_by_at_most_one_and_stochastic_is_fair(optimiser: str, seed: int) -> None:
    results, rate = {}, 1e-6 if optimiser == "adam" else 1e-4
    for rounding in ("nearest", "floor", "stochastic"):
        learner = value_learner(np.random.default_rng(seed), FINE, optimiser, rounding, learning_rate=rate)
        learner.step(real_batch(np.random.default_rng(seed + 1)))
        results[rounding] = learner.network.planes[0].copy()
    for other in ("floor", "stochastic"):
        step = results[other] - results["nearest"]
        assert step.any() and np.abs(step).max() <= 1
    changes = []
    learner = value_learner(np.random.default_rng(seed), FINE, optimiser, "stochastic", learning_rate=rate)
    kept = [learner.network.planes[plane].copy() for plane in range(4)]
    for number in range(300):
        for plane in range(4):
            learner.network.set_flat(kept[plane], plane)
        learner.seed(number)
        learner.step(real_batch(np.random.default_rng(seed + 1)))
        changes.append(learner.network.planes[0] - results["nearest"])
    # What is rounded up as often as its fraction says is on average where nearest rounding is within half a bit.
    mean = np.mean(changes, axis=0)
    assert np.abs(mean).max() < 0.65 and abs(mean.mean()) < 0.1


def test_stochastic_rounding_repeats_with_its_seed_and_depends_on_the_groups(seed: int) -> None:
    groups = Groups(SIZES, (4, 4, 6, 2), (1, 1, 1), (1, 1, 1), (4, 3, 1), (2, 1, 6))

    def weights(number: int, **options) -> np.ndarray:
        rng = np.random.default_rng(seed)
        learner = value_learner(rng, FINE, "sgd", "stochastic", seed=number, learning_rate=1e-4, **options)
        for step in range(3):
            learner.step(real_batch(np.random.default_rng(seed + step)))
        return learner.network.planes[0]

    assert np.array_equal(weights(7, groups=groups), weights(7, groups=groups))
    assert not np.array_equal(weights(7, groups=groups), weights(8, groups=groups))
    assert not np.array_equal(weights(7, groups=groups), weights(7))


def test_dither_reaches_each_weight_in_the_order_of_the_update() -> None:
    groups = Groups((3, 5), (2, 4), (1,), (1,), (2,), (1,))  # 3 inputs in 2 words, 5 outputs in 2 words of 2 groups
    net = NetworkModel((3, 5), LearnerFormats((12, 16), (0, 16), (0, 20)), optimiser=0, rounding=2, groups=groups)
    net.seed(5)
    dither = net._split(net._dither())[0]
    net.seed(5)
    words = net._generators[0].take(4 * 4 + 4)
    for j in range(5):
        for i in range(4):
            group = (j // 2) * 4 + i if i < 3 else 16 + j // 2
            word = int(words[group])
            turn = 5 * (j % 2)
            expected = (word >> turn | word << (32 - turn)) & 0xFFFF
            assert (dither[0][j, i] if i < 3 else dither[1][j]) == expected


# --- loss ---


def test_double_dqn_takes_the_target_value_of_the_online_networks_choice(seed: int) -> None:
    rng = np.random.default_rng(seed)
    gaps = 0
    for _ in range(10):
        single, double = (value_learner(rng, double=flag, gamma=0.9) for flag in (False, True))
        online, target = real_weights(rng, *SIZES), real_weights(rng, *SIZES)
        for learner in (single, double):
            learner.load(target)
            learner.network.set_flat(learner.network.codes(online))
        batch = real_batch(rng)
        records = double.records(batch)
        vectors = double.network.forward(records.next_states.astype(np.float64))
        wanted = double.network.forward(records.next_states.astype(np.float64), target=True)[-1]
        q = double.network.forward(records.states.astype(np.float64))[-1]
        for learner, best in ((single, wanted.argmax(1)), (double, vectors[-1].argmax(1))):
            learner.gradients(records)
            rows = np.arange(32)
            following = np.where(records.terminated, 0, wanted[rows, best]) / 2**16
            goal = batch.rewards + 0.9 * following
            assert np.abs(learner.td / 2**16 - (q[rows, batch.actions] / 2**16 - goal)).max() < 1e-4
        gaps += int((single.td != double.td).sum())
    assert gaps > 0


def test_a_terminated_transition_ignores_what_follows(seed: int) -> None:
    rng = np.random.default_rng(seed)
    learner = value_learner(rng)
    batch = real_batch(rng)
    batch.terminated[:] = True
    first = learner.gradients(learner.records(batch)), learner.gradient.copy()
    batch.next_states = rng.normal(size=batch.next_states.shape)
    second = learner.gradients(learner.records(batch)), learner.gradient.copy()
    assert np.array_equal(first[0], second[0]) and np.array_equal(first[1], second[1])
    batch.terminated[:] = False
    assert not np.array_equal(learner.gradients(learner.records(batch)), first[0])


def test_a_batch_that_dp_does_not_divide_counts_the_idle_columns_and_learns_the_same(seed: int) -> None:
    learners = [
        value_learner(np.random.default_rng(seed), count=7, columns=columns, learning_rate=1e-2) for columns in (1, 4)
    ]
    batch = real_batch(np.random.default_rng(seed), 7)
    answers = [learner.step(batch) for learner in learners]
    assert len(answers[0]) == 7 and np.array_equal(*answers)
    assert np.array_equal(planes(learners[0]), planes(learners[1]))
    for learner in learners:
        matrices = learner.weights()
        matrices[0][1][:3] = 2**26 - 1  # 15.99 in a format that ends at 32 ...
        learner.load([(w, np.where(b == 2**26 - 1, b, 0)) for w, b in matrices])
        learner.network.set_matrices([(w * 0, b) for w, b in learner.weights()])
        learner.counters[:] = 0
    wide = LearnerFormats((12, 14, 12, 16), (0, 14, 14, 16), (0, 20, 20, 20))  # ... and at 8 here
    for columns, rows in ((1, 7), (4, 8)):
        learner = value_of(SIZES, wide, settings(wide, batch=7), columns=columns)
        learner.load(learners[0].weights())
        learner.step(batch)
        assert learner.counters[FW + 1] == 3 * rows


def test_ddpg_learns_the_same_in_any_number_of_columns(seed: int) -> None:
    kept = ddpg_learner(np.random.default_rng(seed), 7, learning_rate=1e-2, actor_learning_rate=1e-2)
    wide = ddpg_of((5, 16, 12, 1), (3, 16, 12, 2), kept.formats, kept.settings, columns=4)
    wide.load(kept.weights(), kept.actor.matrices())
    for step in range(3):
        batch = ddpg_batch(np.random.default_rng(seed + step), 7)
        assert np.array_equal(kept.step(batch), wide.step(batch))
    assert np.array_equal(planes(kept), planes(wide))


@pytest.mark.parametrize("where", ["first", "last"])
def test_a_record_with_an_unknown_action_changes_nothing(where: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    learner = value_learner(rng, count=5)
    records = learner.records(real_batch(rng, 5))
    wrong = 0 if where == "first" else 4
    records.actions[wrong] = 3
    records.weights[:] = 2**15
    records.rewards[wrong], records.weights[wrong] = 2**26 - 1, 2**17
    priorities = learner.gradients(records)
    gradient = learner.gradient.copy()
    assert learner.counters[IN] == 1 and learner.counters[DELTA] == 0
    kept = np.arange(5) != wrong
    smaller = Records(*(field[kept] for field in vars(records).values() if field is not None))
    learner.set(batch=4)
    expected = learner.gradients(smaller)
    assert np.array_equal(gradient, learner.gradient)
    # The stream has to end somewhere: a last record that is none leaves a 0.
    assert np.array_equal(priorities, expected if where == "first" else np.append(expected, 0))


# --- lag ---


def test_lagged_critic_is_exactly_one_critic_update_behind(seed: int) -> None:
    rng = np.random.default_rng(seed)
    batches = [ddpg_batch(rng) for _ in range(4)]
    lagged, present = (ddpg_learner(np.random.default_rng(seed), lag=lag, learning_rate=1e-2) for lag in (True, False))
    for number, batch in enumerate(batches):
        records = lagged.records(batch)
        critic_before, actor_before = lagged.network.planes.copy(), lagged.actor.planes.copy()
        for plane in range(4):
            present.network.set_flat(critic_before[plane], plane)
            present.actor.set_flat(actor_before[plane], plane)
        lagged.step_records(records)
        present.step_records(records)
        # The critics learn the same; the actor's step differs by the weights it went through.
        assert np.array_equal(lagged.network.planes, present.network.planes), number
        assert not np.array_equal(lagged.actor_gradient, present.actor_gradient)
        probe = ddpg_learner(np.random.default_rng(seed))
        for plane in range(4):
            probe.actor.set_flat(actor_before[plane], plane)
        for weights, expected in ((critic_before, lagged), (lagged.network.planes, present)):
            probe.network.set_flat(weights[WEIGHTS], WEIGHTS)
            probe.actor_gradients(records)
            assert np.array_equal(probe.actor_gradient, expected.actor_gradient)


def test_ddpg_stages_in_integers_written_out(seed: int) -> None:
    rng = np.random.default_rng(seed)
    learner = ddpg_learner(rng)
    records = learner.records(ddpg_batch(rng))
    f = learner.formats
    priorities = learner.critic_gradients(records)
    target, critic = learner.actor.forward(records.next_states * 1.0, target=True)[-1], learner.network
    mu = round_shift(tanh_fixed(target.astype(np.int64)), 4)
    q = critic.forward(np.concatenate([records.states, records.actions], axis=1) * 1.0)[-1]
    q_next = critic.forward(np.concatenate([records.next_states, mu], axis=1) * 1.0, target=True)[-1]
    td, _ = learner_loss.td_error(
        q.astype(np.int64),
        np.zeros(32, np.int64),
        q_next.astype(np.int64),
        records.rewards,
        records.terminated,
        act_frac=16,
        gamma=learner.settings.gamma,
        reward_scale=learner.settings.reward_scale,
    )
    assert np.array_equal(priorities, np.abs(td))

    learner.actor_gradients(records)
    vectors = learner.actor.forward(records.states * 1.0)
    mu = tanh_fixed(vectors[-1].astype(np.int64))
    h = critic.forward(np.concatenate([records.states, round_shift(mu, 4)], axis=1) * 1.0)
    delta = np.full((32, 1), -(2**16))
    for layer in (3, 2, 1):
        w = critic.matrices()[layer - 1][0]
        delta = saturate(round_shift(delta @ w, 22 + f.pass_frac[layer] - f.pass_frac[layer - 1]), 18)
        if layer > 1:
            delta = delta * (h[layer - 1] > 0).astype(np.int64)
    slope = round_shift(2**32 - mu * mu, 16)
    tail = saturate(round_shift(delta[:, 3:] * slope, 16 + f.pass_frac[0] - f.actor.delta_frac[3]), 18)
    deltas = learner.actor.backward(vectors, tail * 1.0, f.actor.delta_frac)
    assert np.array_equal(learner.actor.gradient(vectors, deltas), learner.actor_gradient)
    assert learner.actor_gradient.any()


def test_padding_between_state_and_action_changes_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    plain = ddpg_learner(rng, learning_rate=1e-2, actor_learning_rate=1e-2)
    padded = ddpg_of((6, 16, 12, 1), (3, 16, 12, 2), plain.formats, plain.settings)
    matrices = plain.weights()
    first = matrices[0][0]
    wide = np.concatenate([first[:, :3], np.zeros((16, 1), np.int64), first[:, 3:]], axis=1)
    padded.load([(wide, matrices[0][1]), *matrices[1:]], plain.actor.matrices())
    for _ in range(4):
        batch = ddpg_batch(rng)
        assert np.array_equal(plain.step(batch), padded.step(batch))
        assert np.array_equal(plain.act(batch.states), padded.act(batch.states))
    assert np.array_equal(plain.actor.planes, padded.actor.planes)
    wide = padded.weights()[0][0]
    assert not wide[:, 3].any() and np.array_equal(np.delete(wide, 3, axis=1), plain.weights()[0][0])


# --- saturation ---

LARGE = LearnerFormats((12, 17, 17, 25), (0, 17, 17, 17), (0, 29, 30, 30))


def test_every_stage_of_dqn_counts_its_saturations(seed: int) -> None:
    rng = np.random.default_rng(seed)
    learner = value_of(SIZES, LARGE, settings(LARGE, batch=32, learning_rate=2e4), "sgd")
    learner.load([(w, b) for w, b in real_weights(rng, *SIZES, scale=8.0)])
    batch = real_batch(rng)
    batch.states *= 20
    batch.rewards *= 100
    learner.step(batch)
    learner.step(batch)
    expected = [IN, TD, DELTA]
    expected += [base + layer for base in (FW, TFW, GRAD, WEIGHT) for layer in (1, 2, 3)] + [BW + 2, BW + 3]
    assert sorted(expected) == [at for at in np.flatnonzero(learner.counters[:32]).tolist() if at != ACC_OVERFLOW]
    low, high = -(2**26), 2**26 - 1
    assert learner.network.planes[0].min() == low and learner.network.planes[0].max() == high


def test_every_stage_of_ddpg_counts_its_saturations(seed: int) -> None:
    rng = np.random.default_rng(seed)
    formats = DdpgFormats(LARGE, LearnerFormats((12, 17, 17, 14), (0, 24, 20, 17), (0, 29, 30, 30)), (17, 17, 17, 17))
    registers = settings(formats, batch=32, learning_rate=2e4, actor_learning_rate=2e4)
    learner = ddpg_of((5, 16, 12, 1), (3, 16, 12, 2), formats, registers, "sgd")
    critic = real_weights(rng, 5, 16, 12, 1, scale=8.0)
    actor = real_weights(rng, 3, 16, 12, 2, scale=8.0)
    actor[-1][0][:] *= 0.1  # one output of tanh keeps a slope, the other leaves the format
    actor[-1][0][1] = 15
    actor[-1][1][:] = 0, 15
    learner.load(critic, actor)
    batch = ddpg_batch(rng)
    batch.states *= 20
    learner.step(batch)
    expected = [ACTOR_FW + 1, ACTOR_FW + 2, ACTOR_FW + 3, ACTOR_TFW + 1, ACTOR_TFW + 2, ACTOR_TFW + 3]
    expected += [PASS_FW + 1, PASS_FW + 2, PASS_BW + 1, PASS_BW + 2, PASS_BW + 3, ACTOR_BW + 2, ACTOR_BW + 3]
    expected += [base + layer for base in (ACTOR_GRAD, ACTOR_WEIGHT) for layer in (1, 2, 3)]
    counted = np.flatnonzero(learner.counters[32:] > 0) + 32
    assert sorted(expected) == [at for at in counted.tolist() if at not in (TAIL, ACTOR_ACC_OVERFLOW)]


def test_the_tail_counts_its_saturations(seed: int) -> None:
    rng = np.random.default_rng(seed)
    learner = ddpg_learner(rng)
    f = learner.formats
    steep = DdpgFormats(f.value, LearnerFormats(f.actor.act_frac, (0, 16, 16, 26), f.actor.grad_frac), f.pass_frac)
    twin = ddpg_of((5, 16, 12, 1), (3, 16, 12, 2), steep, learner.settings)
    twin.load(learner.weights(), learner.actor.matrices())
    twin.step(ddpg_batch(rng))
    assert twin.counters[TAIL] > 0 and not twin.counters[ACTOR_FW + 1 : ACTOR_BW + 1].any()


def test_large_sums_are_counted_by_word_of_the_cores_lanes() -> None:
    formats = LearnerFormats((0, 17, 16), (0, 10, 16), (0, 10, 20))
    groups = Groups((16, 10, 2), (4, 4, 2), (1, 1), (1, 1), (1, 1), (1, 1))
    for columns, words in ((1, 5), (2, 3), (5, 1)):
        net = NetworkModel((16, 10, 2), formats, groups=groups, columns=columns)
        w = np.zeros((10, 16), np.int64)
        w[[1, 3]] = 2**26 - 1  # two large sums in the first of three words of four lanes
        net.set_matrices([(w, np.zeros(10, np.int64)), (np.zeros((2, 10), np.int64), np.zeros(2, np.int64))])
        counters = np.zeros(64, np.int64)
        net.forward(np.full((5, 16), 2.0**17 - 1), counters=counters, overflow_at=ACC_OVERFLOW)
        assert counters[ACC_OVERFLOW] == words


def test_acting_counts_nothing_and_takes_one_state(seed: int) -> None:
    rng = np.random.default_rng(seed)
    learner = value_learner(rng)
    assert learner.q(np.full((1, 4), 1e6)).shape == (1, 3)
    reference = FloatNetwork(SIZES, np.float64)
    reference.theta[:] = learner.network.planes[0] / 2**22
    states = rng.normal(size=(20, 4))
    assert np.abs(learner.q(states) - reference.output(states)).max() < 2e-3
    assert not learner.counters.any()
