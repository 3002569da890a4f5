"""Programs of rlc_tensor_trainer: what every algorithm lays out and writes, whatever its networks and losses are.

A Trainer has the places of a learner's networks, tensors and vectors, and puts steps: products, heads, updates, and the
fractions that follow. An algorithm is a subclass that says which, in which order.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from rlcores.cores.learner.activations import RELU
from rlcores.cores.learner.format import FACTOR_FRAC, SHIFT_MAX, TANH_FRAC, WEIGHT_FRAC
from rlcores.cores.learner.normalisation import EXTRA
from rlcores.cores.rl.exponents import Exponent
from rlcores.cores.rl.networks import Trained
from rlcores.cores.tensor import hidden as hidden_heads
from rlcores.cores.tensor import parameters, program
from rlcores.cores.tensor.program import Command, Tensor, TensorShape, ceil_div
from rlcores.cores.tensor.steps import Net, TensorLayout
from rlcores.cores.tensor.vector import Constant, Operand, Vector
from rlcores.cores.tensor.words import (
    ACTIVATIONS,
    ANY,
    DELTAS,
    END,
    FROM_DELTAS,
    HEAD,
    LIMIT,
    MAC,
    MATRIX,
    MOVE,
    NOBODY,
    OUTPUTS,
    RESCALE,
    SCALE,
    SETTING,
    STEP,
    TO_ACTIVATIONS,
    TO_DELTAS,
    UPDATE_LAYER,
)

RECORD = ("states", "actions", "rewards", "next_states", "discounts", "weights")  # vectors of a batch
UPDATES_REST, VECTORS_REST = 1, 2  # what a step waits for


class PlacedNetwork:
    """A network of a learner in the unit: its places, its gradients, its fractions."""

    def __init__(self, trainer: "Trainer", network: Trained, rates: int) -> None:
        """rates: the slot of its optimiser's settings."""
        self.network, self.rates = network, rates
        self.kind = network.integers.activation
        self.rectified = self.kind is RELU and not network.norm  # all of it is a bit of the commands
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
        self.norm = [f(e) for e in network.norm]
        self.passed: list[int] = []

    def passes(self, trainer: "Trainer") -> None:
        """It is passed through backward: those fractions, too."""
        self.passed = [trainer.fraction(e) for e in self.network.passed]


class Trainer:
    """Of a learner with the fractions `input`, `value` and those of its `networks`. `program` has the steps, packed.

    words, output_words: what the unit's WORDS and OUTPUT_WORDS must be at least. settle: the step at which a program
    begins that only brings fractions and moments up to date.
    """

    def __init__(self, learner: Any, shape: TensorShape, batch: int) -> None:
        """Raises ValueError: something has more of its kind than the unit can count."""
        self.learner, self.shape, self.batch = learner, shape, batch
        self.layout = TensorLayout(shape, batch)
        self.stride = ceil_div(batch, shape.side)
        self.words = self.gradient_words = self.gradient_rows = 0
        self.exponents: list[Exponent] = [Exponent(0)]  # index 0: no fraction
        self.program: list[int] = []
        self.input, self.of_value = self.fraction(learner.input), self.fraction(learner.value)
        self.networks = [PlacedNetwork(self, network, min(n, 1)) for n, network in enumerate(learner.networks)]
        self.record: dict[str, int] = {}
        self.output_words = 0
        self._count = self._clock = self._drained = 0
        self._written: dict[tuple[int, int], int] = {}
        self._heads: set[tuple[int, int]] = set()  # places that activations' commands may still read or write
        self._kept: dict[int, hidden_heads.HiddenAddresses] = {}  # by a hidden tensor's place
        self.places()
        self._put(MOVE, 0, wait=VECTORS_REST, after=0)
        self.step()
        self._put(END, 0, wait=VECTORS_REST, after=self.mark())
        self.settle = len(self.program)
        self._put(MOVE, 0, wait=UPDATES_REST | VECTORS_REST, after=self.mark())
        self.follow()
        self._put(END, 0, wait=UPDATES_REST)

    def places(self) -> None:
        """Records, tensors and vectors of the algorithm."""
        raise NotImplementedError

    def step(self) -> None:
        """A step of the algorithm."""
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
        self, tensor: Tensor, first: int, features: int, x: int, *, op: int = MAC, deltas: bool = False, **more: Any
    ) -> None:
        """Results of a command into a tensor, from feature `first` on, in 18 bits."""
        span = self.shape.span
        self.head(
            op, features, tensor.base + first // span, x, to=TO_DELTAS if deltas else TO_ACTIVATIONS,
            to_row=tensor.row(self.shape), to_feature=first % span, width=18, **more,
        )  # fmt: skip

    def product(self, command: Command, **more: int) -> None:
        """A command of the matrix unit, with a barrier where it reads what may not be written yet."""
        reads = [(command.stream, command.stream_base)]
        if command.block == FROM_DELTAS:
            reads.append((DELTAS, command.block_base))
        if command.mask:
            reads.append((ACTIVATIONS, command.mask_base))
        if self._heads & {*reads, (command.to, command.to_base)}:
            more["wait"] = more.get("wait", 0) | VECTORS_REST
        if more.get("wait", 0) & VECTORS_REST:
            self._heads.clear()
        barrier = any(self._clock - self._written.get(place, -self.shape.told) < self.shape.told for place in reads)
        self._put(MATRIX, replace(command, barrier=int(barrier)).pack(), **more)
        self._count += 1
        self._clock += command.clocks(self.shape)
        self._written[command.to, command.to_base] = self._clock
        if command.to == OUTPUTS:
            self._drain(command)

    def _drain(self, command: Command) -> None:
        """How many words of outputs wait behind a product: each leaves in some words of vectors, one a clock."""
        words, each = command.rows * command.words, self.shape.side * self.shape.blocks
        begin = max(self._drained, self._clock - words)
        self._drained = begin + words * each
        self.output_words = max(self.output_words, ceil_div(self._drained - self._clock, each) + 2)

    def forward(
        self, kept: PlacedNetwork, x: Tensor, hidden: Sequence[Tensor], output: int | None, *, target: bool = False,
        wait: int = 0, part: slice = slice(None), learns: bool = True,
    ) -> None:  # fmt: skip
        """Layers, all or a part of them; the last one to the vector `output`; None: without the last one.

        learns: backward() comes later.
        """
        tensors = [x, *hidden]
        for n, layer in list(enumerate(kept.net.layers))[part]:
            last = n + 1 == len(kept.net.layers)
            if last and output is None:
                break
            rectified, kept_for = not last and kept.rectified, learns and not target
            places = None if last or rectified else self._addresses_of(kept, tensors[n + 1], kept_for)
            sums = output if places is None else places.sums
            command = program.forward(
                self.shape, layer, tensors[n], tensors[n + 1] if rectified else Tensor(sums, 1), batch=self.batch,
                shift=0, bias_shift=0, relu=rectified, output=not rectified, target=target,
                id=kept.act[n + 1] if last or rectified else NOBODY,
            )  # fmt: skip
            norm = kept.norm[n] if kept.norm and not last else None
            before = None if last or norm is not None else kept.kind.before
            out = kept.act[n + 1] if norm is None else norm
            frac = {"k": WEIGHT_FRAC, "r": out} if before is None else {"k": WEIGHT_FRAC - before}
            self.product(command, q=kept.act[n], wait=wait, **frac)
            wait = 0
            if places is not None:
                hidden_heads.forward(
                    self, kept.kind, places, layer.outputs, tensors[n + 1], kept.act[n + 1], learns=kept_for, norm=norm
                )
                self._activated((ACTIVATIONS, tensors[n + 1].base), (OUTPUTS, sums))

    def backward(
        self, kept: PlacedNetwork, hidden: Sequence[Tensor], fractions: Sequence[int], *, wait: int = 0,
        part: slice = slice(None),
    ) -> None:  # fmt: skip
        """From the output's deltas to those of layer 1, or a part of that way; fractions: of the deltas 1 … M."""
        for n in list(range(len(kept.net.layers) - 1, 0, -1))[part]:
            to, rectified = kept.deltas[n - 1], kept.rectified
            command = program.backward(
                self.shape, kept.net.layers[n], kept.deltas[n], to if rectified else Tensor(self.sums, to.features),
                batch=self.batch, shift=0, mask=hidden[n - 1] if rectified else None,
                id=fractions[n - 1] if rectified else NOBODY,
            )  # fmt: skip
            if not rectified:
                command = replace(command, to=OUTPUTS, to_word=0)
            extra = EXTRA if kept.norm else 0
            self.product(command, k=WEIGHT_FRAC - extra, q=fractions[n], r=fractions[n - 1], wait=wait)
            wait = 0
            if not rectified:
                places = self._addresses_of(kept, hidden[n - 1], True)
                norm = kept.norm[n - 1] if kept.norm else None
                hidden_heads.backward(self, kept.kind, places, to.features, to, fractions[n - 1], norm=norm)
                self._activated((DELTAS, to.base), (OUTPUTS, self.sums), (OUTPUTS, places.sums))

    def _activated(self, *places: tuple[int, int]) -> None:
        """Commands of an activation were put: they use these places, and have waited for all outputs so far."""
        self._heads |= {*places}
        self._drained = min(self._drained, self._clock)

    # Scratch of hidden layers, there when it is asked for.

    @cached_property
    def sums(self) -> int:
        """A hidden layer's sums, or what comes back to it."""
        return self.vector(self._widest)

    @cached_property
    def wide(self) -> int:
        """What is summed up over a hidden layer."""
        return self.vector(self._widest)

    @cached_property
    def aside(self) -> int:
        """Numbers of a part of a hidden layer."""
        return self.vector(min(self._widest, hidden_heads.PART))

    @cached_property
    def root(self) -> int:
        """1 / root of a normalised layer, for now."""
        return self.vector(1)

    @property
    def _widest(self) -> int:
        return max(n for kept in self.networks for n in kept.network.about.sizes[1:-1])

    def _addresses_of(self, kept: PlacedNetwork, hidden: Tensor, learns: bool) -> hidden_heads.HiddenAddresses:
        """The vectors of a hidden tensor: kept until the way back, or for now."""
        if not learns:
            return hidden_heads.HiddenAddresses(self.sums, self.sums, self.root if kept.norm else 0)
        if hidden.base not in self._kept:
            more = (self.vector(hidden.features), self.vector(1)) if kept.norm else ()
            self._kept[hidden.base] = hidden_heads.HiddenAddresses(self.vector(hidden.features), *more)
        return self._kept[hidden.base]

    def gradients(self, kept: PlacedNetwork, x: Tensor, hidden: Sequence[Tensor], *, wait: int = 0) -> list[int]:
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

    def update(self, kept: PlacedNetwork, layer: int, sync: bool, after: int, wait: int = 0) -> None:
        """A layer, when its gradient is there."""
        matrix, first = kept.net.layers[layer], kept.net.firsts[layer]
        bits = parameters.update(
            self.shape, matrix, grad_base=kept.words[layer], grad_bias=kept.rows[layer], first=first, target=matrix,
            target_first=first, sync=sync, id=layer,
        )  # fmt: skip
        self._put(UPDATE_LAYER, bits, q=kept.grad[layer], rates=kept.rates, wait=wait, after=after)

    def updates(self, kept: PlacedNetwork, sync: bool, after: Sequence[int]) -> None:
        """All layers, the last one first, as their gradients come."""
        for layer in reversed(range(len(after))):
            self.update(kept, layer, sync, after[layer])

    def states(self, tensor: Tensor, name: str, **more: int) -> None:
        """States of the records as an input."""
        self.to_tensor(tensor, 0, self.learner.states, self.record[name], k=TANH_FRAC, r=self.input, **more)

    def follow(self) -> None:
        """Fractions have moved: they are held where shifts exist, and the optimiser's state goes along."""
        for kept in self.networks:
            self.fitting(kept)
        for kept in self.networks:
            for n, layer in enumerate(kept.net.layers):
                # A square moves twice.
                for plane in (2, 3, 3):
                    bits = parameters.update(self.shape, layer, kind=SCALE, plane=plane, first=kept.net.firsts[n], id=n)
                    self._put(RESCALE, bits, q=kept.grad[n], rates=kept.rates)

    def fitting(self, kept: PlacedNetwork) -> None:
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
        """The bits of rlc_tensor_fractions' set port."""
        e = self.exponents[fraction]
        moves = any(e is other for other in self.learner.moving())
        return SETTING.pack_whole(moves=moves, wide=e.width > 18, spare=e.spare, most=e.most, frac=e.frac)

    def rates(self) -> list[tuple[int, dict[str, int]]]:
        """(slot, the optimiser's registers) of the next step."""
        return [(kept.rates, kept.network.rates(self.batch)) for kept in self.networks[:2]]
