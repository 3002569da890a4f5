"""DQN as a program of rlc_tensor_trainer: the integers of rlcores.cores.rl.dqn, double targets and dueling heads.

>>> from rlcores.cores.rl.dqn import Dqn, DqnSettings
>>> from rlcores.cores.tensor.program import TensorShape
>>> trainer = DqnTrainer(Dqn(4, 2, DqnSettings(network=(8, 8)), backend="model"), TensorShape(4, 2, 64), batch=16)
>>> len(trainer.program) > 50
True
"""

from collections.abc import Mapping

import numpy as np

from rlcores.cores.common.fixed import quantise, quantise_within, saturate
from rlcores.cores.learner.format import FACTOR_FRAC, REWARD_FRAC, REWARD_WIDTH, TANH_FRAC
from rlcores.cores.rl.dqn import HUBER_FRAC, MEAN_FRAC, Dqn
from rlcores.cores.tensor.trainer import NOBODY, RECORD, UPDATES_REST, VECTORS_REST, Trainer
from rlcores.cores.tensor.vector import WIDTH, Constant, Row
from rlcores.cores.tensor.words import IF_EQ, IF_LT, MAC, MAX, MIN, STREAM


class DqnTrainer(Trainer):
    """One network; its target learns the value of the next state."""

    learner: Dqn

    def places(self) -> None:
        learner = self.learner
        counts = (learner.states, 1, 1, learner.states, 1, 1)
        self.record = {name: self.vector(n) for name, n in zip(RECORD, counts, strict=True)}
        sizes = learner.network.about.sizes
        self.outputs, hidden = sizes[-1], sizes[1:-1]
        self.x, self.x_next = (self.layout.tensors(sizes[:1])[0] for _ in range(2))
        self.h, self.h_target, self.h_next = (self.layout.tensors(hidden) for _ in range(3))

    def step(self) -> None:
        learner, kept, rest = self.learner, self.networks[0], UPDATES_REST | VECTORS_REST
        own, target, judged = (self.vector(self.outputs) for _ in range(3))
        self.states(self.x, "states", id=self.input)
        self.follow()
        self.states(self.x_next, "next_states", id=self.input)
        self.forward(kept, self.x_next, self.h_target, target, target=True, wait=rest)
        there = self.mark()
        if learner.settings.double:
            self.forward(kept, self.x_next, self.h_next, judged, learns=False)
        else:
            judged = target
        chosen = self.mark()
        self.forward(kept, self.x, self.h, own)
        targets = self.values(target, there)
        best = self.best(self.values(judged, chosen) if judged != target else targets, targets)
        delta = self.delta(self.values(own, self.mark()), best)
        self.deltas(delta)
        self.backward(kept, self.h, kept.delta, wait=VECTORS_REST)
        self.updates(kept, True, self.gradients(kept, self.x, self.h))

    def values(self, outputs: int, after: int) -> int:
        """Q of all actions, of outputs that are there `after` products."""
        n = self.learner.actions
        if not self.learner.settings.dueling:
            return self.head(MAC, n, outputs, outputs, after=after)
        base, values, advantages = self.vector(1), self.vector(n), self.at(outputs, 1)
        for k in range(n):
            self.head(MAC, 1, base, self.at(advantages, k), z=base if k else Constant(0), after=after)
        self.head(MAC, 1, base, base, y=Constant(self.learner.part), k=MEAN_FRAC)
        self.head(MAC, 1, base, base, y=Constant(-1), z=outputs)
        return self.head(MAC, n, values, advantages, z=Row(base), width=27, id=NOBODY)

    def best(self, judged: int, targets: int) -> int:
        """The target of the action with the greatest judged value; of equals the first."""
        most, chosen = self.vector(1), self.vector(1)
        self.head(MAC, 1, most, judged)
        self.head(MAC, 1, chosen, targets)
        for k in range(1, self.learner.actions):
            self.head(IF_LT, 1, chosen, most, y=self.at(judged, k), z=self.at(targets, k))
            self.head(MAX, 1, most, most, y=self.at(judged, k))
        return chosen

    def delta(self, values: int, best: int) -> int:
        """The delta of Q(s, a); TD errors leave."""
        record, one, value = self.record, FACTOR_FRAC, self.of_value
        reward, td, held = self.vector(1), self.vector(1), self.vector(1)
        self.head(
            MAC, 1, reward, record["rewards"], y=Constant(1 << one), width=27, id=value, k=REWARD_FRAC + one, r=value
        )
        for k in range(self.learner.actions):
            self.head(IF_EQ, 1, td, record["actions"], y=Constant(k), z=self.at(values, k))
        self.head(MAC, 1, td, reward, y=Constant(-1), z=td)
        self.head(
            MAC,
            1,
            td,
            best,
            y=record["discounts"],
            z=td,
            negate=True,
            up=one,
            k=one,
            width=27,
            symmetric=True,
            id=value,
        )
        self.head(MAC, 1, 0, td, to=STREAM)
        if huber := round(self.learner.settings.huber * (1 << HUBER_FRAC)):
            self.head(MAC, 1, held, record["rewards"], y=Constant(0), z=Constant(huber), k=HUBER_FRAC, r=value)
            self.head(MIN, 1, td, td, y=held)
            self.head(MAC, 1, held, held, y=Constant(-1))
            self.head(MAX, 1, td, td, y=held)
        delta = self.networks[0].delta[-1]
        return self.head(MAC, 1, td, td, y=record["weights"], width=18, k=one, q=value, r=delta, id=delta)

    def deltas(self, delta: int) -> None:
        """Deltas of the outputs."""
        n, last, told = self.learner.actions, self.networks[0].deltas[-1], self.networks[0].delta[-1]
        every, own, other = self.vector(n), delta, Constant(0)
        if self.learner.settings.dueling:
            mean, own = self.vector(1), self.vector(1)
            self.to_tensor(last, 0, 1, delta, deltas=True)
            self.head(MAC, 1, mean, delta, y=Constant(self.learner.part), k=MEAN_FRAC)
            self.head(MAC, 1, mean, mean, y=Constant(-1))
            self.head(MAC, 1, own, delta, z=mean)
            other = Row(mean)
        self.head(MAC, n, every, self.record["states"], y=Constant(0), z=other)
        for k in range(n):
            self.head(IF_EQ, 1, self.at(every, k), self.record["actions"], y=Constant(k), z=own)
        self.to_tensor(last, self.outputs - n, n, every, deltas=True, id=told)

    def records(self, batch: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """The vectors of a batch by name, int64 (batch, features). Raises ValueError: a number does not fit."""
        vectors = {
            "actions": np.asarray(batch["actions"], np.int64),
            "rewards": quantise_within(
                np.asarray(batch["rewards"]) * self.learner.settings.reward_scale, REWARD_WIDTH, REWARD_FRAC, "reward"
            ),
            "discounts": quantise(batch["discounts"], FACTOR_FRAC),
            "weights": quantise(batch["weights"], FACTOR_FRAC),
        }
        for name in ("states", "next_states"):
            vectors[name] = saturate(quantise(batch[name], TANH_FRAC), WIDTH)
        return {name: vectors[name].reshape(len(vectors["actions"]), -1) for name in RECORD}
