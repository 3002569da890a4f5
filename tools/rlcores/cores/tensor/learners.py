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
    ACTIVATIONS,
    ANY,
    DELTAS,
    DRAW,
    END,
    EXP2,
    FROM_DELTAS,
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
_U, _V = 1, 2  # units that a step waits for
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
        self.input, self.fraction_of_value = self.fraction(learner.input), self.fraction(learner.value)
        self.networks = [Kept(self, network, min(n, 1)) for n, network in enumerate(learner.networks)]
        self.actor, self.critics = self.networks[0], self.networks[1:]
        self.judges = [self.critics[learner.critics.index(judge)] for judge in learner.judges]
        self.slope = self.fraction(learner.slope)
        for critic in self.judges:
            critic.passes(self)
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
        self.values = [self.vector(1) for _ in self.critics]
        self._count = self._clock = 0
        self._written: dict[tuple[int, int], int] = {}
        self._put(MOVE, 0, wait=_V, after=0)
        self.step()
        self._put(END, 0, wait=_V, after=self.mark())
        self.settle = len(self.program)
        self._put(MOVE, 0, wait=_U | _V, after=self.mark())
        self.follow()
        self._put(END, 0, wait=_U)

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

    # --- steps of the program ---

    def _put(
        self, unit: int, body: int, *, after: int | None = None, wait: int = 0, k: int = 0, p: int = 0, q: int = 0,
        r: int = 0, rates: int = 0, id: int = 0,
    ) -> None:  # fmt: skip
        if not -128 <= k < 128:
            raise ValueError(f"a shift of {k} bits does not exist")
        lag = ANY if after is None else min(self._count - after, ANY - 1)
        self.program.append(
            STEP.pack_whole(unit=unit, lag=lag, wait=wait, k=k & 255, p=p, q=q, r=r, rates=rates, id=id, body=body)
        )

    def mark(self) -> int:
        """All products so far: what a later step can be `after`."""
        return self._count

    def head(
        self, op: int, features: int, to_base: int, x: int = 0, y: Operand = Constant(1), z: Operand = Constant(0), *,
        after: int | None = None, k: int = 0, p: int = 0, q: int = 0, r: int = 0, **more: Any,
    ) -> int:  # fmt: skip
        """A command of the vector unit, which drops k + p + q - r bits. Returns to_base."""
        self._put(HEAD, Vector(op, features, to_base, x, y, z, **more).pack(), after=after, k=k, p=p, q=q, r=r)
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
        """A command of the matrix unit, with a barrier where it reads what may not be written yet."""
        reads = [(command.stream, command.stream_base)]
        if command.block == FROM_DELTAS:
            reads.append((DELTAS, command.block_base))
        if command.mask:
            reads.append((ACTIVATIONS, command.mask_base))
        barrier = any(self._clock - self._written.get(place, -self.shape.told) < self.shape.told for place in reads)
        self._put(MATRIX, replace(command, barrier=int(barrier)).pack(), **more)
        self._count += 1
        self._clock += command.clocks(self.shape)
        self._written[command.to, command.to_base] = self._clock

    def forward(
        self, kept: Kept, x: Tensor, hidden: Sequence[Tensor], output: int | None, *, target: bool = False,
        wait: int = 0, part: slice = slice(None),
    ) -> None:  # fmt: skip
        """Layers, all or a part of them; the last one to the vector `output`; None: without the last one."""
        tensors = [x, *hidden]
        for n, layer in list(enumerate(kept.net.layers))[part]:
            last = n + 1 == len(kept.net.layers)
            if last and output is None:
                break
            to = Tensor(output, 1) if last else tensors[n + 1]
            command = program.forward(
                self.shape, layer, tensors[n], to, batch=self.batch, shift=0, bias_shift=0, relu=not last, output=last,
                target=target, id=kept.act[n + 1],
            )  # fmt: skip
            if last:
                command = replace(command, to_word=self.shape.blocks)
            self.product(command, k=WEIGHT_FRAC, q=kept.act[n], r=kept.act[n + 1], wait=wait)
            wait = 0

    def backward(self, kept: Kept, hidden: Sequence[Tensor], fractions: Sequence[int], *, wait: int = 0) -> None:
        """From the output's deltas to those of layer 1; fractions: of the deltas 1 … M."""
        for n in range(len(kept.net.layers) - 1, 0, -1):
            command = program.backward(
                self.shape, kept.net.layers[n], kept.deltas[n], kept.deltas[n - 1], batch=self.batch, shift=0,
                mask=hidden[n - 1], id=fractions[n - 1],
            )  # fmt: skip
            self.product(command, k=WEIGHT_FRAC, q=fractions[n], r=fractions[n - 1], wait=wait)
            wait = 0

    def gradients(self, kept: Kept, x: Tensor, hidden: Sequence[Tensor], *, wait: int = 0) -> list[int]:
        """Of all layers, from the last one on; when that of layer 1, 2 … is done."""
        tensors, marks = [x, *hidden], []
        for n, layer in reversed(list(enumerate(kept.net.layers))):
            command = program.gradient(
                self.shape, layer, kept.deltas[n], tensors[n], batch=self.batch, shift=0, bias_shift=0,
                word=kept.words[n], row=kept.rows[n], id=kept.grad[n],
            )  # fmt: skip
            self.product(command, p=kept.delta[n], q=kept.act[n], r=kept.grad[n], wait=wait)
            marks.append(self.mark())
        return marks[::-1]

    def update(self, kept: Kept, layer: int, sync: bool, after: int) -> None:
        """A layer, when its gradient is there and the update before it is done."""
        matrix, first = kept.net.layers[layer], kept.net.firsts[layer]
        bits = parameters.update(
            self.shape, matrix, grad_base=kept.words[layer], grad_bias=kept.rows[layer], first=first, target=matrix,
            target_first=first, sync=sync, id=layer,
        )  # fmt: skip
        self._put(UPDATE_LAYER, bits, q=kept.grad[layer], rates=kept.rates, wait=_U, after=after)

    def updates(self, kept: Kept, sync: bool, after: Sequence[int]) -> None:
        """All layers, the last one first, as their gradients come."""
        for layer in reversed(range(len(after))):
            self.update(kept, layer, sync, after[layer])

    # --- parts of an algorithm ---

    def states(self, tensor: Tensor, name: str, **more: int) -> None:
        """States of the records as an input."""
        self.to_tensor(tensor, 0, self.learner.states, self.record[name], k=TANH_FRAC, r=self.input, **more)

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
        self.value(0, wait=_V)
        self.states(self.x_next, "next_states", id=self.input)
        self.states(self.x_pi, "states")

    def learn_values(self, less: int | None, sync: bool) -> None:
        """Both critics learn towards the smaller target, `less` taken off it; TD errors of the first one leave.

        The second one's value is there but for its last layer; its update is left to judge().
        """
        nexts = [self.vector(1) for _ in self.critics]
        for critic, hidden, value in zip(self.critics, self.others, nexts, strict=True):
            self.forward(critic, self.x_next, hidden, value, target=True, wait=_V)
        there = self.mark()
        self.value(1, part=slice(-1, None))
        last = self.mark()
        target, reward, td, one = self.vector(1), self.vector(1), self.vector(1), FACTOR_FRAC
        self.head(
            MAC, 1, reward, self.record["rewards"], y=Constant(1 << one), width=27, id=self.fraction_of_value,
            k=16 + one, r=self.fraction_of_value,
        )  # fmt: skip
        self.head(MIN, 1, target, nexts[0], y=nexts[1], after=there)
        taken = {"x": target} if less is None else {"x": less, "y": Constant(-1), "z": target}
        self.head(MAC, 1, target, width=27, id=self.fraction_of_value, **taken)
        marks = []
        for n, critic in enumerate(self.critics):
            value = self.values[n]
            self.head(MAC, 1, value, reward, y=Constant(-1), z=value, after=last if n else None)
            self.head(
                MAC, 1, td, target, y=self.record["discounts"], z=value, negate=True, up=one, k=one, width=27,
                symmetric=True, id=self.fraction_of_value,
            )  # fmt: skip
            self.to_tensor(
                critic.deltas[-1], 0, 1, td, deltas=True, y=self.record["weights"], k=one, q=self.fraction_of_value,
                r=critic.delta[-1], id=critic.delta[-1],
            )  # fmt: skip
            self.backward(critic, self.vectors[n], critic.delta, wait=_V)
            if n == 0:
                self.head(MAC, 1, 0, td, to=STREAM)
            marks.append(self.gradients(critic, self.x, self.vectors[n]))
        self.updates(self.critics[0], sync, marks[0])
        self.second = self.critics[1], sync, marks[1]

    def judge(self) -> None:
        """The new critics' values of x_pi, as far as the actor needs them; the second critic's update beside them."""
        second, sync, marks = self.second
        both = len(self.judges) > 1
        layers = len(marks)
        self.forward(self.judges[0], self.x_pi, self.vectors[0], self.values[0] if both else None, wait=_U | _V)
        for layer in range(layers):
            self.update(second, layer, sync, marks[layer])
            if both and layer:
                at = slice(layer - 1, layer)
                self.forward(second, self.x_pi, self.vectors[1], self.values[1], part=at)
        if both:
            self.forward(second, self.x_pi, self.vectors[1], self.values[1], part=slice(-1, None), wait=_U)

    def through(self) -> int:
        """-dQ/da of the judges' smaller value at x_pi: a vector with the fraction `slope`."""
        states, actions, side = self.learner.states, self.learner.actions, self.shape.side
        block = states // side
        inputs = states + actions - block * side
        there, given = self.mark(), []
        for n, critic in enumerate(self.judges):
            chosen = self.vector(1)
            nothing, whole = Constant(0), Constant(-(1 << PASS_FRAC))
            alone = len(self.judges) == 1
            self.head(MAC, 1, chosen, self.record["rewards"], y=nothing, z=whole if alone else nothing)
            if not alone:
                # The first one where both are equal.
                self.head((IF_LE, IF_LT)[n], 1, chosen, self.values[n], y=self.values[1 - n], z=whole, after=there)
            self.to_tensor(critic.deltas[-1], 0, 1, chosen, deltas=True, after=there)
            self.backward(critic, self.vectors[n], critic.passed[1:], wait=_V)
            given.append(self.vector(inputs))
            command = program.backward(
                self.shape, critic.net.layers[0], critic.deltas[0], Tensor(given[-1], inputs), batch=self.batch,
                shift=0, first=block, id=NOBODY,
            )  # fmt: skip
            command = replace(command, to=OUTPUTS, to_word=self.shape.blocks)
            self.product(command, k=WEIGHT_FRAC, q=critic.passed[1], r=critic.passed[0])
        mine = [self.at(vector, states - block * side) for vector in given]
        more = {"z": mine[1]} if len(mine) > 1 else {}
        return self.head(MAC, actions, mine[0], mine[0], width=18, id=self.slope, after=self.mark(), **more)

    def learn_actor(self, sync: bool) -> None:
        """The actor, when the deltas of its output are there."""
        self.backward(self.actor, self.h, self.actor.delta, wait=_V)
        marks = self.gradients(self.actor, self.x_pi, self.h)
        self.updates(self.actor, sync, marks)

    def follow(self) -> None:
        """Fractions have moved: they are held where shifts exist, and the optimiser's state goes along."""
        self.limit(self.actor.delta[-1], k=SLOPE_FRAC, q=self.slope)
        for kept in self.networks:
            self.fitting(kept)
        for kept in self.networks:
            for n, layer in enumerate(kept.net.layers):
                # A square moves twice.
                for plane in (2, 3, 3):
                    bits = parameters.update(self.shape, layer, kind=SCALE, plane=plane, first=kept.net.firsts[n], id=n)
                    self._put(RESCALE, bits, q=kept.grad[n], rates=kept.rates, wait=_U)

    def fitting(self, kept: Kept) -> None:
        """rlcores.cores.rl.exponents.fitting() of a network."""
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
        moves = any(e is other for other in self.learner.moving())
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
        output, normals = self.vector(actions), self.vector(actions)
        self.begin()
        self.forward(self.actor, self.x_next, self.h_next, output, target=True, wait=_U | _V)
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
        alpha, less = self.vector(1), self.vector(1)
        own, following = Drawn(self), Drawn(self)
        self.scratch = [self.vector(actions) for _ in range(4)]
        self.begin()
        self.to_tensor(self.zero, 0, 1, self.record["rewards"], y=Constant(0))
        self.forward(self.actor, self.x_pi, self.h, own.outputs, wait=_U | _V)
        self.forward(self.temperature, self.zero, (), alpha)
        there = self.mark()
        self.forward(self.actor, self.x_next, self.h_next, following.outputs)
        nexts = self.mark()
        self.head(MAC, 1, alpha, alpha, y=Constant(_LOG2E), k=18 + WEIGHT_FRAC - LOG_FRAC, after=there)
        self.head(EXP2, 1, alpha, alpha, z=Constant(POWER_FRAC << LOG_FRAC))
        self.sample(own, there)
        self.join(self.x_pi, own.action)
        self.heat(own.log)
        self.value(1, part=slice(0, -1))
        self.sample(following, nexts)
        self.join(self.x_next, following.action)
        self.head(MAC, 1, less, following.log, y=alpha, k=NATURAL_FRAC + POWER_FRAC, r=self.fraction_of_value)
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
        marks = self.gradients(self.temperature, self.zero, (), wait=_V)
        self.updates(self.temperature, False, marks)

    def sample(self, drawn: Drawn, there: int) -> None:
        """rlcores.cores.rl.squashed.sample()."""
        n, log2e = self.learner.actions, Constant(_LOG2E)
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
        """What the actor's deltas need besides the critics: the slope of tanh, 2 alpha tanh(u), and -alpha.

        Noise and -alpha are 0 where the log-deviation was limited.
        """
        n, delta = self.learner.actions, self.actor.delta[-1]
        slope, twice, less = (self.vector(n) for _ in range(3))
        one, zero = Constant(1 << TANH_FRAC), Constant(0)
        self.head(MAC, n, slope, drawn.action, y=drawn.action, z=one, negate=True, up=16, k=16)
        self.head(MAC, n, twice, drawn.action, y=Row(alpha), k=16 + POWER_FRAC - 1, r=delta)
        self.head(MAC, 1, alpha, alpha, y=Constant(1 << 11), k=POWER_FRAC + 11, r=delta)
        self.head(MAC, n, less, drawn.noise, y=zero, z=Row(alpha))
        self.head(MAC, n, less, less, y=Constant(-1))
        for vector in (less, drawn.noise):
            self.head(IF_NE, n, vector, drawn.logs, y=drawn.held, z=zero)
        return slope, twice, less

    def tail(self, drawn: Drawn, to_action: int, prepared: tuple[int, int, int]) -> None:
        """rlcores.cores.rl.squashed.output_delta()."""
        n, delta, last = self.learner.actions, self.actor.delta[-1], self.actor.deltas[-1]
        slope, twice, less = prepared
        by_mean = self.scratch[0]
        self.head(MAC, n, by_mean, to_action, y=slope, k=SLOPE_FRAC, q=self.slope, r=delta)
        self.head(MAC, n, by_mean, by_mean, z=twice, width=32)
        self.to_tensor(last, 0, n, by_mean, deltas=True, id=delta)
        self.to_tensor(last, n, n, by_mean, deltas=True, y=drawn.noise, z=less, up=OUT_FRAC, k=OUT_FRAC, id=delta)

    def rates(self) -> list[tuple[int, dict[str, int]]]:
        return [*super().rates(), (2, self.learner.temperature.network.rates(self.batch))]


def trainer_of(learner: ActorCritic, shape: Shape, batch: int, **more: Any) -> Trainer:
    """The trainer of a learner. Raises KeyError: there is no program of it."""
    return {Td3: Td3Trainer, Sac: SacTrainer}[type(learner)](learner, shape, batch, **more)
