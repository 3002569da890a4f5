"""PPO on the engine beside the model: the same weights, moments, generators, counters and rollouts, bit for bit."""

import numpy as np
import pytest

from rlcores.cores.env.cartpole import CartPole
from rlcores.cores.env.model import EnvModel
from rlcores.cores.env.mountaincar import MountainCarContinuous
from rlcores.cores.env.native import NativeEnvs
from rlcores.cores.env.pendulum import Pendulum
from rlcores.cores.learner.format import LearnerFormats as NetworkFormats
from rlcores.cores.ppo.model import RECORD, Ppo
from rlcores.cores.ppo.native import NativePpo
from rlcores.cores.ppo.settings import PpoFormats, registers

pytestmark = pytest.mark.usefixtures("isa")

KINDS = pytest.mark.parametrize("gaussian", [False, True], ids=["categorical", "gaussian"])
TRUNKS = pytest.mark.parametrize("shared", [False, True], ids=["separate", "shared"])
ENVIRONMENTS = CartPole(), MountainCarContinuous(), Pendulum()
PHYSICS = pytest.mark.parametrize("physics", ENVIRONMENTS, ids=lambda physics: physics.name)


def both(rng: np.random.Generator, gaussian: bool, shared: bool, inputs: int, outputs: int, **options) -> list[Ppo]:
    """The model and the engine with the same random weights. given: settings of registers(); wide: of the weights."""
    wide, columns = options.pop("wide", 0.6), options.pop("columns", 1)
    layers = NetworkFormats((14, 13, 12, 16), (0, 12, 12, 11), (0, 18, 17, 16))
    formats = PpoFormats(layers, None if shared else layers, 17)
    settings = registers(formats, gaussian=gaussian, seed=int(rng.integers(2**32)), **options)
    sizes = (inputs, 17, 12, outputs + shared)
    critic = None if shared else (inputs, 9, 21, 1)
    learners = [cls(sizes, critic, formats, settings, gaussian, columns) for cls in (Ppo, NativePpo)]
    flats = [rng.normal(0, wide, network.size) for network in (learners[0].actor, learners[0].critic)]
    logs = rng.normal(-0.5, 0.4, outputs) if gaussian else None
    for own in learners:
        own.load(*(flats[:1] if shared else flats), logs=logs)
    return learners


def mixed(rng: np.random.Generator, width: int, shape, usual: int) -> np.ndarray:
    """Signed numbers of `width` bits: mostly small, some any, some at the ends of the range."""
    half = 1 << width - 1
    kind = rng.integers(0, 20, shape)
    small = rng.integers(-usual, usual + 1, shape)
    ends = rng.choice([-half, half - 1, 0, 1, -1], shape)
    return np.where(kind < 17, small, np.where(kind < 19, rng.integers(-half, half, shape), ends))


def minibatch(rng: np.random.Generator, own: Ppo, count: int, extreme: bool) -> tuple[np.ndarray, ...]:
    """What step() takes; extreme: with numbers at their ends."""

    def pick(width: int, shape, usual: int) -> np.ndarray:
        return mixed(rng, width, shape, usual) if extreme else rng.integers(-usual, usual + 1, shape)

    gaussian = own.gaussian
    actions = pick(27, (count, own.outputs), 1 << 17) if gaussian else rng.integers(0, own.outputs, count)
    x, before = pick(18, (count, own.actor.sizes[0]), 1 << 15), -np.abs(pick(27, count, 1 << 22))
    return x, actions, before, pick(27, count, 5 << 16), pick(27, count, 2 << 16)


def same(model: Ppo, engine: Ppo) -> None:
    """Everything that a learner has."""
    assert (model.actor.planes == engine.actor.planes).all()
    assert (model.critic.planes == engine.critic.planes).all()
    assert (model.logs == engine.logs).all()
    assert model.saturations() == engine.saturations()
    assert model._noise.state == engine._noise.state and model._shuffle.state == engine._shuffle.state


@KINDS
@TRUNKS
@pytest.mark.parametrize("value_clip", [None, 0.2])
def test_gradient_steps_are_the_models(seed, gaussian, shared, value_clip):
    rng = np.random.default_rng(seed)
    model, engine = both(rng, gaussian, shared, 5, 3, envs=6, steps=10, minibatches=2, value_clip=value_clip)
    for number in range(8):
        batch = minibatch(rng, model, 30, extreme=number % 2 == 1)
        model.step(*batch)
        engine.step(*batch)
        assert all((a == b).all() for a, b in zip(model.gradients, engine.gradients, strict=True))
        same(model, engine)
    assert model.updates == engine.updates == 8
    assert np.abs(model.actor.planes[2]).max() > 0


@PHYSICS
@TRUNKS
@pytest.mark.parametrize("native_envs", [False, True], ids=["of_others", "native"])
@pytest.mark.parametrize("record_bits", [0, 3, 8, 10])
def test_iterations_are_the_models(seed, physics, shared, native_envs, record_bits):
    rng = np.random.default_rng(seed)
    gaussian = physics.actions == 0
    inputs, outputs = len(physics.observations), physics.actions or 1
    settings = {"envs": 5, "steps": 14, "minibatches": 2, "epochs": 2, "falls": 3, "columns": 3 if native_envs else 8}
    settings["record_bits"] = record_bits
    model, engine = both(rng, gaussian, shared, inputs, outputs, **settings)
    ours = (NativeEnvs if native_envs else EnvModel)(physics, 5, time_limit=9)
    envs = EnvModel(physics, 5, time_limit=9)
    seen, mine = envs.start(3)["obs"], ours.start(3)["obs"]
    for _ in range(2):
        rollout, seen = model.collect(envs, seen)
        collected, mine = engine.collect(ours, mine)
        assert (seen == mine).all()
        for name, array in vars(rollout).items():
            assert np.array_equal(array, getattr(collected, name)), name
        model.train(rollout)
        engine.train(collected)
        same(model, engine)
    assert rollout.truncated.any()
    if record_bits:
        assert (rollout.baselines != rollout.values).any() and model.counters[RECORD] == engine.counters[RECORD]
        assert np.array_equal(model.save()["records"], engine.save()["records"])
    assert model.iterations == engine.iterations == 2 and model.updates == engine.updates == 8


@KINDS
def test_where_a_sum_leaves_its_accumulator_the_model_goes_on(seed, gaussian):
    """Weights near their limit make sums beyond 2**46."""
    rng = np.random.default_rng(seed)
    physics = Pendulum() if gaussian else CartPole()
    inputs, outputs = len(physics.observations), physics.actions or 1
    model, engine = both(rng, gaussian, False, inputs, outputs, envs=4, steps=6, minibatches=2, epochs=1)
    for own in (model, engine):
        flat = own.actor.planes[0].copy()
        flat[own.actor.starts[1] :] = (1 << 26) - 1
        flat[: own.actor.starts[1]] = (1 << 26) - 1
        own.actor.set_flat(flat)
    ours, envs = NativeEnvs(physics, 4), EnvModel(physics, 4)
    seen, mine = envs.start(1)["obs"], ours.start(1)["obs"]
    high = np.full(seen.shape, (1 << 17) - 1)
    (rollout, seen), (collected, mine) = model.collect(envs, high), engine.collect(ours, high)
    assert (seen == mine).all() and all(np.array_equal(a, getattr(collected, n)) for n, a in vars(rollout).items())
    model.train(rollout)
    engine.train(collected)
    same(model, engine)
    assert "sum" in model.saturations()
