"""Small PPO learners, integer and float64, with the same weights and the same minibatch; environments of the host."""

import numpy as np

from rlcores.cores.env.environments import named
from rlcores.cores.env.host import HostEnvs
from rlcores.cores.learner.format import LearnerFormats as NetworkFormats
from rlcores.cores.policy import density
from rlcores.cores.ppo.float64 import FloatPpo, FloatPpoSettings, Minibatch
from rlcores.cores.ppo.model import Ppo
from rlcores.cores.ppo.settings import PpoFormats, PpoSettings, registers

ACTOR = NetworkFormats((14, 13, 16), (0, 12, 11), (0, 18, 17))
CRITIC = NetworkFormats((14, 12, 16), (0, 11, 12), (0, 17, 18))
LN2 = np.log(2)


def host(name: str, count: int, mode: str = "SAME_STEP", **options) -> HostEnvs:
    """Gymnasium's environments of a name, as ours see them."""
    import gymnasium

    kinds = {"autoreset_mode": getattr(gymnasium.vector.AutoresetMode, mode)}
    vector = gymnasium.make_vec(name, count, vectorization_mode="sync", vector_kwargs=kinds, **options)
    return HostEnvs(vector, named(name).observations)


def formats(shared: bool) -> PpoFormats:
    """Of networks of two layers."""
    return PpoFormats(ACTOR, None if shared else CRITIC, 17)


def learner(gaussian: bool, shared: bool, seed: int = 0, inputs: int = 3, actions: int = 2, **options) -> Ppo:
    """Of 16 hidden neurons, weights 0. given: settings of registers()."""
    made = formats(shared)
    settings: PpoSettings = registers(made, gaussian=gaussian, seed=seed, **options)
    sizes = (inputs, 16, actions + shared)
    return Ppo(sizes, None if shared else (inputs, 16, 1), made, settings, gaussian)


def random_weights(rng: np.random.Generator, own: Ppo) -> FloatPpo:
    """The same random weights into both; returns the float64 one, with PPO's usual coefficients."""
    s = own.settings
    coefficients = FloatPpoSettings(value_clip=s.value_clip / 2**16 if s.value_clip else None)
    sizes = own.actor.sizes
    exact = FloatPpo(sizes, None if own.shared else own.critic.sizes, own.gaussian, coefficients)
    exact.theta[:] = np.round(rng.normal(0, 0.6, exact.theta.size) * 2**22) / 2**22
    exact.logs[:] = np.clip(exact.logs, -0.4, 0.4)
    critic = None if own.shared else exact.critic.theta
    own.load(exact.actor.theta, critic, exact.logs)
    exact.logs[:] = own.logs[0] / 2**22
    return exact


def minibatch(rng: np.random.Generator, own: Ppo) -> tuple[tuple[np.ndarray, ...], Minibatch]:
    """What Ppo.step takes, from a policy a little other than the present one; and the same in real numbers."""
    count = own.settings.batch
    x = np.round(rng.normal(0, 1, (count, own.actor.sizes[0])) * 2**14).astype(np.int64)
    out, values = own.look(x)
    answers = own.act(out)
    before = answers.logs + np.round(_apart(rng, count) * 2**20).astype(np.int64)
    old = values + np.round(_apart(rng, count) * 2**16).astype(np.int64)
    advantages = np.round(rng.normal(0.5, 2, count) * 2**16).astype(np.int64)
    one = 2.0**-density.OUT_FRAC
    actions = answers.samples * one if own.gaussian else answers.samples
    real = Minibatch(x / 2**14, actions, before / 2**20 * LN2, old * one, advantages * one, (advantages + old) * one)
    return (x, answers.samples, before, old, advantages), real


def _apart(rng: np.random.Generator, count: int) -> np.ndarray:
    # Within a clip range of 0.2 or beyond it, never at its end, where one arithmetic cuts and the other does not.
    return rng.choice([-1, 1], count) * np.where(rng.random(count) < 0.7, rng.uniform(0, 0.15, count), 0.5)
