"""PPO's gradient in products of 16 bits is the model's, also where sums come to the end of 32 bits and beyond."""

import platform

import numpy as np
import pytest

from rlcores.cores.learner.format import LearnerFormats
from rlcores.cores.ppo.model import Ppo
from rlcores.cores.ppo.native import NativePpo
from rlcores.cores.ppo.settings import PpoFormats, registers

pytestmark = pytest.mark.usefixtures("isa")

WORD, LOW = 1 << 12, 1 << 11
ANY = (1 << 16) - 1, 1 << 15, (1 << 15) - 1, 1, 0
QUICK = platform.machine() in ("x86_64", "AMD64")  # elsewhere all is in doubles


def alike(sizes, weights, rows, delta: int = 3, inputs_frac: int = 14) -> bool:
    """Whether the gradient was found in words; it is the model's.

    weights: of each layer W and b, which all of a matrix are. rows: inputs. delta: of each row's output.
    """
    act, of_delta = (inputs_frac, *[12] * (len(sizes) - 2), 16), (0, *[11] * (len(sizes) - 1))
    formats = LearnerFormats(act, of_delta, (0, *[9] * (len(sizes) - 1)))
    settings = registers(PpoFormats(formats, formats, 17), gaussian=False, envs=8, steps=64, minibatches=1, seed=1)
    learners = [
        cls((*sizes[:-1], 2), sizes, PpoFormats(formats, formats, 17), settings, False) for cls in (Ppo, NativePpo)
    ]
    nothing, value = np.zeros(len(rows), np.int64), None
    for own in learners:
        for network in (own.actor, own.critic):
            of = zip(network.sizes, network.sizes[1:], weights, strict=False)
            network.start(np.concatenate([np.repeat([w, b], [m * n, n]) for m, n, (w, b) in of]))
        value = own.critic.outputs(rows)[:, 0] if value is None else value
        # The value's delta is its error / 64.
        own.find_gradients(rows, nothing, nothing - (1 << 20), nothing, value - (delta << 6))
    model, engine = learners
    assert all((a == b).all() for a, b in zip(model.gradients, engine.gradients, strict=True))
    assert model.saturations() == engine.saturations()
    return engine._engine.quick()


def border(in_words: list[bool], most: int) -> None:
    """The first `most` of them went in words, the others did not."""
    assert in_words == [QUICK] * most + [False] * (len(in_words) - most)


def vectors(vector: int, rows: int = 20) -> tuple[tuple[int, int], np.ndarray]:
    """A first layer that makes all of its results this number."""
    return (0, vector << 10), np.zeros((rows, 4), np.int64)


@pytest.mark.parametrize("neurons", [64, 96])
@pytest.mark.parametrize("weight", [LOW, LOW - 1, -LOW, 5 * WORD + LOW])
def test_low_words_of_numbers_of_one(neurons, weight):
    most = ((1 << 31) - 2 * LOW - 1) // (LOW * neurons)
    in_words = []
    for vector in (most - 1, most, most + 1, most + 2):
        first, rows = vectors(vector)
        in_words.append(alike((4, neurons, neurons, 1), [first, (weight, 5), (0, 0)], rows))
    border(in_words, 2)


@pytest.mark.parametrize("weight", [(1 << 26) - 1, -(1 << 26)])
def test_high_words_of_numbers_of_one(weight):
    in_words = []
    for vector in (1022, 1023, 1024, 1025, 2047, 2048, 2049, 4096):  # 64 * 2^14 * 1024 are 2^30
        first, rows = vectors(vector)
        in_words.append(alike((4, 64, 64, 1), [first, (weight, 0), (0, 0)], rows))
    border(in_words, 2)


def test_low_words_of_numbers_of_two():
    # -2048 * -2048 * 512 are 2^31.
    border(
        [alike((n, 16, 16, 1), [(LOW, 0), (1, 1), (1, 0)], np.full((20, n), 10 * WORD + LOW)) for n in range(509, 514)],
        3,
    )


def test_middle_words_of_numbers_of_two():
    rows = np.full((20, 64), LOW)
    rows[:, 0] += 10 * WORD
    steps = [alike((64, 16, 16, 1), [(high * WORD, 0), (0, 0), (0, 0)], rows) for high in range(4088, 4100)]
    border(steps, sum(steps))
    assert not QUICK or 0 < sum(steps) < len(steps)


def test_high_words_of_numbers_of_two_that_move_up():
    rows = np.full((20, 4), (1 << 17) - 1)
    highs = range(3996, 4010)
    steps = [alike((4, 16, 16, 1), [(high * WORD, 0), (0, 0), (0, 0)], rows, inputs_frac=4) for high in highs]
    border(steps, sum(steps))
    assert not QUICK or 0 < sum(steps) < len(steps)


@pytest.mark.parametrize("count", [20, 256, 300])
@pytest.mark.parametrize("vector", ANY)
@pytest.mark.parametrize("delta", [*ANY, (1 << 17) - 1, -(1 << 17), 4095, 4096, 4097])
def test_gradients_of_columns_that_are_all_alike(count, vector, delta):
    first, rows = vectors(vector, count)
    assert alike((4, 17, 1), [first, (0, 0)], rows, delta) == QUICK


@pytest.mark.parametrize(
    "vector, delta", [(2048, 4095), (2048, 4096), (2048, 4097), (8192, 4095), (8192, 4096), (8192, 4097)]
)
def test_gradients_come_to_the_end_of_32_bits(vector, delta):
    # 256 rows of 2048 * 4096, and 64 of 8192 * 4096.
    first, rows = vectors(vector, 256)
    for signed in (delta, -delta):
        assert alike((4, 17, 1), [first, (0, 0)], rows, signed) == QUICK
