"""TD3 and SAC as programs of rlc_tensor_trainer: the integers of rlcores.cores.rl, product by product, head by head.

A Trainer lays out the memories for a learner, and writes its step as a list of commands. It knows no other unit than
those of docs/tensor.md; another algorithm is another list.

>>> from rlcores.cores.rl.sac import Sac, Settings
>>> trainer = SacTrainer(Sac(3, 1, Settings(network=(8, 8)), backend="model"), Shape(4, 2, 64), batch=16)
>>> len(trainer.program) > 100, trainer.words > 0
(True, True)
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rlcores.cores.common.fixed import quantise, saturate
from rlcores.cores.learner.format import FACTOR_FRAC, SHIFT_MAX, TANH_FRAC, WEIGHT_FRAC
from rlcores.cores.policy import density
from rlcores.cores.policy.density import LOG_FRAC, OUT_FRAC
from rlcores.cores.rl import squashed
from rlcores.cores.rl.actor_critic import ActorCritic
from rlcores.cores.rl.batch import Batch, codes_of
from rlcores.cores.rl.exponents import Exponent
from rlcores.cores.rl.networks import PASS_FRAC, Trained
from rlcores.cores.rl.sac import TEMPERATURE_FRAC, Sac
from rlcores.cores.rl.squashed import NATURAL_FRAC, POWER_FRAC, SLOPE_FRAC
from rlcores.cores.rl.td3 import Td3
from rlcores.cores.tensor import parameters, program
from rlcores.cores.tensor.program import Command, Shape, Tensor, ceil_div
from rlcores.cores.tensor.steps import Layout, Net
from rlcores.cores.tensor.vector import WIDTH, Constant, Operand, Row, Vector
from rlcores.cores.tensor.words import (
    ASSIGN,
    DRAW,
    END,
    EXP2,
    HEAD,
    IF_LE,
    IF_LT,
    IF_NE,
    LIMIT,
    LOG2,
    MAC,
    MATRIX,
    MAX,
    MIN,
    MOVE,
    OUTPUTS,
    RESCALE,
    SCALE,
    STEP,
    STREAM,
    TANH,
    TO_ACTIVATIONS,
    TO_DELTAS,
    UPDATE_LAYER,
)

NOBODY = 63  # of what is told and no fraction follows
_M, _U, _V = 1, 2, 4  # units that a step waits for
_LOG2E = density.LOG2E_18
RECORD = ("states", "actions", "rewards", "next_states", "discounts", "weights")


class Kept:
    """A network of a learner in the unit: its places, its gradients, its fractions."""

    def __init__(self, trainer: "Trainer", network: Trained, rates: int) -> None:
        """rates: the slot of its optimiser's settings."""
        self.network, self.rates = network, rates
        self.net: Net = trainer.layout.network(network.about.sizes)
        self.deltas = trainer.layout.tensors(network.about.sizes[1:], deltas=True)
        self.words: list[int] = []
        self.rows: list[int] = []
        for layer in self.net.layers:
            self.words.append(trainer.gradient_words)
            self.rows.append(trainer.gradient_rows)
            trainer.gradient_words += layer.rows(trainer.shape) * ceil_div(layer.inputs, trainer.shape.span)
            trainer.gradient_rows += layer.rows(trainer.shape)
        f = trainer.fraction
        self.act = [f(e) for e in network.act]
        self.delta, self.grad = [f(e) for e in network.delta], [f(e) for e in network.grad]
        self.passed: list[int] = []

    def passes(self, trainer: "Trainer") -> None:
        """It is passed through backward: those fractions, too."""
        self.passed = [trainer.fraction(e) for e in self.network.passed]


class Trainer:
    """What TD3 and SAC share: memories, records, critics. `program` has the steps, packed."""

    def __init__(self, learner: ActorCritic, shape: Shape, batch: int) -> None:
        self.learner, self.shape, self.batch = learner, shape, batch
        self.layout = Layout(shape, batch)
        self.stride = ceil_div(batch, shape.side)
        self.words = self.gradient_words = self.gradient_rows = 0
        self.exponents: list[Exponent] = [Exponent(0)]  # index 0: no fraction
        self.own: set[int] = set()
        self.program: list[int] = []
        self.input, self.value = self.fraction(learner.input), self.fraction(learner.value)
        self.networks = [Kept(self, network, min(n, 1)) for n, network in enumerate(learner.networks)]
        self.actor, self.critics = self.networks[0], self.networks[1:]
        self.judges = [self.critics[learner.critics.index(judge)] for judge in learner.judges]
        for critic in self.judges:
            critic.passes(self)
        # The least of the judges' fractions at the input.
        self.common = self.fraction(Exponent(min(judge.passed[0].frac for judge in learner.judges)))
        states, actions = learner.states, learner.actions
        counts = (states, actions, 1, states, 1, 1)
        self.record = {name: self.vector(n) for name, n in zip(RECORD, counts, strict=True)}
        hidden = learner.actor.about.sizes[1:-1]
        inputs = (states + actions,)
        self.x, self.x_next, self.x_pi = (self.layout.tensors(inputs)[0] for _ in range(3))
        self.h = self.layout.tensors(hidden)
        self.h_next = self.layout.tensors(hidden)
        self.vectors = [self.layout.tensors(c.network.about.sizes[1:-1]) for c in self.critics]
        self.others = [self.layout.tensors(c.network.about.sizes[1:-1]) for c in self.critics]
        self.step()
        self.follow()
        self._put(END, 0, wait=_M | _U | _V)

    def step(self) -> None:
        """The algorithm's."""
        raise NotImplementedError

    # --- places ---

    def vector(self, features: int) -> int:
        """Room for a vector: its address."""
        at, self.words = self.words, self.words + features * self.stride
        return at

    def at(self, vector: int, feature: int) -> int:
        """The address of a feature."""
        return vector + feature * self.stride

    def fraction(self, exponent: Exponent) -> int:
        """The number of a tensor's fraction."""
        for n, known in enumerate(self.exponents):
            if known is exponent:
                return n
        self.exponents.append(exponent)
        if len(self.exponents) > NOBODY:
            raise ValueError(f"the networks have more than {NOBODY - 1} fractions")
        return len(self.exponents) - 1

    def moving(self) -> set[int]:
        """Fractions that follow their numbers."""
        learner = self.learner
        moves = [learner.input, learner.value, *(e for network in learner.networks for e in network.own())]
        return {n for n, e in enumerate(self.exponents) if any(e is other for other in moves)}

    # --- steps of the program ---

    def _put(
        self, unit: int, body: int, *, wait: int = 0, k: int = 0, p: int = 0, q: int = 0, r: int = 0, rates: int = 0,
        id: int = 0,
    ) -> None:  # fmt: skip
        if not -128 <= k < 128:
            raise ValueError(f"a shift of {k} bits does not exist")
        self.program.append(
            STEP.pack_whole(unit=unit, wait=wait, k=k & 255, p=p, q=q, r=r, rates=rates, id=id, body=body)
        )

    def head(
        self, op: int, features: int, to_base: int, x: int = 0, y: Operand = Constant(1), z: Operand = Constant(0), *,
        wait: int = 0, k: int = 0, p: int = 0, q: int = 0, r: int = 0, **more: Any,
    ) -> int:  # fmt: skip
        """A command of the vector unit, which drops k + p + q - r bits. Returns to_base."""
        self._put(HEAD, Vector(op, features, to_base, x, y, z, **more).pack(), wait=wait, k=k, p=p, q=q, r=r)
        return to_base

    def to_tensor(
        self, tensor: Tensor, first: int, features: int, x: int, *, deltas: bool = False, **more: Any
    ) -> None:
        """Numbers of a vector into a tensor, from feature `first` on, in 18 bits."""
        span = self.shape.span
        self.head(
            MAC, features, tensor.base + first // span, x, to=TO_DELTAS if deltas else TO_ACTIVATIONS,
            to_row=tensor.row(self.shape), to_feature=first % span, width=18, **more,
        )  # fmt: skip

    def product(self, command: Command, **more: int) -> None:
        """A command of the matrix unit."""
        self._put(MATRIX, command.pack(), **more)

    def forward(
        self,
        kept: Kept,
        x: Tensor,
        hidden: Sequence[Tensor],
        output: int | None,
        *,
        target: bool = False,
        wait: int = 0,
    ) -> None:
        """All layers, the last one to the vector `output`; None: without the last one."""
        tensors = [x, *hidden]
        for n, layer in enumerate(kept.net.layers):
            last = n + 1 == len(kept.net.layers)
            if last and output is None:
                break
            to = Tensor(output, 1) if last else tensors[n + 1]
            command = program.forward(
                self.shape, layer, tensors[n], to, batch=self.batch, shift=0, bias_shift=0, relu=not last, output=last,
                target=target, id=kept.act[n + 1], barrier=1,
            )  # fmt: skip
            if last:
                command = replace(command, to_word=self.shape.blocks)
            self.product(command, k=WEIGHT_FRAC, q=kept.act[n], r=kept.act[n + 1], wait=wait if n == 0 else 0)

    def backward(self, kept: Kept, hidden: Sequence[Tensor], fractions: Sequence[int], *, wait: int = 0) -> None:
        """From the output's deltas to those of layer 1; fractions: of the deltas 1 … M."""
        for n in range(len(kept.net.layers) - 1, 0, -1):
            command = program.backward(
                self.shape, kept.net.layers[n], kept.deltas[n], kept.deltas[n - 1], batch=self.batch, shift=0,
                mask=hidden[n - 1], id=fractions[n - 1], barrier=1,
            )  # fmt: skip
            self.product(command, k=WEIGHT_FRAC, q=fractions[n], r=fractions[n - 1], wait=wait)
            wait = 0

    def gradients(self, kept: Kept, x: Tensor, hidden: Sequence[Tensor], *, wait: int = 0) -> None:
        """Of all layers."""
        tensors = [x, *hidden]
        for n, layer in enumerate(kept.net.layers):
            command = program.gradient(
                self.shape, layer, kept.deltas[n], tensors[n], batch=self.batch, shift=0, bias_shift=0,
                word=kept.words[n], row=kept.rows[n], id=kept.grad[n], barrier=1,
            )  # fmt: skip
            self.product(command, p=kept.delta[n], q=kept.act[n], r=kept.grad[n], wait=wait)

    def update(self, kept: Kept, sync: bool) -> None:
        """All layers, when their gradients are there."""
        for n, layer in enumerate(kept.net.layers):
            bits = parameters.update(
                self.shape, layer, grad_base=kept.words[n], grad_bias=kept.rows[n], first=kept.net.firsts[n],
                target=layer, target_first=kept.net.firsts[n], sync=sync, id=n,
            )  # fmt: skip
            self._put(UPDATE_LAYER, bits, q=kept.grad[n], rates=kept.rates, wait=_M | _U)

    # --- parts of an algorithm ---

    def inputs(self) -> None:
        """States and actions of the records as inputs."""
        states, actions = self.learner.states, self.learner.actions
        shift = {"k": TANH_FRAC, "r": self.input}
        for tensor, name in ((self.x, "states"), (self.x_next, "next_states"), (self.x_pi, "states")):
            tell = {} if tensor is self.x_pi else {"id": self.input}
            self.to_tensor(tensor, 0, states, self.record[name], **shift, **tell)
        self.to_tensor(self.x, states, actions, self.record["actions"], id=self.input, **shift)

    def join(self, tensor: Tensor, action: int) -> None:
        """An action, 16 fraction bits, behind the states of a critic's input."""
        self.to_tensor(tensor, self.learner.states, self.learner.actions, action, k=TANH_FRAC, r=self.input)

    def learn_values(self, less: int | None, sync: bool) -> None:
        """The critics learn towards the smaller target, `less` taken off it; TD errors of the first one leave."""
        values = [self.vector(1) for _ in self.critics]
        nexts = [self.vector(1) for _ in self.critics]
        for critic, hidden, value in zip(self.critics, self.vectors, values, strict=True):
            self.forward(critic, self.x, hidden, value, wait=_V)
        for critic, hidden, value in zip(self.critics, self.others, nexts, strict=True):
            self.forward(critic, self.x_next, hidden, value, target=True)
        target, reward = self.vector(1), self.vector(1)
        self.head(MIN, 1, target, nexts[0], y=nexts[1], wait=_M)
        if less is None:
            self.head(MAC, 1, target, target, width=27, id=self.value)
        else:
            self.head(MAC, 1, target, less, y=Constant(-1), z=target, width=27, id=self.value)
        one = FACTOR_FRAC
        self.head(
            MAC,
            1,
            reward,
            self.record["rewards"],
            y=Constant(1 << one),
            width=27,
            id=self.value,
            k=16 + one,
            r=self.value,
        )
        td = self.vector(1)
        for n, (critic, hidden, value) in enumerate(zip(self.critics, self.vectors, values, strict=True)):
            self.head(MAC, 1, value, reward, y=Constant(-1), z=value)
            self.head(
                MAC, 1, td, target, y=self.record["discounts"], z=value, negate=True, up=one, k=one, width=27,
                symmetric=True, id=self.value,
            )  # fmt: skip
            if n == 0:
                self.head(MAC, 1, 0, td, to=STREAM)
            self.to_tensor(
                critic.deltas[-1], 0, 1, td, deltas=True, y=self.record["weights"], k=one, q=self.value,
                r=critic.delta[-1], id=critic.delta[-1],
            )  # fmt: skip
            self.backward(critic, hidden, critic.delta, wait=_V)
            self.gradients(critic, self.x, hidden)
            self.update(critic, sync)

    def through(self) -> int:
        """-dQ/da of the judges' smaller value at x_pi: a vector with the fraction `common`."""
        states, actions, side = self.learner.states, self.learner.actions, self.shape.side
        values = [self.vector(1) for _ in self.judges]
        block = states // side
        inputs = states + actions - block * side
        chosen, found = self.vector(1), self.vector(actions)
        for n, (critic, value) in enumerate(zip(self.judges, values, strict=True)):
            self.forward(critic, self.x_pi, self.vectors[n], value if len(values) > 1 else None, wait=_V | _U)
        for n, critic in enumerate(self.judges):
            whole = Constant(-(1 << PASS_FRAC))
            self.head(MAC, 1, chosen, self.record["rewards"], y=Constant(0), wait=_M)
            if len(values) == 1:
                self.head(MAC, 1, chosen, chosen, z=whole)
            else:
                # The first one where both are equal.
                self.head((IF_LE, IF_LT)[n], 1, chosen, values[n], y=values[1 - n], z=whole)
            self.to_tensor(critic.deltas[-1], 0, 1, chosen, deltas=True)
            self.backward(critic, self.vectors[n], critic.passed[1:], wait=_V)
            given = self.vector(inputs)
            command = program.backward(
                self.shape, critic.net.layers[0], critic.deltas[0], Tensor(given, inputs), batch=self.batch, shift=0,
                first=block, id=NOBODY, barrier=1,
            )  # fmt: skip
            command = replace(command, to=OUTPUTS, to_word=self.shape.blocks)
            self.product(command, k=WEIGHT_FRAC, q=critic.passed[1], r=critic.passed[0])
            mine = self.at(given, states - block * side)
            self.head(MAC, actions, mine, mine, width=18, id=critic.passed[0], wait=_M)
            drop = {"q": critic.passed[0], "r": self.common}
            if n == 0:
                self.head(MAC, actions, found, mine, **drop)
            else:
                self.head(MAC, actions, mine, mine, **drop)
                self.head(MAC, actions, found, mine, z=found)
        return found

    def learn_actor(self, sync: bool) -> None:
        """The actor, when the deltas of its output are there."""
        self.backward(self.actor, self.h, self.actor.delta, wait=_V)
        self.gradients(self.actor, self.x_pi, self.h)
        self.update(self.actor, sync)

    def follow(self) -> None:
        """The end of a batch: fractions follow, are held where shifts exist, and the optimiser's state goes along."""
        self._put(MOVE, 0, wait=_M | _U | _V)
        self.fitting()
        for kept in self.networks:
            for n, layer in enumerate(kept.net.layers):
                # A square moves twice.
                for plane in (2, 3, 3):
                    bits = parameters.update(self.shape, layer, kind=SCALE, plane=plane, first=kept.net.firsts[n], id=n)
                    self._put(RESCALE, bits, q=kept.grad[n], rates=kept.rates, wait=_U)

    def fitting(self) -> None:
        """rlcores.cores.rl.exponents.fitting() of every network."""
        judges = [critic.passed[0] for critic in self.judges]
        self._put(ASSIGN, 0, id=self.common, q=judges[0])
        for judge in judges[1:]:
            self.limit(self.common, q=judge)
        self.limit(self.actor.delta[-1], k=SLOPE_FRAC, q=self.common)
        for kept in self.networks:
            act, delta, grad, layers = kept.act, kept.delta, kept.grad, range(len(kept.delta))
            for n in layers:
                self.limit(act[n + 1], k=WEIGHT_FRAC, q=act[n])
            self.limit(delta[-1], k=FACTOR_FRAC, q=act[-1])
            for n in layers:
                self.limit(delta[n], k=SHIFT_MAX, q=grad[n], r=act[n])
                if n:
                    self.limit(delta[n], k=SHIFT_MAX - WEIGHT_FRAC, q=delta[n - 1])
            for n in reversed(layers[1:]):
                self.limit(delta[n - 1], k=WEIGHT_FRAC, q=delta[n])
            for n in layers:
                self.limit(grad[n], p=delta[n], q=act[n])
                self.limit(grad[n], k=SHIFT_MAX)

    def limit(self, fraction: int, **sum: int) -> None:
        """A fraction is at most k + p + q - r."""
        self._put(LIMIT, 0, id=fraction, **sum)

    # --- what a step needs from outside ---

    def setting(self, fraction: int) -> int:
        """The 16 bits of rlc_tensor_fractions' set port."""
        e = self.exponents[fraction]
        moves = fraction in self.moving()
        return moves << 15 | (e.width > 18) << 14 | e.spare << 12 | e.most << 6 | e.frac

    def records(self, batch: Batch) -> dict[str, np.ndarray]:
        """The vectors of a batch, int64 (batch, features): states and actions with 16 fraction bits.

        Raises UserError: a reward that 27 bits do not hold.
        """
        codes = codes_of(batch, TANH_FRAC, np.zeros(1, np.int64), self.learner.settings.reward_scale)
        found = {name: np.asarray(getattr(codes, name), np.int64) for name in RECORD}
        for name in ("states", "next_states"):
            found[name] = saturate(quantise(getattr(batch, name), TANH_FRAC), WIDTH)
        return {name: x[:, None] if x.ndim == 1 else x for name, x in found.items()}

    def rates(self) -> list[tuple[int, dict[str, int]]]:
        """(slot, the optimiser's registers) of the next step."""
        return [(kept.rates, kept.network.rates(self.batch)) for kept in self.networks[:2]]


class Td3Trainer(Trainer):
    """TD3. delayed: the program of a step in which actor and targets move."""

    learner: Td3

    def __init__(self, learner: Td3, shape: Shape, batch: int, delayed: bool = True) -> None:
        self.delayed = delayed
        super().__init__(learner, shape, batch)

    def step(self) -> None:
        learner, actions, one = self.learner, self.learner.actions, 1 << TANH_FRAC
        s = learner.settings
        self.inputs()
        output, normals = self.vector(actions), self.vector(actions)
        self.forward(self.actor, self.x_next, self.h_next, output, target=True, wait=_V)
        self.head(DRAW, actions, normals)
        size = Constant(int(np.floor(s.target_policy_noise * 2**FACTOR_FRAC + 0.5)))
        most = int(np.floor(s.target_noise_clip * 2**TANH_FRAC + 0.5))
        self.head(MAC, actions, normals, normals, y=size, k=14 + FACTOR_FRAC - TANH_FRAC)
        self.clip(actions, normals, -most, most)
        self.head(MAC, actions, output, output, width=18, id=NOBODY, wait=_M)
        self.head(TANH, actions, output, output)
        self.head(MAC, actions, output, output, z=normals)
        self.clip(actions, output, -one, one)
        self.join(self.x_next, output)
        self.learn_values(None, self.delayed)
        if not self.delayed:
            return
        u, action, slope = self.vector(actions), self.vector(actions), self.vector(actions)
        self.forward(self.actor, self.x_pi, self.h, u)
        self.head(MAC, actions, action, u, width=18, id=NOBODY, wait=_M)
        self.head(TANH, actions, action, action)
        self.join(self.x_pi, action)
        self.head(MAC, actions, slope, action, y=action, z=Constant(one), negate=True, up=16, k=16)
        to_action = self.through()
        self.to_tensor(
            self.actor.deltas[-1], 0, actions, to_action, deltas=True, y=slope, k=SLOPE_FRAC, q=self.common,
            r=self.actor.delta[-1], id=self.actor.delta[-1],
        )  # fmt: skip
        self.learn_actor(True)

    def clip(self, features: int, vector: int, low: int, high: int) -> None:
        """A vector limited to low … high."""
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


class SacTrainer(Trainer):
    """SAC. Its temperature is a network of one bias, whose input is 0."""

    learner: Sac

    def step(self) -> None:
        learner, actions = self.learner, self.learner.actions
        self.temperature = Kept(self, learner.temperature.network, 2)
        self.zero = self.layout.tensors((1,))[0]
        alpha = self.vector(1)
        own, following = Drawn(self), Drawn(self)
        self.scratch = [self.vector(actions) for _ in range(4)]
        self.inputs()
        self.to_tensor(self.zero, 0, 1, self.record["rewards"], y=Constant(0))
        self.forward(self.temperature, self.zero, (), alpha, wait=_V)
        self.forward(self.actor, self.x_pi, self.h, own.outputs)
        self.forward(self.actor, self.x_next, self.h_next, following.outputs)
        self.head(MAC, 1, alpha, alpha, y=Constant(_LOG2E), k=18 + WEIGHT_FRAC - LOG_FRAC, wait=_M)
        self.head(EXP2, 1, alpha, alpha, z=Constant(POWER_FRAC << LOG_FRAC))
        self.sample(own)
        self.join(self.x_pi, own.action)
        self.heat(own.log)
        self.sample(following)
        self.join(self.x_next, following.action)
        less = self.vector(1)
        self.head(MAC, 1, less, following.log, y=alpha, k=NATURAL_FRAC + POWER_FRAC, r=self.value)
        self.learn_values(less, True)
        to_action = self.through()
        self.tail(own, to_action, alpha)
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
        self.gradients(self.temperature, self.zero, (), wait=_V)
        self.update(self.temperature, False)

    def sample(self, drawn: Drawn) -> None:
        """rlcores.cores.rl.squashed.sample()."""
        n, log2e = self.learner.actions, Constant(_LOG2E)
        normals, c, a, b = self.scratch
        low, high = (round(x * (1 << OUT_FRAC)) for x in squashed.LOG_STD)
        self.head(DRAW, n, normals)
        self.head(MAX, n, drawn.held, drawn.logs, y=Constant(low), wait=_M)
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

    def tail(self, drawn: Drawn, to_action: int, alpha: int) -> None:
        """rlcores.cores.rl.squashed.output_delta()."""
        n, delta = self.learner.actions, self.actor.delta[-1]
        _, by_mean, by_log, slope = self.scratch
        less, one = self.vector(1), Constant(1 << TANH_FRAC)
        self.head(MAC, n, slope, drawn.action, y=drawn.action, z=one, negate=True, up=16, k=16)
        self.head(MAC, n, by_mean, to_action, y=slope, k=SLOPE_FRAC, q=self.common, r=delta)
        self.head(MAC, n, by_log, drawn.action, y=Row(alpha), k=16 + POWER_FRAC - 1, r=delta)
        self.head(MAC, n, by_mean, by_log, z=by_mean, width=32)
        self.head(MAC, 1, less, alpha, y=Constant(1 << 11), k=POWER_FRAC + 11, r=delta)
        self.head(MAC, 1, less, less, y=Constant(-1))
        self.head(MAC, n, by_log, by_mean, y=drawn.noise, z=Row(less), up=OUT_FRAC, k=OUT_FRAC)
        self.head(IF_NE, n, by_log, drawn.logs, y=drawn.held, z=Constant(0))
        last = self.actor.deltas[-1]
        self.to_tensor(last, 0, n, by_mean, deltas=True, id=delta)
        self.to_tensor(last, n, n, by_log, deltas=True, id=delta)

    def rates(self) -> list[tuple[int, dict[str, int]]]:
        return [*super().rates(), (2, self.learner.temperature.network.rates(self.batch))]


def trainer_of(learner: ActorCritic, shape: Shape, batch: int, **more: Any) -> Trainer:
    """The trainer of a learner. Raises KeyError: there is no program of it."""
    return {Td3: Td3Trainer, Sac: SacTrainer}[type(learner)](learner, shape, batch, **more)
