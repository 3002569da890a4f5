"""The largest numbers that a float learner's tensors reach, by name and layer: what fractions must hold."""

import math

import numpy as np

from rlcores.cores.learner.float64 import FloatDdpgLearner, FloatNetwork, FloatValueLearner
from rlcores.cores.learner.format import LearnerBatch


class Ranges:
    """Running maxima of magnitudes, by name and layer."""

    def __init__(self) -> None:
        self.largest: dict[str, list[float]] = {}

    def see(self, name: str, tensors: list[np.ndarray]) -> None:
        """Takes the tensors of layers 0, 1, ... into account."""
        peaks = [float(np.abs(x).max()) for x in tensors]
        self.largest[name] = [max(a, b) for a, b in zip(self.largest.get(name, peaks), peaks, strict=True)]

    def fractions(self, name: str, width: int, headroom: int, most: int) -> tuple[int, ...]:
        """Fraction bits of each layer so that `width` bits hold the largest number times 2**headroom."""
        return tuple(
            max(0, min(most, width - 1 - headroom - math.ceil(math.log2(max(x, 1e-9))))) for x in self.largest[name]
        )


def _network(ranges: Ranges, name: str, network: FloatNetwork, x: np.ndarray, delta: np.ndarray) -> None:
    # Deltas and gradients as the core has them: summed over the batch, not averaged.
    vectors = network.forward(x)
    deltas = network.deltas(vectors, delta)
    gradients = [
        np.concatenate([d.T @ h, d.sum(0)[:, None]], axis=1) for d, h in zip(deltas, vectors[:-1], strict=True)
    ]
    ranges.see(f"{name} act", vectors)
    ranges.see(f"{name} delta", deltas)
    ranges.see(f"{name} gradient", gradients)


def observe(ranges: Ranges, learner: FloatValueLearner | FloatDdpgLearner, batch: LearnerBatch) -> None:
    """Adds what the learner computes for this batch."""
    s, count = learner.settings, len(batch.rewards)
    states, next_states = np.asarray(batch.states), np.asarray(batch.next_states)
    ddpg = isinstance(learner, FloatDdpgLearner)
    if ddpg:
        x = np.concatenate([states, batch.actions], axis=1)
        next_actions = np.tanh(learner.actor_target.output(next_states))
        following = learner.target.output(np.concatenate([next_states, next_actions], axis=1))[:, 0]
        actions = np.zeros(count, np.int64)
    else:
        x, actions = states, np.asarray(batch.actions)
        following = learner.target.output(next_states)
        ranges.see("value act", [np.zeros(1)] * len(learner.weights) + [following])
        following = following.max(1)
    q = learner.network.output(x)
    rows = np.arange(count)
    td = q[rows, actions] - batch.rewards * s.reward_scale - s.gamma * np.where(batch.terminated, 0, following)
    ranges.see("td", [td])
    delta = np.zeros_like(q)
    delta[rows, actions] = s.clipped(td) * batch.weights
    _network(ranges, "value", learner.network, x, delta)
    if not ddpg:
        return
    u = learner.actor.output(states)
    a = np.tanh(u)
    vectors = learner.network.forward(np.concatenate([states, a], axis=1))
    deltas = learner.network.deltas(vectors, -np.ones((count, 1)))
    to_action = (deltas[0] @ learner.weights[0])[:, states.shape[1] :]
    ranges.see("pass delta", [to_action, *deltas])
    _network(ranges, "actor", learner.actor, states, to_action * (1 - a * a))
