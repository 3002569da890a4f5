"""What a training step is made of on the matrix unit: its products in their order, and the clocks of all of them.

`python -m rlcores.cores.tensor.steps` prints the counts of docs/tensor.md.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from rlcores.cores.tensor.parameters import group_count
from rlcores.cores.tensor.program import Command, Matrix, Tensor, TensorShape, backward, ceil_div, forward, gradient


@dataclass(frozen=True)
class Net:
    """A network in the unit's memories: its layers, and their groups of parameters."""

    layers: tuple[Matrix, ...]
    firsts: tuple[int, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """N_0 … N_M."""
        return (self.layers[0].inputs, *(layer.outputs for layer in self.layers))


@dataclass
class TensorLayout:
    """Places in the unit's memories, taken one after the other."""

    shape: TensorShape
    batch: int
    blocks: int = 0
    rows: int = 0
    groups: int = 0
    activations: int = 0
    deltas: int = 0

    def network(self, sizes: Sequence[int]) -> Net:
        """Room for a network."""
        layers, firsts = [], []
        for inputs, outputs in pairwise(sizes):
            layer = Matrix(self.blocks, outputs, inputs, self.rows)
            layers.append(layer)
            firsts.append(self.groups)
            self.blocks += layer.rows(self.shape) * layer.row(self.shape)
            self.rows += layer.rows(self.shape)
            self.groups += group_count(self.shape, layer)
        return Net(tuple(layers), tuple(firsts))

    def tensors(self, sizes: Sequence[int], deltas: bool = False) -> tuple[Tensor, ...]:
        """Room for vectors of these sizes."""
        tensors = []
        for size in sizes:
            tensor = Tensor(self.deltas if deltas else self.activations, size)
            tiles = tensor.tiles(self.shape, self.batch)
            if deltas:
                self.deltas += tiles
            else:
                self.activations += tiles
            tensors.append(tensor)
        return tuple(tensors)


@dataclass
class Step:
    """Products in the order in which they run: (what it is, command)."""

    layout: TensorLayout
    products: list[tuple[str, Command]] = field(default_factory=list)

    def forward(self, name: str, net: Net, x: Sequence[Tensor], target: bool = False) -> None:
        """All layers of a network, x its tensors."""
        for n, layer in enumerate(net.layers):
            last = n + 1 == len(net.layers)
            self._add(
                f"{name} forward {n + 1}", forward, layer, x[n], x[n + 1], shift=0, bias_shift=0, relu=not last,
                output=last, target=target, barrier=int(n > 0),
            )  # fmt: skip

    def backward(self, name: str, net: Net, x: Sequence[Tensor], delta: Sequence[Tensor]) -> None:
        """From the output's deltas to those of the first layer."""
        for n in range(len(net.layers) - 1, 0, -1):
            self._add(
                f"{name} backward {n + 1}", backward, net.layers[n], delta[n], delta[n - 1], shift=0, mask=x[n],
                barrier=int(n + 1 < len(net.layers)),
            )  # fmt: skip

    def gradients(self, name: str, net: Net, x: Sequence[Tensor], delta: Sequence[Tensor]) -> None:
        """Of all layers, x and delta their tensors."""
        for n in range(len(net.layers) - 1, -1, -1):
            self._add(f"{name} gradient {n + 1}", gradient, net.layers[n], delta[n], x[n], shift=0, bias_shift=0)

    def to_input(self, name: str, net: Net, delta: Sequence[Tensor], to: Tensor, first: int) -> None:
        """Deltas of the first layer to those of its inputs from block `first` on."""
        self._add(f"{name} backward 1", backward, net.layers[0], delta[0], to, shift=0, first=first, barrier=1)

    def _add(self, name: str, make, *what, **how) -> None:
        self.products.append((name, make(self.layout.shape, *what, batch=self.layout.batch, **how)))

    @property
    def clocks(self) -> int:
        """Of all products, one after the other, the step's first and last word included."""
        shape, every = self.layout.shape, [command for _, command in self.products]
        gaps = sum(command.gap(shape, before) for before, command in pairwise(every))
        return gaps + sum(command.clocks(shape) for command in every)

    @property
    def multiply_adds(self) -> int:
        """That the algorithm needs, without padding."""
        return sum(command.multiply_adds(self.layout.shape) for _, command in self.products)

    def work(self) -> dict[tuple[int, str], int]:
        """Multiply-adds by phase and kind: "forward", "backward", "gradient"; phase 1 from the critics' update on."""
        work: dict[tuple[int, str], int] = {}
        for name, command in self.products:
            late = " of pi" in name or (name.startswith("actor") and "at s'" not in name)
            kind = next(kind for kind in ("forward", "backward", "gradient") if kind in name)
            place = int(late), kind
            work[place] = work.get(place, 0) + command.multiply_adds(self.layout.shape)
        return work


def sac(shape: TensorShape, states: int, actions: int, hidden: Sequence[int], batch: int) -> Step:
    """A step of SAC: two critics with their targets, and an actor through the smaller of the new critics."""
    layout = TensorLayout(shape, batch)
    inputs = states + actions
    actor = layout.network((states, *hidden, 2 * actions))
    critics = [layout.network((inputs, *hidden, 1)) for _ in range(2)]
    step = Step(layout)
    value = (inputs, *hidden, 1)
    own, following = layout.tensors(actor.sizes), layout.tensors(actor.sizes)
    vectors = [layout.tensors(value) for _ in critics]
    deltas = [layout.tensors(value[1:], deltas=True) for _ in critics]
    step.forward("actor at s'", actor, following)
    for n, critic in enumerate(critics):
        step.forward(f"critic {n + 1}", critic, vectors[n])
    for n, critic in enumerate(critics):
        step.forward(f"target {n + 1}", critic, vectors[n], target=True)
    step.forward("actor at s", actor, own)
    for n, critic in enumerate(critics):
        step.backward(f"critic {n + 1}", critic, vectors[n], deltas[n])
        step.gradients(f"critic {n + 1}", critic, vectors[n], deltas[n])
    for n, critic in enumerate(critics):
        step.forward(f"critic {n + 1} of pi", critic, vectors[n])
    block = states // shape.side
    to = Tensor(layout.deltas, inputs - block * shape.side)
    for n, critic in enumerate(critics):
        step.backward(f"critic {n + 1} of pi", critic, vectors[n], deltas[n])
        step.to_input(f"critic {n + 1} of pi", critic, deltas[n], to, block)
    delta = layout.tensors(actor.sizes[1:], deltas=True)
    step.backward("actor", actor, own, delta)
    step.gradients("actor", actor, own, delta)
    return step


def dqn(shape: TensorShape, sizes: Sequence[int], batch: int) -> Step:
    """A step of DQN with a target network."""
    layout = TensorLayout(shape, batch)
    net, step = layout.network(sizes), Step(layout)
    x, delta = layout.tensors(sizes), layout.tensors(sizes[1:], deltas=True)
    step.forward("target", net, x, target=True)
    step.forward("value", net, x)
    step.backward("value", net, x, delta)
    step.gradients("value", net, x, delta)
    return step


def unit_for_each(step: Step, multipliers: int) -> int:
    """Clocks of a design with a unit for each layer, network and kind, at least.

    The units before the critics' update rest behind it, and the reverse; the division is the best one.
    """
    phases = [sum(n for (phase, _), n in step.work().items() if phase == at) for at in (0, 1)]
    return math.ceil(sum(math.sqrt(n) for n in phases) ** 2 / multipliers)


def unit_for_each_kind(step: Step, multipliers: int) -> int:
    """Clocks of a design in which all networks stream through one unit for each kind, at least.

    Each phase takes as long as its slowest unit; the division is the best one, in sixty-fourths.
    """
    work, kinds = step.work(), ("forward", "backward", "gradient")
    best = math.inf
    for f in range(1, 63):
        for b in range(1, 64 - f):
            shares = dict(zip(kinds, (f, b, 64 - f - b), strict=True))
            clocks = sum(max(64 * work[phase, kind] / shares[kind] for kind in kinds) for phase in (0, 1))
            best = min(best, clocks)
    return math.ceil(best / multipliers)


def main() -> None:
    """Print the counts of docs/tensor.md."""
    for line in counts():
        print(line)


def counts() -> list[str]:
    """Rows of the tables in docs/tensor.md."""
    large = sac(TensorShape(8, 4, places=512), 17, 6, (256, 256), 256)
    limit = 2280
    rows = [
        f"| floor: every multiplier works in every clock | {ceil_div(large.multiply_adds, limit):,} |",
        f"| (a) a unit for each layer, network and kind, at least | {unit_for_each(large, limit):,} |",
        f"| (b) one forward, one backward, one gradient unit, at least | {unit_for_each_kind(large, limit):,} |",
        f"| (c) one array, counted, on {large.layout.shape.multipliers:,} multipliers | {large.clocks:,} |",
    ]
    for name, make in (
        ("SAC, 17-256-256-6, batch 256", lambda shape: sac(shape, 17, 6, (256, 256), 256)),
        ("DQN, 4-64-64-2, batch 64", lambda shape: dqn(shape, (4, 64, 64, 2), 64)),
    ):
        for shape in (
            TensorShape(4, 4, 512),
            TensorShape(8, 1, 512),
            TensorShape(8, 2, 512),
            TensorShape(8, 4, 512),
            TensorShape(8, 8, 512),
            TensorShape(16, 1, 512),
        ):
            step = make(shape)
            share = step.multiply_adds / step.clocks / shape.multipliers
            rows.append(
                f"| {name} | {shape.side} | {shape.blocks} | {shape.multipliers:,} | {step.clocks:,} | {share:.0%} |"
            )
    return rows


if __name__ == "__main__":
    main()
