"""GAE in the native engine gives the model's integers and NumPy's floats, on every instruction set."""

import threading
import warnings
from collections.abc import Iterator

import numpy as np
import pytest

from rlcores.cores.gae.api import ACCURACIES, FLOATS, Gae, advantages
from rlcores.cores.gae.float64 import rollout as float_gae
from rlcores.eda import configs
from rlcores.errors import CoreWarning, UserError

ARRAYS = ("advantages", "returns", "rewards", "values", "bootstrap", "final_values")
NUMBERS = ("step", "shift", "runs", "cycles", "elements", "stalls", "clipped_rewards", "clipped_values", "flags", "rms")


pytestmark = pytest.mark.usefixtures("isa")


def make(rng: np.random.Generator, steps: int, envs: int, ends: float, scale: float = 1.0, mean: float = 0.0) -> tuple:
    """A rollout with terminations and truncations anywhere, some both."""
    shape = steps, envs
    terminated, truncated = rng.random((2, *shape)) < ends
    final = np.where(truncated & ~terminated, rng.normal(0, scale, shape), np.nan)
    rewards, values = rng.normal(mean, 1, shape) * scale, rng.normal(0.5, 2, shape) * scale
    return rewards, values, terminated, truncated, rng.normal(0, scale, envs), final


def any_rollout(rng: np.random.Generator, far: float) -> tuple:
    """far: 1, or a scale at an end of float64, which all rollouts of a core should share."""
    steps, envs = int(rng.integers(1, 70)), int(rng.integers(1, 90))
    scale = far * 10.0 ** rng.integers(-6, 6)
    return make(rng, steps, envs, float(rng.choice([0, 0.02, 0.3])), float(scale), float(rng.choice([0, 0.3, 1e6])))


def same(one, other) -> None:
    for name in ARRAYS:
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes(), name
    for name in NUMBERS:
        assert getattr(one, name) == getattr(other, name), name


def pair(config, gamma: float, gae_lambda: float, threads: int = 1, **options) -> tuple[Gae, Gae]:
    return (
        Gae(config, "native", gamma, gae_lambda, threads=threads, **options),
        Gae(config, "model", gamma, gae_lambda, **options),
    )


def compared(pair: tuple[Gae, Gae], rollout: tuple) -> None:
    """The same numbers, statistics and warnings."""
    results = []
    for core in pair:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", CoreWarning)
            results.append((core.compute(*rollout), [str(w.message) for w in caught]))
    same(results[0][0], results[1][0])
    assert results[0][1] == results[1][1]
    assert pair[0].statistics == pair[1].statistics


def parameters() -> Iterator[dict[str, int]]:
    """Cores of every kind: as configured, and with three and four steps of look-ahead, narrow and wide."""
    for name in ("tiny", "wide", "tiny16"):
        yield configs.load("gae", name)
    for deep in (3, 4):
        yield configs.load("gae", "tiny") | {"LOOKAHEAD": deep}
        yield configs.load("gae", "tiny16") | {"LOOKAHEAD": deep, "INTERLEAVE": 1}


@pytest.mark.parametrize("core", [None, *parameters()], ids=str)
def test_every_number_is_the_models(core, seed):
    rng = np.random.default_rng(seed)
    for _ in range(3):
        options = {"reward_scaling": str(rng.choice(["none", "scale", "standardise"]))}
        options["order"] = str(rng.choice(["include", "previous"]))
        options["clip"] = rng.choice([None, 0.5, 4.0])
        if core is None:
            options["accuracy"] = str(rng.choice(list(ACCURACIES)))
        else:
            options["qbits"] = int(rng.integers(3, core["QBITS"] + 1))
        gamma, gae_lambda = (float(x) for x in rng.choice([0, 0.5, 0.9, 0.99, 1.0], 2))
        both = pair(core, gamma, gae_lambda, int(rng.integers(1, 4)), **options)
        far = float(rng.choice([1.0, 1.0, 1.0, 1e-304, 1e-300, 1e290]))
        for _ in range(2):
            compared(both, any_rollout(rng, far))


def test_rewards_of_every_kind_are_the_models(seed):
    rng = np.random.default_rng(seed)
    shape = 40, 9
    sparse = np.zeros(shape)
    sparse[7, 3] = 100.0
    kinds = (np.zeros(shape), np.ones(shape), np.full(shape, 0.1), sparse, 1e6 + rng.normal(size=shape))
    for rewards in (*kinds, rng.integers(-5, 6, shape), rng.random(shape) < 0.3, 1e300 * rng.normal(size=shape)):
        for values in (np.zeros(shape), rng.normal(size=shape)):
            for accuracy in ACCURACIES:
                for scaling in ("none", "standardise"):
                    both = pair(None, 0.99, 0.95, accuracy=accuracy, reward_scaling=scaling)
                    compared(both, (rewards, values, *(rng.random((2, *shape)) < 0.05), values[-1], values))


def test_long_rollouts_are_joined_as_the_model_joins_them(seed):
    """5,000 steps on lanes of 4,096: pieces, clipped numbers where they meet."""
    rng = np.random.default_rng(seed)
    for clip in (None, 0.1):
        compared(pair(None, 0.999, 1.0, 2, clip=clip), make(rng, 5000, 3, 0.001))
        compared(pair("tiny", 0.97, 0.9, clip=clip), make(rng, 60, 3, 0.1))


@pytest.mark.parametrize("accuracy", [None, "8bit", *FLOATS])
def test_no_result_depends_on_the_threads(accuracy, seed):
    rollout = make(np.random.default_rng(seed), 1024, 70, 0.01)
    one, *others = (Gae(accuracy=accuracy, threads=n)._pair(*rollout) for n in (1, 2, 7, 64))
    for other in others:
        assert [x.tobytes() for x in one] == [x.tobytes() for x in other]


def test_two_threads_of_python_do_not_meet(seed):
    rng = np.random.default_rng(seed)
    rollouts = [make(rng, 200, 20, 0.05, mean=m) for m in (0.0, 3.0)]
    alone = [Gae().compute(*r) for r in rollouts]
    results_of: dict[int, list] = {0: [], 1: []}

    def work(i: int) -> None:
        core = Gae()
        results_of[i] += [core.compute(*rollouts[i]) for _ in range(20)]

    threads = [threading.Thread(target=work, args=(i,)) for i in results_of]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i, results in results_of.items():
        assert len(results) == 20
        for result in results:
            same(result, alone[i])


@pytest.mark.parametrize("accuracy", list(FLOATS))
def test_plain_floats_are_those_of_numpys_loop_to_the_bit(accuracy, seed):
    rng = np.random.default_rng(seed)
    dtype = FLOATS[accuracy]
    for _ in range(12):
        rollout = make(rng, int(rng.integers(1, 50)), int(rng.integers(1, 150)), float(rng.choice([0, 0.05, 0.4])))
        narrow = [x if x.dtype == bool else x.astype(dtype) for x in rollout]
        rewards, values, terminated, truncated, bootstrap, final = narrow
        right = float_gae(rewards, values, terminated, truncated & ~terminated, bootstrap, final, 0.97, 0.9)
        for backend in ("native", "model"):
            answers = advantages(*narrow[:5], 0.97, 0.9, final_values=final, accuracy=accuracy, backend=backend)
            for mine, numpys in zip(answers, right, strict=True):
                assert mine.dtype == dtype and mine.tobytes() == numpys.tobytes()
        # The long way round, with numbers of another type, and with statistics.
        compared(pair(None, 0.97, 0.9, accuracy=accuracy), rollout)
        compared(pair(None, 0.97, 0.9, accuracy=accuracy, reward_scaling="standardise"), rollout)


@pytest.mark.parametrize("accuracy", [*ACCURACIES, *FLOATS])
@pytest.mark.parametrize("place", range(6))
def test_a_number_that_is_not_finite_is_named_as_the_model_names_it(accuracy, place, seed):
    rng = np.random.default_rng(seed)
    rollout = list(make(rng, 30, 20, 0.2))
    numbers = np.argwhere(rollout[3] & ~rollout[2] if place == 5 else np.ones(rollout[place].shape, bool))
    if place in (2, 3):
        rollout[place] = rollout[place].astype(np.float64)
    rollout[place][tuple(rng.choice(numbers))] = rng.choice([np.nan, np.inf, -np.inf])
    said = []
    for core in (*pair(None, 0.99, 0.95, accuracy=accuracy),):
        for call in (core.compute, core._pair):
            with pytest.raises(UserError) as caught:
                call(*rollout)
            said.append(str(caught.value))
    assert len(set(said)) == 1
    # And the next rollout is as right as any.
    compared(pair(None, 0.99, 0.95, accuracy=accuracy), make(rng, 30, 20, 0.2))


@pytest.mark.parametrize("accuracy", list(FLOATS))
def test_a_float_that_overflows_is_refused(accuracy):
    most = np.full((4, 2), np.finfo(FLOATS[accuracy]).max, FLOATS[accuracy])
    never = np.zeros((4, 2), bool)
    for backend in ("native", "model"):
        with pytest.raises(UserError, match=rf"a result is beyond .*, the largest {accuracy}"):
            advantages(most, most * 0, never, never, most[0] * 0, accuracy=accuracy, backend=backend)
    with pytest.raises(UserError, match=r"a number is beyond .*, the largest float32"):
        large = np.full((4, 2), 1e300)
        advantages(large, large * 0, never, never, large[0] * 0, accuracy="float32")


@pytest.mark.parametrize("options", [{"config": "tiny"}, {"clip": 4.0}, {"backend": "rtl"}])
def test_plain_floats_have_no_core(options):
    with pytest.raises(UserError, match="accuracy 'float32' is no core's"):
        Gae(accuracy="float32", **options)


@pytest.mark.parametrize("accuracy", ["float32", "float64"])
def test_the_plain_recurrence_takes_arrays_however_they_lie(accuracy, seed):
    rng = np.random.default_rng(seed)
    shape = 5, 3
    terminated, truncated = rng.random((2, *shape)) < 0.2
    rollout = [
        *rng.normal(size=(2, *shape)),
        terminated,
        truncated & ~terminated,
        rng.normal(size=3),
        rng.normal(size=shape),
    ]
    for lies in (
        np.asfortranarray,
        lambda x: np.repeat(x, 2, axis=0)[::2],
        lambda x: x.astype(x.dtype.newbyteorder(">")),
    ):
        for place in range(6):
            arrays = [lies(x) if k == place else x for k, x in enumerate(rollout)]
            answers = [
                advantages(*arrays[:5], final_values=arrays[5], accuracy=accuracy, backend=backend)
                for backend in ("native", "model")
            ]
            for one, other in zip(*answers, strict=True):
                assert one.tobytes() == other.tobytes()
