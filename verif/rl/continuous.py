"""Batches of a small control problem, TD3 and SAC beside float64 and autograd, from the same weights and noise."""

from dataclasses import replace

import numpy as np

from rlcores.cores.rl import sac, td3
from rlcores.cores.rl.actor_critic import ActorCritic
from rlcores.cores.rl.batch import TransitionBatch, batch_of, codes_of
from rlcores.cores.rl.float64 import FloatSac, FloatTd3
from rlcores.cores.rl.networks import COUNTERS

KINDS = {"td3": (td3.Td3, FloatTd3, td3.Td3Settings), "sac": (sac.Sac, FloatSac, sac.SacSettings)}


def batch(rng: np.random.Generator, count: int, states: int, actions: int) -> TransitionBatch:
    """Transitions of x' = 0.9 x + 0.3 a with a cost, some of which end."""
    s = rng.normal(size=(count, states))
    a = rng.uniform(-1, 1, (count, actions))
    following = 0.9 * s + 0.3 * a[:, np.arange(states) % actions] + 0.05 * rng.normal(size=(count, states))
    rewards = -(following**2).sum(axis=1) - 0.1 * (a**2).sum(axis=1)
    discounts = np.where(rng.random(count) < 0.05, 0.0, 0.99)
    return TransitionBatch(s, a, rewards, following, discounts, rng.uniform(0.2, 1, count))


def learner(algo: str, states: int, actions: int, network: tuple[int, ...], *, backend: str = "native", **changes):
    """One of an algorithm, its rate as fast as a short test needs."""
    kind, _, settings = KINDS[algo]
    return kind(states, actions, settings(network=network, learning_rate=1e-3, **changes), seed=3, backend=backend)


def twin(algo: str, own: ActorCritic) -> FloatTd3 | FloatSac:
    """The float64 learner that stands where the integers do, its generator too."""
    float_learner = KINDS[algo][1](own.states, own.actions, own.settings, dtype=np.float64)
    copy(own, float_learner)
    float_learner.generator.state, float_learner.steps = own.generator.state, own.steps
    return float_learner


def copy(own: ActorCritic, to: FloatTd3 | FloatSac) -> None:
    """The integers' weights into a float learner, exactly."""
    for mine, other in zip(own.networks, to.networks, strict=True):
        other.net.theta[:], other.target.theta[:] = mine.theta(), mine.theta(target=True)
    if isinstance(own, sac.Sac):
        to.log_alpha[0] = own.temperature.log * 2.0**-22


def gradients(
    algo: str, own: ActorCritic, transitions: TransitionBatch
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """One step of the integers, and of both the gradients of the batch's sum on the way: (integers, float64)."""
    other, count, codes = (
        twin(algo, own),
        len(transitions),
        codes_of(transitions, own.input.frac, np.zeros(COUNTERS, np.int64)),
    )
    kept, real = {}, {}
    grads = [2.0 ** -n.integers.grad_frac.astype(float) for n in own.networks]

    def critics(gradient_list: list[np.ndarray]) -> None:
        for n, g in enumerate(gradient_list, 1):
            kept[f"critic{n}"], real[f"critic{n}"] = g * grads[n], other.critics[n - 1].gradient * count

    if algo == "td3":
        other.critic_gradients(transitions, other.next_input(transitions))
        gradient_list = own.critic_gradients(codes, own.next_input(codes))
        critics(gradient_list)
        own.update_critics(gradient_list, count, True)
        copy(own, other)
        kept["actor"] = own.actor_gradient(codes) * grads[0]
        other.actor_gradient(transitions)
    else:
        alpha = own.temperature.alpha
        drawn, mine = other.drawn(transitions.states), own.drawn(codes.states)
        real["temperature"] = other.temperature_gradient(drawn[-1]) * count
        kept["temperature"] = own.temperature.gradient(mine[1].log)[1:] * 2.0**-sac.TEMPERATURE_FRAC
        exact = float(np.exp(other.log_alpha[0]))
        other.critic_gradients(transitions, *other.following(transitions, exact))
        gradient_list = own.critic_gradients(codes, *own.following(codes, alpha))
        critics(gradient_list)
        own.update_critics(gradient_list, count, True)
        copy(own, other)
        kept["actor"] = own.actor_gradient(codes, *mine, alpha) * grads[0]
        other.actor_gradient(transitions, drawn, exact)
    real["actor"] = other.actor.gradient * count
    return kept, real


def median_error(integer: np.ndarray, exact: np.ndarray) -> float:
    """|integer / exact - 1|, median of the parameters that have a gradient."""
    there = np.abs(exact) > 0
    return float(np.median(np.abs(integer[there] / exact[there] - 1)))


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    """Of the angle between two vectors."""
    return float(a @ b / max(np.linalg.norm(a) * np.linalg.norm(b), 1e-300))


def changed(transitions: TransitionBatch, **parts: np.ndarray) -> TransitionBatch:
    """The batch with other arrays."""
    return batch_of(
        transitions.states.shape[1], transitions.actions.shape[1], tuple(vars(replace(transitions, **parts)).values())
    )
