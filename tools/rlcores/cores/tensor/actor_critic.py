"""TD3 and SAC as programs of rlc_tensor_trainer: the integers of rlcores.cores.rl, product by product, head by head.

>>> from rlcores.cores.rl.sac import Sac, SacSettings
>>> trainer = SacTrainer(Sac(3, 1, SacSettings(network=(8, 8)), backend="model"), TensorShape(4, 2, 64), batch=16)
>>> len(trainer.program) > 100, trainer.words > 0
(True, True)
"""

from dataclasses import replace

import numpy as np

from rlcores.cores.common.fixed import quantise, saturate
from rlcores.cores.learner.format import FACTOR_FRAC, TANH_FRAC, WEIGHT_FRAC
from rlcores.cores.policy import density
from rlcores.cores.policy.density import LOG_FRAC, OUT_FRAC
from rlcores.cores.rl import squashed
from rlcores.cores.rl.actor_critic import ActorCritic
from rlcores.cores.rl.batch import TransitionBatch, codes_of
from rlcores.cores.rl.networks import PASS_FRAC
from rlcores.cores.rl.sac import TEMPERATURE_FRAC, Sac
from rlcores.cores.rl.squashed import NATURAL_FRAC, POWER_FRAC, SLOPE_FRAC
from rlcores.cores.rl.td3 import Td3
from rlcores.cores.tensor import program
from rlcores.cores.tensor.program import Tensor, TensorShape
from rlcores.cores.tensor.trainer import NOBODY, RECORD, UPDATES_REST, VECTORS_REST, PlacedNetwork, Trainer
from rlcores.cores.tensor.vector import WIDTH, Constant, Row
from rlcores.cores.tensor.words import (
    DRAW,
    EXP2,
    IF_LE,
    IF_LT,
    IF_NE,
    LOG2,
    MAC,
    MAX,
    MIN,
    OUTPUTS,
    STREAM,
    TANH,
)

TOP, BELOW = slice(0, 1), slice(1, None)  # parts of a way back: the last layer, and the others


class ActorCriticTrainer(Trainer):
    """What TD3 and SAC share: records, critics, the way back to the actor."""

    learner: ActorCritic

    def places(self) -> None:
        learner, states, actions = self.learner, self.learner.states, self.learner.actions
        self.actor, self.critics = self.networks[0], self.networks[1:]
        self.judges = [self.critics[learner.critics.index(judge)] for judge in learner.judges]
        self.slope = self.fraction(learner.slope)
        for critic in self.judges:
            critic.passes(self)
        counts = (states, actions, 1, states, 1, 1)
        self.record = {name: self.vector(n) for name, n in zip(RECORD, counts, strict=True)}
        hidden = learner.actor.about.sizes[1:-1]
        inputs = (states + actions,)
        self.x, self.x_next, self.x_pi = (self.layout.tensors(inputs)[0] for _ in range(3))
        self.h, self.h_next = self.layout.tensors(hidden), self.layout.tensors(hidden)
        self.vectors = [self.layout.tensors(c.network.about.sizes[1:-1]) for c in self.critics]
        self.others = [self.layout.tensors(c.network.about.sizes[1:-1]) for c in self.critics]
        self.values = [self.vector(1) for _ in self.critics]
        self.layers = len(hidden) + 1

    def join(self, tensor: Tensor, action: int, **more: int) -> None:
        """Actions, 16 fraction bits, behind the states of a critic's input."""
        n = self.learner.actions
        self.to_tensor(tensor, self.learner.states, n, action, k=TANH_FRAC, r=self.input, **more)

    def value(self, n: int, *, wait: int = 0, part: slice = slice(None)) -> None:
        """Critic n at the records' states and actions."""
        self.forward(self.critics[n], self.x, self.vectors[n], self.values[n], wait=wait, part=part)

    def begin(self) -> None:
        """Inputs, and the first critic's values: while the update of a step before may go on."""
        self.states(self.x, "states", id=self.input)
        self.join(self.x, self.record["actions"], id=self.input)
        self.follow()
        self.value(0, wait=VECTORS_REST)
        self.states(self.x_next, "next_states", id=self.input)
        self.states(self.x_pi, "states")

    def learn_values(self, less: int | None, sync: bool) -> None:
        """Both critics learn towards the smaller target, `less` taken off it; TD errors of the first one leave.

        The second one's value is there but for its last layer; its update is left to judge().
        """
        nexts = [self.vector(1) for _ in self.critics]
        # Layer by layer, so that none waits for the one in front of it.
        for layer in range(self.layers):
            for critic, hidden, value in zip(self.critics, self.others, nexts, strict=True):
                part = slice(layer, layer + 1)
                self.forward(critic, self.x_next, hidden, value, target=True, wait=VECTORS_REST, part=part)
        there = self.mark()
        self.value(1, part=slice(-1, None))
        last = self.mark()
        target, reward, td, one = self.vector(1), self.vector(1), self.vector(1), FACTOR_FRAC
        self.head(
            MAC, 1, reward, self.record["rewards"], y=Constant(1 << one), width=27, id=self.of_value,
            k=16 + one, r=self.of_value,
        )  # fmt: skip
        self.head(MIN, 1, target, nexts[0], y=nexts[1], after=there)
        taken = {"x": target} if less is None else {"x": less, "y": Constant(-1), "z": target}
        self.head(MAC, 1, target, width=27, id=self.of_value, **taken)
        marks = []
        for n, critic in enumerate(self.critics):
            value = self.values[n]
            self.head(MAC, 1, value, reward, y=Constant(-1), z=value, after=last if n else None)
            self.head(
                MAC, 1, td, target, y=self.record["discounts"], z=value, negate=True, up=one, k=one, width=27,
                symmetric=True, id=self.of_value,
            )  # fmt: skip
            self.to_tensor(
                critic.deltas[-1], 0, 1, td, deltas=True, y=self.record["weights"], k=one, q=self.of_value,
                r=critic.delta[-1], id=critic.delta[-1],
            )  # fmt: skip
            self.backward(critic, self.vectors[n], critic.delta, wait=VECTORS_REST, part=TOP)
            if n == 0:
                self.head(MAC, 1, 0, td, to=STREAM)
        for n, critic in enumerate(self.critics):
            self.backward(critic, self.vectors[n], critic.delta, part=BELOW)
            marks.append(self.gradients(critic, self.x, self.vectors[n]))
        self.learned = self.mark()
        self.updates(self.critics[0], sync, marks[0])
        self.second = self.critics[1], sync, marks[1]

    def judge(self) -> None:
        """The new critics' values of x_pi, as far as the actor needs them; the second critic's update beside them."""
        first, second = self.judges[0], self.judges[1] if len(self.judges) > 1 else None
        learner, sync, marks = self.second
        last = slice(-1, None)
        self.forward(first, self.x_pi, self.vectors[0], None, wait=UPDATES_REST | VECTORS_REST)
        for layer in range(self.layers):
            self.update(learner, layer, sync, marks[layer], wait=UPDATES_REST)
            # A layer as soon as it is new; the first critic's last one in between, so that no layer waits for another.
            if second and layer:
                self.forward(second, self.x_pi, self.vectors[1], self.values[1], part=slice(layer - 1, layer))
            if second and layer == 1:
                self.forward(first, self.x_pi, self.vectors[0], self.values[0], part=last)
        if second:
            self.forward(second, self.x_pi, self.vectors[1], self.values[1], part=last, wait=UPDATES_REST)

    def through(self) -> int:
        """-dQ/da of the judges' smaller value at x_pi: a vector with the fraction `slope`."""
        states, actions, side = self.learner.states, self.learner.actions, self.shape.side
        block = states // side
        inputs = states + actions - block * side
        there, vectors = self.mark(), []
        nothing, whole, alone = Constant(0), Constant(-(1 << PASS_FRAC)), len(self.judges) == 1
        for critic in self.judges:
            self.to_tensor(
                critic.deltas[-1], 0, 1, self.record["rewards"], deltas=True, y=nothing, z=whole if alone else nothing,
                after=self.learned,
            )  # fmt: skip
        for n, critic in enumerate(self.judges):
            if not alone:
                # The first one where both are equal.
                self.to_tensor(
                    critic.deltas[-1], 0, 1, self.values[n], deltas=True, y=self.values[1 - n], z=whole,
                    op=(IF_LE, IF_LT)[n], after=there,
                )  # fmt: skip
            self.backward(critic, self.vectors[n], critic.passed[1:], wait=VECTORS_REST, part=TOP)
        for layer in range(1, self.layers - 1):
            for n, critic in enumerate(self.judges):
                self.backward(critic, self.vectors[n], critic.passed[1:], part=slice(layer, layer + 1))
        for critic in self.judges:
            vectors.append(self.vector(inputs))
            command = program.backward(
                self.shape, critic.net.layers[0], critic.deltas[0], Tensor(vectors[-1], inputs), batch=self.batch,
                shift=0, first=block, id=NOBODY,
            )  # fmt: skip
            command = replace(command, to=OUTPUTS, to_word=0)
            self.product(command, k=WEIGHT_FRAC, q=critic.passed[1], r=critic.passed[0])
        mine = [self.at(vector, states - block * side) for vector in vectors]
        more = {"z": mine[1]} if len(mine) > 1 else {}
        return self.head(MAC, actions, mine[0], mine[0], width=18, id=self.slope, after=self.mark(), **more)

    def learn_actor(self, sync: bool) -> None:
        """The actor, when the deltas of its output are there."""
        self.backward(self.actor, self.h, self.actor.delta, wait=VECTORS_REST)
        marks = self.gradients(self.actor, self.x_pi, self.h)
        self.updates(self.actor, sync, marks)

    def follow(self) -> None:
        # The delta of the actor's output is a product with the slope of tanh, of which bits are dropped.
        self.limit(self.actor.delta[-1], k=SLOPE_FRAC, q=self.slope)
        super().follow()

    def records(self, batch: TransitionBatch) -> dict[str, np.ndarray]:
        """The vectors of a batch, int64 (batch, features): states and actions with 16 fraction bits.

        Raises UserError: a reward that 27 bits do not hold.
        """
        codes = codes_of(batch, TANH_FRAC, np.zeros(1, np.int64), self.learner.settings.reward_scale)
        vectors = {name: np.asarray(getattr(codes, name), np.int64) for name in RECORD}
        for name in ("states", "next_states"):
            vectors[name] = saturate(quantise(getattr(batch, name), TANH_FRAC), WIDTH)
        return {name: x[:, None] if x.ndim == 1 else x for name, x in vectors.items()}


class Td3Trainer(ActorCriticTrainer):
    """TD3. delayed: the program of a step in which actor and targets move."""

    learner: Td3

    def __init__(self, learner: Td3, shape: TensorShape, batch: int, delayed: bool = True) -> None:
        self.delayed = delayed
        super().__init__(learner, shape, batch)

    def step(self) -> None:
        learner, actions, one = self.learner, self.learner.actions, 1 << TANH_FRAC
        s = learner.settings
        output, normals = self.vector(actions), self.vector(actions)
        self.begin()
        self.forward(self.actor, self.x_next, self.h_next, output, target=True, wait=UPDATES_REST | VECTORS_REST)
        there = self.mark()
        self.value(1, part=slice(0, -1))
        self.head(DRAW, actions, normals)
        size = Constant(int(np.floor(s.target_policy_noise * 2**FACTOR_FRAC + 0.5)))
        most = int(np.floor(s.target_noise_clip * 2**TANH_FRAC + 0.5))
        self.head(MAC, actions, normals, normals, y=size, k=14 + FACTOR_FRAC - TANH_FRAC)
        self.clip(actions, normals, -most, most)
        self.head(MAC, actions, output, output, width=18, id=NOBODY, after=there)
        self.head(TANH, actions, output, output)
        self.head(MAC, actions, output, output, z=normals)
        self.clip(actions, output, -one, one)
        self.join(self.x_next, output)
        self.learn_values(None, self.delayed)
        if not self.delayed:
            second, sync, marks = self.second
            self.updates(second, sync, marks)
            return
        u, action, slope = self.vector(actions), self.vector(actions), self.vector(actions)
        self.forward(self.actor, self.x_pi, self.h, u)
        self.head(MAC, actions, action, u, width=18, id=NOBODY, after=self.mark())
        self.head(TANH, actions, action, action)
        self.join(self.x_pi, action)
        self.head(MAC, actions, slope, action, y=action, z=Constant(one), negate=True, up=16, k=16)
        self.judge()
        to_action = self.through()
        self.to_tensor(
            self.actor.deltas[-1], 0, actions, to_action, deltas=True, y=slope, k=SLOPE_FRAC, q=self.slope,
            r=self.actor.delta[-1], id=self.actor.delta[-1],
        )  # fmt: skip
        self.learn_actor(True)

    def clip(self, features: int, vector: int, low: int, high: int) -> None:
        """A vector clipped to low … high."""
        self.head(MAX, features, vector, vector, y=Constant(low))
        self.head(MIN, features, vector, vector, y=Constant(high))


class Drawn:
    """Vectors of a sample: rlcores.cores.rl.squashed.Sample."""

    def __init__(self, trainer: Trainer) -> None:
        actions = trainer.learner.actions
        self.outputs = trainer.vector(2 * actions)
        self.logs = trainer.at(self.outputs, actions)
        self.held, self.u, self.action, self.noise = (trainer.vector(actions) for _ in range(4))
        self.log = trainer.vector(1)


class SacTrainer(ActorCriticTrainer):
    """SAC. Its temperature is a network of one bias, whose input is 0."""

    learner: Sac

    def step(self) -> None:
        learner, actions = self.learner, self.learner.actions
        self.temperature = PlacedNetwork(self, learner.temperature.network, 2)
        self.zero = self.layout.tensors((1,))[0]
        alpha, less = self.vector(1), self.vector(1)
        own, following = Drawn(self), Drawn(self)
        self.scratch = [self.vector(actions) for _ in range(4)]
        self.begin()
        self.to_tensor(self.zero, 0, 1, self.record["rewards"], y=Constant(0))
        self.forward(self.actor, self.x_pi, self.h, own.outputs, wait=UPDATES_REST | VECTORS_REST)
        self.forward(self.temperature, self.zero, (), alpha)
        there = self.mark()
        self.forward(self.actor, self.x_next, self.h_next, following.outputs, learns=False)
        nexts = self.mark()
        self.head(MAC, 1, alpha, alpha, y=Constant(density.LOG2E_18), k=18 + WEIGHT_FRAC - LOG_FRAC, after=there)
        self.head(EXP2, 1, alpha, alpha, z=Constant(POWER_FRAC << LOG_FRAC))
        self.sample(own, there)
        self.join(self.x_pi, own.action)
        self.heat(own.log)
        self.value(1, part=slice(0, -1))
        self.sample(following, nexts)
        self.join(self.x_next, following.action)
        self.head(MAC, 1, less, following.log, y=alpha, k=NATURAL_FRAC + POWER_FRAC, r=self.of_value)
        self.learn_values(less, True)
        slope = self.prepare(own, alpha)
        self.judge()
        self.tail(own, self.through(), slope)
        self.learn_actor(False)

    def heat(self, log: int) -> None:
        """The temperature's step."""
        t = self.learner.temperature
        if not t.moves:
            return
        self.to_tensor(
            self.temperature.deltas[0], 0, 1, log, deltas=True, y=Constant(-1), z=Constant(-t.target),
            k=NATURAL_FRAC - TEMPERATURE_FRAC, id=self.temperature.delta[0],
        )  # fmt: skip
        marks = self.gradients(self.temperature, self.zero, (), wait=VECTORS_REST)
        self.updates(self.temperature, False, marks)

    def sample(self, drawn: Drawn, there: int) -> None:
        """rlcores.cores.rl.squashed.sample()."""
        n, log2e = self.learner.actions, Constant(density.LOG2E_18)
        normals, c, a, b = self.scratch
        low, high = (round(x * (1 << OUT_FRAC)) for x in squashed.LOG_STD)
        self.head(DRAW, n, normals)
        self.head(MAX, n, drawn.held, drawn.logs, y=Constant(low), after=there)
        self.head(MIN, n, drawn.held, drawn.held, y=Constant(high))
        self.head(MAC, n, c, drawn.held, y=log2e, k=18 + OUT_FRAC - LOG_FRAC)
        # The noise, and u.
        self.head(EXP2, n, a, c, z=Constant(density.DEVIATION_FRAC << LOG_FRAC))
        self.head(MAC, n, drawn.noise, normals, y=a, k=density.SCALED_FRAC + density.DEVIATION_FRAC - OUT_FRAC)
        self.head(MAC, n, drawn.u, drawn.outputs, z=drawn.noise, width=27, id=NOBODY)
        # -log2 of the normal density, but for its constant.
        self.head(MAC, n, a, normals, y=normals, k=12)
        self.head(MAC, n, c, a, y=Constant(density.HALF_LOG2E), z=c, up=13, k=13)
        # log2 of tanh's slope, but for its constant: -t - 2 log2(1 + e).
        self.head(MAC, n, a, drawn.u, y=Constant(-1), width=27)
        self.head(MAX, n, a, a, y=drawn.u)
        self.head(MAC, n, a, a, y=Constant(2))
        self.head(MIN, n, a, a, y=Constant(density.FAR))
        self.head(MAC, n, a, a, y=log2e, k=18 + OUT_FRAC - LOG_FRAC)
        self.head(EXP2, n, b, a, z=Constant(density.E_FRAC << LOG_FRAC), negate=True)
        self.head(LOG2, n, b, b, z=Constant(1 << density.E_FRAC))
        self.head(MAC, n, c, b, y=Constant(-2), z=c)
        self.head(MAC, n, c, a, y=Constant(-1), z=c)
        # The sum over dimensions, with the constants, as a natural logarithm.
        rest = Constant(n * (density.NORMALISER + ((2 + 2 * density.E_FRAC) << LOG_FRAC)))
        for k in range(n):
            self.head(MAC, 1, drawn.log, self.at(c, k), z=drawn.log if k else rest)
        self.head(
            MAC, 1, drawn.log, drawn.log, y=Constant(-squashed.LN2), k=LOG_FRAC + squashed.LN2_FRAC - NATURAL_FRAC,
            width=27, id=NOBODY,
        )  # fmt: skip
        self.head(MAC, n, drawn.action, drawn.u, k=2, width=18)
        self.head(TANH, n, drawn.action, drawn.action)

    def prepare(self, drawn: Drawn, alpha: int) -> tuple[int, int, int]:
        """What the actor's deltas need besides the critics: tanh's slope, 2 alpha tanh(u), and that of log-deviations.

        The last one, and the noise, are 0 where the log-deviation was clipped.
        """
        n, delta = self.learner.actions, self.actor.delta[-1]
        slope, twice, rest = (self.vector(n) for _ in range(3))
        one, zero = Constant(1 << TANH_FRAC), Constant(0)
        self.head(MAC, n, slope, drawn.action, y=drawn.action, z=one, negate=True, up=16, k=16)
        self.head(MAC, n, twice, drawn.action, y=Row(alpha), k=16 + POWER_FRAC - 1, r=delta)
        self.head(MAC, 1, alpha, alpha, y=Constant(1 << 11), k=POWER_FRAC + 11, r=delta)
        self.head(MAC, 1, alpha, alpha, y=Constant(-1))
        self.head(MAC, n, rest, twice, y=drawn.noise, z=Row(alpha), up=OUT_FRAC, k=OUT_FRAC)
        for vector in (rest, drawn.noise):
            self.head(IF_NE, n, vector, drawn.logs, y=drawn.held, z=zero)
        return slope, twice, rest

    def tail(self, drawn: Drawn, to_action: int, prepared: tuple[int, int, int]) -> None:
        """rlcores.cores.rl.squashed.output_delta()."""
        n, delta, last = self.learner.actions, self.actor.delta[-1], self.actor.deltas[-1]
        slope, twice, rest = prepared
        back, up = self.scratch[0], OUT_FRAC
        self.head(MAC, n, back, to_action, y=slope, k=SLOPE_FRAC, q=self.slope, r=delta)
        self.to_tensor(last, 0, n, back, deltas=True, z=twice, id=delta)
        self.to_tensor(last, n, n, back, deltas=True, y=drawn.noise, z=rest, up=up, k=up, id=delta)

    def rates(self) -> list[tuple[int, dict[str, int]]]:
        return [*super().rates(), (2, self.learner.temperature.network.rates(self.batch))]
