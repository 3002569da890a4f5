"""A network whose products and updates are the unit's: what the models of TD3 and SAC take for their integers.

The unit keeps weights and tensors; heads and losses are the model's. It stands in for learner.network.Network, so that
every number of a training step comes out of the RTL, and can be compared with a learner that has none.
"""

from collections import deque
from collections.abc import Callable

import numpy as np
from cocotb.task import resume
from cocotb.triggers import FallingEdge, ReadOnly
from tensor_bench import Unit

from rlcores.cores.learner.network import Network
from rlcores.cores.tensor import parameters, program
from rlcores.cores.tensor.program import Tensor, ceil_div
from rlcores.cores.tensor.steps import Layout
from rlcores.cores.tensor.words import SCALE


class Vectors(list):
    """Arrays of a pass, and the tensors in which the unit keeps them."""

    tensors: tuple[Tensor, ...] = ()


class Shared(Unit):
    """The unit with what its results were, and the places that networks have taken."""

    def __init__(self, dut, batch: int) -> None:
        super().__init__(dut)
        self.layout = Layout(self.shape, batch)
        self.results: deque[tuple[np.ndarray, np.ndarray]] = deque()
        self.told: deque[tuple[int, ...]] = deque()
        self.words = self.rows = 0  # of gradients, taken

    def result(self, command, numbers, biases) -> None:
        self.results.append((numbers, biases))

    def tell(self, told) -> None:
        self.told.append(told)

    async def product(self, command) -> tuple[np.ndarray, np.ndarray, tuple[int, ...]]:
        """Results, gradients of biases, and what is told, of one command alone."""
        await self.command(command)
        while not self.told:
            await FallingEdge(self.dut.clk)
        return *self.results.popleft(), self.told.popleft()

    async def updated(self, word: int, settings: int, tau: int) -> int:
        """An update; how many weights were limited."""
        dut = self.dut
        dut.settings.value, dut.tau.value = settings, tau
        await self.unit(word)
        await ReadOnly()
        while not int(dut.done_valid.value):
            await FallingEdge(dut.clk)
            await ReadOnly()
        limited = int(dut.done_limited.value)
        await FallingEdge(dut.clk)
        await self.done()
        return limited


def network_of(shared: Shared) -> Callable[..., Network]:
    """The class of networks on this unit."""

    class OnUnit(Network):
        """learner.network.Network with the unit's products."""

        def __init__(self, *args, **options) -> None:
            super().__init__(*args, **options)
            layout = shared.layout
            self.net = layout.network(self.sizes)
            # A pass has tensors of its own, so that those of a pass before it can still be asked for its gradients.
            self.places = [layout.tensors(self.sizes) for _ in range(3)]
            self.deltas = layout.tensors(self.sizes, deltas=True)
            self.turn, self.loaded = 0, False
            # Gradients wait for their update beside those of other networks.
            self.word, self.row = shared.words, shared.rows
            for layer in self.net.layers:
                shared.words += layer.rows(shared.shape) * ceil_div(layer.inputs, shared.shape.span)
                shared.rows += layer.rows(shared.shape)

        def _load(self) -> None:
            if not self.loaded:
                for plane in range(4):
                    self._load_plane(plane)
                self.loaded = True

        def _load_plane(self, plane: int) -> None:
            for layer, first, (w, b) in zip(self.net.layers, self.net.firsts, self.matrices(plane), strict=True):
                groups = parameters.groups_of(shared.shape, layer, w, b)
                resume(shared.load)(layer, plane, first, layer, groups)

        def read(self) -> None:
            """All planes from the unit."""
            for plane in range(4):
                found = []
                for layer, first in zip(self.net.layers, self.net.firsts, strict=True):
                    groups = resume(shared.read)(layer, plane, first)
                    if plane == 3:
                        groups = groups & (1 << 48) - 1
                    w, b = parameters.of_groups(shared.shape, layer, groups)
                    found += [w.reshape(-1), b]
                self.planes[plane] = np.concatenate(found)

        def start(self, flat: np.ndarray) -> None:
            super().start(flat)
            self.loaded = False

        def _product(self, command, rows: int, columns: int) -> tuple[np.ndarray, np.ndarray, tuple[int, ...]]:
            numbers, biases, told = resume(shared.product)(command)
            return numbers[:rows, :columns], biases, told

        def forward(self, x, *, target=False, layers=None, counters=None, base=0, range_at=0) -> Vectors:
            self._load()
            count, own = len(x), self.formats
            found, self.turn = Vectors([x]), (self.turn + 1) % 3
            found.tensors = self.places[self.turn]
            resume(shared.tensor)("a", found.tensors[0], x)
            for n, layer in enumerate(self.net.layers[:layers]):
                last = n + 1 == self.layers
                command = program.forward(
                    shared.shape, layer, found.tensors[n], found.tensors[n + 1], batch=count, relu=not last,
                    shift=own.forward_shift(n + 1), bias_shift=own.act_frac[n], output=last and self.output_width > 18,
                    target=target, barrier=1,
                )  # fmt: skip
                numbers, _, told = self._product(command, count, layer.outputs)
                found.append(numbers)
                if counters is not None:
                    counters[base + n + 1] += told[1]
            return found

        def backward(self, vectors, delta, fractions, *, first=1, counters=None, base=0) -> Vectors:
            found = Vectors([np.asarray(delta, np.int64)])
            found.tensors = self.deltas
            resume(shared.tensor)("e", self.deltas[-1], found[0])
            for layer in range(self.layers, first, -1):
                shift = 22 + fractions[layer] - fractions[layer - 1]
                command = program.backward(
                    shared.shape, self.net.layers[layer - 1], self.deltas[layer], self.deltas[layer - 1],
                    batch=len(delta), shift=shift, mask=vectors.tensors[layer - 1], barrier=1,
                )  # fmt: skip
                numbers, _, told = self._product(command, len(delta), self.sizes[layer - 1])
                found.append(numbers)
                if counters is not None:
                    counters[base + layer] += told[1]
            return found

        def through(self, delta, layer, fractions, columns=slice(None)) -> np.ndarray:
            start, side = columns.start or 0, shared.shape.side
            block = start // side
            command = program.backward(
                shared.shape, self.net.layers[layer - 1], self.deltas[layer],
                Tensor(self.deltas[layer - 1].base, self.sizes[layer - 1] - block * side), batch=len(delta),
                shift=22 + fractions[layer] - fractions[layer - 1], first=block, barrier=1,
            )  # fmt: skip
            numbers, _, _ = self._product(command, len(delta), self.sizes[layer - 1] - block * side)
            return numbers[:, start - block * side :]

        def gradient(self, vectors, deltas, counters=None, base=0) -> np.ndarray:
            found, self.pending, word, row = [], [], self.word, self.row
            for n, layer in enumerate(self.net.layers):
                command = program.gradient(
                    shared.shape, layer, self.deltas[n + 1], vectors.tensors[n], batch=len(deltas[0]),
                    shift=self.formats.gradient_shift(n + 1), bias_shift=self.formats.act_frac[n], word=word, row=row,
                )  # fmt: skip
                numbers, biases, told = self._product(command, layer.inputs, layer.outputs)
                found += [numbers.T.reshape(-1), biases[: layer.outputs]]
                self.pending.append((layer, word, row))
                word, row = word + command.rows * command.words, row + command.rows
                if counters is not None:
                    counters[base + n + 1] += told[1]
            return np.concatenate(found)

        def set_optimiser(self, **rates) -> None:
            super().set_optimiser(**rates)
            places = {"log_rate": 42, "log_eps": 62, "log_clip": 82}
            self.settings = sum((rates[name] & 0xFFFFF) << at for name, at in places.items())

        def update(self, g, sync, counters=None, weight_base=0) -> None:
            for n, (layer, word, row) in enumerate(self.pending):
                bits = parameters.update(
                    shared.shape, layer, grad_base=word, grad_bias=row, grad_frac=self.formats.grad_frac[n + 1],
                    first=self.net.firsts[n], target=layer, target_first=self.net.firsts[n], sync=sync,
                )  # fmt: skip
                limited = resume(shared.updated)(bits, self.settings, self._tau)
                if counters is not None:
                    counters[weight_base + n + 1] += limited

        def reformat(self, formats) -> int:
            """The optimiser's state moves along, in the unit."""
            before = self.formats.grad_frac
            limited = super().reformat(formats)
            if not self.loaded:
                return limited
            limited = 0
            for n, layer in enumerate(self.net.layers):
                by = formats.grad_frac[n + 1] - before[n + 1]
                # A square moves twice.
                for plane in (2, 3, 3) if by else ():
                    bits = parameters.update(
                        shared.shape, layer, kind=SCALE, plane=plane, first=self.net.firsts[n], grad_frac=by & 63
                    )
                    limited += resume(shared.updated)(bits, self.settings, self._tau)
            return limited

    return OnUnit
