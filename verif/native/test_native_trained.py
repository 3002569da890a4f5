"""Networks of SAC, TD3 and DQN in the engine, where vectors stay: runs and single stages have the model's bits."""

import copy
import pickle
from collections.abc import Callable

import numpy as np
import pytest

from rlcores.cores.common.draws import Xoshiro128pp
from rlcores.cores.learner.format import LearnerFormats
from rlcores.cores.learner.layout import TARGET
from rlcores.cores.learner.network import NetworkModel
from rlcores.cores.rl import native_stages, stages
from rlcores.cores.rl.batch import Codes, TransitionBatch
from rlcores.cores.rl.dqn import Dqn, DqnSettings
from rlcores.cores.rl.native import HeldDeltas, HeldVectors, TrainedNetwork
from rlcores.cores.rl.sac import Sac, SacSettings
from rlcores.cores.rl.td3 import Td3, Td3Settings
from rlcores.errors import UserError

pytestmark = pytest.mark.usefixtures("isa")

LEARNERS: dict[str, Callable] = {
    "sac": lambda s, a, net, **o: Sac(s, a, SacSettings(network=net, learning_rate=3e-3), seed=5, **o),
    "td3": lambda s, a, net, **o: Td3(s, a, Td3Settings(network=net, learning_rate=3e-3), seed=5, **o),
    "dqn": lambda s, a, net, **o: Dqn(s, a + 1, DqnSettings(network=net, learning_rate=3e-3), seed=5, **o),
}
ALGORITHMS = pytest.mark.parametrize("algo", list(LEARNERS))


def batch(rng: np.random.Generator, algo: str, rows: int, states: int, actions: int, scale: float) -> tuple:
    """A batch whose rewards and states are as large as `scale` says."""
    chosen = rng.integers(0, actions + 1, rows) if algo == "dqn" else np.tanh(rng.standard_normal((rows, actions)))
    s, following = (scale * rng.standard_normal((rows, states)) for _ in range(2))
    discounts = 0.99 * (rng.random(rows) < 0.9)
    rewards = np.clip(scale * rng.standard_normal(rows), -1000, 1000)
    return s, chosen, rewards, following, discounts, rng.random(rows)


def same(one, other) -> None:
    """All that a learner has."""
    first, second = one.state_dict(), other.state_dict()
    assert first.keys() == second.keys()
    for name, x in first.items():
        np.testing.assert_array_equal(x, second[name], err_msg=name)
    assert one.saturations() == other.saturations()


@ALGORITHMS
@pytest.mark.parametrize(
    ("states", "actions", "network", "rows"),
    [(3, 1, (8,), (1,)), (5, 2, (33, 17), (1, 31)), (16, 4, (16, 16), (16, 48)), (23, 3, (7, 65, 9), (130, 2))],
)
def test_a_run_has_the_models_bits_at_odd_shapes(algo, states, actions, network, rows, seed) -> None:
    rng = np.random.default_rng(seed)
    pair = [LEARNERS[algo](states, actions, network, backend=backend) for backend in ("model", "native")]
    saturated = False
    for step in range(18):
        # Numbers that jump by 2**8 are saturated before fractions follow, and are small behind it.
        scale = (1.0, 1.0, 1.0, 30.0, 300.0, 0.1)[step % 6]
        arrays = batch(rng, algo, rows[step % len(rows)], states, actions, scale)
        np.testing.assert_array_equal(*(one.step(*arrays) for one in pair))
        saturated |= bool(pair[0].saturations())
    same(*pair)
    assert saturated


@ALGORITHMS
def test_layers_and_batches_of_256_have_the_models_bits(algo, seed) -> None:
    rng = np.random.default_rng(seed)
    pair = [LEARNERS[algo](17, 6, (256, 256), backend=backend) for backend in ("model", "native")]
    for _ in range(4):
        arrays = batch(rng, algo, 256, 17, 6, 1.0)
        np.testing.assert_array_equal(*(one.step(*arrays) for one in pair))
    same(*pair)


@ALGORITHMS
def test_copies_and_learners_from_a_state_go_on_alike(algo, seed) -> None:
    rng = np.random.default_rng(seed)
    own = LEARNERS[algo](4, 2, (12, 9))
    for _ in range(3):
        own.step(*batch(rng, algo, 20, 4, 2, 1.0))
    loaded = LEARNERS[algo](4, 2, (12, 9), backend="model")
    loaded.load_state_dict(own.state_dict())
    others = [copy.deepcopy(own), pickle.loads(pickle.dumps(own)), loaded]
    for _ in range(3):
        arrays = batch(rng, algo, 20, 4, 2, 1.0)
        first = own.step(*arrays)
        for other in others:
            np.testing.assert_array_equal(first, other.step(*arrays))
    for other in others:
        same(own, other)


@ALGORITHMS
def test_vectors_stay_in_the_engine(algo, monkeypatch, seed) -> None:
    own, used = LEARNERS[algo](4, 2, (12, 9)), []
    for name in ("forward", "backward", "gradient", "to_input"):
        before = getattr(NetworkModel, name)
        monkeypatch.setattr(NetworkModel, name, lambda *x, _b=before, _n=name, **y: used.append(_n) or _b(*x, **y))
    rng = np.random.default_rng(seed)
    for _ in range(3):
        own.step(*batch(rng, algo, 20, 4, 2, 1.0))
    assert not used


@pytest.mark.parametrize("hidden", [{"activation": "tanh"}, {"activation": "silu"}, {"normalisation": "layer"}])
def test_other_hidden_layers_go_by_stages_with_the_same_bits(hidden, seed) -> None:
    rng = np.random.default_rng(seed)
    pair = [Sac(4, 2, SacSettings(network=(12, 9), **hidden), seed=1, backend=b) for b in ("model", "native")]
    for _ in range(8):
        arrays = batch(rng, "sac", 20, 4, 2, 1.0)
        np.testing.assert_array_equal(*(one.step(*arrays) for one in pair))
    same(*pair)


# --- single stages, with numbers of all widths ---


def networks(
    sizes: tuple[int, ...], rng: np.random.Generator, bits: int, formats: LearnerFormats | None = None
) -> tuple[NetworkModel, TrainedNetwork]:
    """The model's and the engine's network with weights of at most `bits` bits."""
    layers = len(sizes) - 1
    formats = formats or LearnerFormats((12,) * (layers + 1), (0,) + (16,) * layers, (0,) + (14,) * layers)
    pair = NetworkModel(sizes, formats, polyak=True), TrainedNetwork(sizes, formats, polyak=True)
    top = 1 << (bits - 1)
    # All widths below five bits less, so that no sum leaves the accumulators, and the two largest numbers there are.
    flat, target = (rng.integers(-top, top, pair[0].size) >> rng.integers(5, 28, pair[0].size) for _ in range(2))
    flat[:2] = -top, top - 1
    for one in pair:
        one.set_flat(flat)
        one.set_flat(target << 9, TARGET)
    return pair


def numbers(rng: np.random.Generator, rows: int, columns: int, bits: int) -> np.ndarray:
    top = 1 << (bits - 1)
    numbers = rng.integers(-top, top, (rows, columns))
    numbers.flat[:2] = (-top, top - 1)[: numbers.size]
    return numbers


def stages_alike(model: NetworkModel, own: TrainedNetwork, x: np.ndarray, delta: np.ndarray) -> int:
    """Every stage of a batch in both networks has the same results; how many stages the engine did itself."""
    counters, held = np.zeros((2, 64), np.int64), 0
    for target in (True, False):
        vectors = [one.forward(x, target=target, counters=c) for one, c in zip((model, own), counters, strict=True)]
        held += isinstance(vectors[1], HeldVectors)
        for layer, (a, b) in enumerate(zip(*vectors, strict=True)):
            np.testing.assert_array_equal(a, b)
            assert layer == 0 or vectors[1].most(layer) == np.abs(a).max()
    fractions = list(model.formats.delta_frac)
    deltas = [
        one.backward(v, delta, fractions, counters=c) for one, v, c in zip((model, own), vectors, counters, strict=True)
    ]
    held += isinstance(deltas[1], HeldDeltas)
    for place, (a, b) in enumerate(zip(*deltas, strict=True)):
        np.testing.assert_array_equal(a, b)
        assert place == 0 or deltas[1].most(place) == np.abs(a).max()
    gradients = [one.gradient(v, d, c) for one, v, d, c in zip((model, own), vectors, deltas, counters, strict=True)]
    np.testing.assert_array_equal(*gradients)
    assert own.largest(gradients[1]) == model.largest(gradients[0])
    np.testing.assert_array_equal(*counters)
    parts = [one.to_input(d, fractions, slice(5, 9)) for one, d in zip((model, own), deltas, strict=True)]
    np.testing.assert_array_equal(*parts)
    return held


@pytest.mark.parametrize("weights", [7, 8, 9, 15, 16, 17, 23, 24, 25, 27])
@pytest.mark.parametrize("acts", [8, 16, 17, 18])
def test_stages_have_the_models_bits_at_every_width(weights, acts, seed) -> None:
    rng = np.random.default_rng(seed)
    sizes = 70, 19, 33, 3
    pair = networks(sizes, rng, weights)
    for rows, zeros in (1, 0), (37, 0), (37, 3), (37, 20), (37, 36), (37, 37):
        x, delta = numbers(rng, rows, sizes[0], acts), numbers(rng, rows, sizes[-1], acts)
        delta[rng.permutation(rows)[:zeros]] = 0
        assert stages_alike(*pair, x, delta) == 3


@pytest.mark.parametrize("weights", [9, 16, 20, 24, 27])
def test_stages_have_the_models_bits_at_every_fraction(weights, seed) -> None:
    rng = np.random.default_rng(seed)
    sizes, held = (21, 18, 40, 2), 0
    for _ in range(24):
        # Shifts of sums are 22 and the difference of two of these, and those of gradients from 0 up.
        act = rng.integers(0, 21, 4)
        delta = rng.integers(0, 21, 4)
        delta[-1] = min(delta[-1], act[-1] + 17)  # as far as an output's may be from it
        grad = [0, *(rng.integers(0, min(31, delta[n] + act[n - 1]) + 1) for n in (1, 2, 3))]
        formats = LearnerFormats(*(tuple(int(n) for n in each) for each in (act, [0, *delta[1:]], grad)))
        acts = int(rng.integers(6, 19))
        x, deltas = numbers(rng, 40, sizes[0], acts), numbers(rng, 40, sizes[-1], acts)
        held += stages_alike(*networks(sizes, rng, weights, formats), x, deltas)
    assert held > 36  # the others leave the accumulators


# 40 rows of 33 numbers: kernels of words list 40 of them that need more than a word, and no more.
@pytest.mark.parametrize("count", [1, 2, 33, 40, 41, 42, 300])
@pytest.mark.parametrize("weights", [9, 15, 20, 24, 27])
def test_stages_with_few_large_numbers_have_the_models_bits(weights, count, seed) -> None:
    rng = np.random.default_rng(seed)
    rows, sizes = 40, (33, 33, 34, 33)
    formats = LearnerFormats((14,) * 4, (0,) + (14,) * 3, (0,) + (12,) * 3)
    model, own = networks(sizes, rng, weights, formats)
    # The first layer gives what it gets, without what is below 0: numbers that have no sign.
    flat = model.planes[0].copy()
    flat[: 33 * 33] = np.eye(33, dtype=np.int64).ravel() << 22
    flat[33 * 33 : 33 * 34] = 0
    for one in (model, own):
        one.set_flat(flat)
    ends = [-(1 << 17), (1 << 17) - 1, -(1 << 15) - 1, -(1 << 15), 1 << 15, (1 << 16) - 1, 1 << 16]
    for beyond in (rng.choice(ends, count), np.full(count, (1 << 17) - 1), np.full(count, -(1 << 17))):
        x, delta = (numbers(rng, rows, 33, 15) for _ in range(2))
        for each in (x, delta):
            each.flat[rng.permutation(each.size)[:count]] = beyond
        x[-1, -1] = x[-1, 0] = delta[-1, -1] = beyond[0]
        assert stages_alike(model, own, x, delta) == 3


def test_sums_that_leave_the_accumulators_are_the_models(seed) -> None:
    rng = np.random.default_rng(seed)
    sizes = 592, 3, 1
    model, own = networks(sizes, rng, 27)
    top = (1 << 26) - 1
    for one in (model, own):
        one.set_flat(np.full(one.size, top))
    x = np.full((2, 592), (1 << 17) - 1)  # sums near 592 * 2**43, which is half of 2**48 behind the wrap
    counters = np.zeros((2, 64), np.int64)
    vectors = [one.forward(x, counters=c) for one, c in zip((model, own), counters, strict=True)]
    assert not isinstance(vectors[1], HeldVectors) and counters[0].any()
    np.testing.assert_array_equal(vectors[0][-1], vectors[1][-1])
    np.testing.assert_array_equal(*counters)


SIGNED, UNSIGNED = (-(1 << 17), -(1 << 15), -1), (127, 1 << 15, (1 << 16) - 1, 1 << 16, (1 << 17) - 1)


@pytest.mark.parametrize(
    "number, alone", [(x, False) for x in SIGNED] + [(x, alone) for x in UNSIGNED for alone in (False, True)]
)
@pytest.mark.parametrize("bits", [9, 16, 20, 23, 24, 26])
def test_a_sum_of_equal_products_has_the_models_bits(number, bits, alone) -> None:
    """Every product is the largest, so that parts of a sum reach whatever a kernel has room for.

    alone: all numbers but one are 0, which a kernel may have as its smallest.
    """
    outputs = np.array([sign * (1 << k) - less for k in range(bits + 1) for sign in (1, -1) for less in (0, 1)])
    top = (1 << bits) - 1
    for depth in (2, 31, 64, 255, 600):
        first = () if number < 0 else (1,)  # behind a rectified layer no number has a sign
        sizes = (*first, depth, len(outputs))
        formats = LearnerFormats((14,) * len(sizes[:-1]) + (18,), (0,) + (4,) * (len(sizes) - 1), (14,) * len(sizes))
        weights = np.zeros((len(outputs), depth), np.int64)
        for row, weight in zip(weights, np.clip(outputs, -top, top), strict=True):
            row[: depth if alone else max(1, (1 << 44) // (abs(number) * max(1, abs(int(weight)))))] = weight
        flat = np.concatenate([weights.ravel(), np.zeros(len(outputs), np.int64)])
        if first:
            copies = np.full(depth, 1 << 22)
            copies[1:] *= not alone
            flat = np.concatenate([copies, np.zeros(depth, np.int64), flat])
        model, own = (kind(sizes, formats, polyak=True, output_width=27) for kind in (NetworkModel, TrainedNetwork))
        for one in (model, own):
            one.set_flat(flat)
        vectors = [one.forward(np.full((3, sizes[0]), number)) for one in (model, own)]
        assert isinstance(vectors[1], HeldVectors)
        np.testing.assert_array_equal(*(each[-1] for each in vectors))


def wide(rng: np.random.Generator, bits: int, *shape: int) -> np.ndarray:
    """Whole numbers of up to `bits` bits, as many small as large ones; ends among them."""
    x = rng.integers(-(1 << bits), 1 << bits, shape) >> rng.integers(0, bits, shape)
    x.flat[: min(x.size, 2)] = (-(1 << bits), (1 << bits) - 1)[: x.size]
    return x


def equal(one: object, other: object) -> None:
    """Arrays, and what holds them."""
    if isinstance(one, np.ndarray):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)
    elif isinstance(one, list | tuple):
        assert len(one) == len(other)
        for x, y in zip(one, other, strict=True):
            equal(x, y)
    elif hasattr(one, "__dict__"):
        equal(list(vars(one).values()), list(vars(other).values()))
    else:
        assert type(one) is type(other)
        assert one == other


@pytest.mark.parametrize("rows", [1, 3, 64])
def test_what_is_no_networks_has_the_models_bits(rows: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    pair = (stages, native_stages)
    values = [wide(rng, 26, rows, 1) for _ in range(3)]
    values[2][rows // 2] = values[0][rows // 2]  # of equals the first one counts
    factors = [np.where(rng.random(rows) < 0.3, 0, rng.integers(0, (1 << 17) + 1, rows)) for _ in range(2)]
    none = np.zeros((rows, 0), np.int64)
    codes = Codes(none, none, wide(rng, 26, rows), none, *factors, 0)
    for count in (1, 2, 3):
        equal(*(by.least_value(values[:count], -65536) for by in pair))
        for less in (None, wide(rng, 27, rows)):
            equal(*(by.target_value(values[:count], less) for by in pair))
    for frac, delta_frac in ((0, 0), (14, 12), (30, 31), (10, 27)):
        equal(*(by.critic_errors(values[0], values[1][:, 0], codes, frac, delta_frac) for by in pair))
    parts = [wide(rng, 40, rows, 7)[:, 2:5] for _ in range(2)]  # as to_input() gives them
    for count in (1, 2):
        equal(*(by.limited_sum(parts[:count]) for by in pair))
    drawn = []
    for by in pair:
        generator = Xoshiro128pp((1, 2, 3, seed & 0xFFFFFFFF))
        drawn += [(by.normals(generator, rows, 3), generator.state, by.normals(generator, 2, 1))]
    equal(*drawn)
    for log in (0, 1, -1, *wide(rng, 26, 40).tolist()):
        equal(*(by.exponential(log) for by in pair))


@pytest.mark.parametrize("frac", [0, 9, 16])
def test_transitions_have_the_models_codes(frac: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    real = lambda *shape: rng.standard_normal(shape) * 2.0 ** rng.integers(-20, 25, shape)  # noqa: E731
    batch = TransitionBatch(
        real(9, 4), np.clip(real(9, 2), -1, 1), np.clip(real(9), -500, 500), real(9, 4), rng.random(9), rng.random(9)
    )
    batch.states[0, :3] = 1e300, -1e300, 2.0 ** (17 - frac)
    results = []
    for by in (stages, native_stages):
        counters = np.zeros(2, np.int64)
        results.append((by.codes_of(batch, frac, counters, 0.5), counters))
    equal(*results)
    assert results[0][1][0] >= 2
    batch.rewards[3] = 1e4
    for by in (stages, native_stages):
        with pytest.raises(UserError, match=r"a reward is 10000; .*give a smaller reward_scale"):
            by.codes_of(batch, frac, np.zeros(1, np.int64))
