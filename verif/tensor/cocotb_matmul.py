"""rlc_tensor_matmul against the model of a network: every word that leaves, what is told of it, and its clocks."""

import json
import os
import random
from collections import Counter, deque
from pathlib import Path

import cocotb
import numpy as np
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

from rlcores.cores.learner.format import Formats
from rlcores.cores.learner.layout import TARGET, WEIGHTS
from rlcores.cores.learner.network import Network
from rlcores.cores.tensor import program
from rlcores.cores.tensor.program import Matrix, Shape, Tensor
from rlcores.cores.tensor.words import ACTIVATIONS, DELTAS, GRADIENTS, OUTPUTS

HITS: Counter[str] = Counter()
TRIALS = int(os.environ.get("RLCORES_TRIALS", "6"))


def pack(values, width: int) -> int:
    mask = (1 << width) - 1
    return sum((int(value) & mask) << place * width for place, value in enumerate(values))


def unpack(number: int, width: int, count: int) -> np.ndarray:
    half, mask = 1 << width - 1, (1 << width) - 1
    return np.array([((number >> place * width & mask) ^ half) - half for place in range(count)], np.int64)


class Bench:
    """The unit, what it is to say next, and its writers."""

    def __init__(self, dut) -> None:
        self.dut, self.rng = dut, random.Random(cocotb.RANDOM_SEED)
        self.shape = Shape(*(int(getattr(dut, name).value) for name in ("SIDE", "BLOCKS", "PLACES")))
        self.expected: deque[tuple] = deque()  # (command, results (samples or rows, features), biases)
        self.told: deque[tuple] = deque()
        self.seen: dict[tuple[int, int], np.ndarray] = {}
        self.biases: dict[int, np.ndarray] = {}

    async def start(self) -> None:
        dut = self.dut
        for name in ("s_valid", "w_en", "b_en", "a_valid", "e_valid", "w_to"):
            getattr(dut, name).value = 0
        cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
        dut.rst.value = 1
        for _ in range(3):
            await FallingEdge(dut.clk)
        dut.rst.value = 0
        cocotb.start_soon(self.look())

    async def look(self) -> None:
        """Take results of every clock, and compare a command's when the last of them is here."""
        dut, shape = self.dut, self.shape
        while True:
            await FallingEdge(dut.clk)
            await ReadOnly()
            if int(dut.told_valid.value):
                told = int(dut.told_id.value), int(dut.told_limited.value), int(dut.told_beyond.value)
                assert self.told, "more is told than was asked"
                want, peak = self.told.popleft()
                assert told == want, f"told {told}, expected {want}"
                assert int(dut.told_peak.value).bit_length() == peak, "the peak differs"
                HITS["limited"] += bool(told[1])
                HITS["beyond"] += bool(told[2])
                HITS["told"] += 1
            if not int(dut.m_valid.value):
                continue
            assert self.expected, "a result too many"
            command, results, biases = self.expected[0]
            assert int(dut.m_to.value) == command.to
            data = unpack(int(dut.m_data.value), 27, shape.span * shape.side).reshape(shape.span, shape.side)
            at = int(dut.m_tile.value) - command.to_base, int(dut.m_index.value)
            assert at not in self.seen or command.to == GRADIENTS, "a word twice"
            self.seen[at if command.to != GRADIENTS else (at[0], 0)] = data
            if int(dut.m_bias.value):
                self.biases[int(dut.m_row.value)] = unpack(int(dut.m_bias_data.value), 27, shape.side)
            if len(self.seen) == command.rows * command.words:
                self.compare(command, results, biases)
                self.expected.popleft()
                self.seen, self.biases = {}, {}

    def compare(self, command, results: np.ndarray, biases: np.ndarray | None) -> None:
        s = self.shape
        out = np.zeros((command.words * s.span, command.rows * s.side), np.int64)
        for (tile, index), data in self.seen.items():
            if command.to == GRADIENTS:
                row, word = divmod(tile, command.words)
            else:
                word, column = divmod(tile, command.to_word)
                row = column * s.blocks + index
            out[word * s.span : (word + 1) * s.span, row * s.side : (row + 1) * s.side] = data
        found = out[: results.shape[0], : results.shape[1]]
        assert np.array_equal(found, results), f"results differ in {np.argwhere(found != results)[:5]}"
        assert not out[results.shape[0] :].any() and not out[:, results.shape[1] :].any(), "padding is not 0"
        if biases is not None:
            got = np.concatenate([self.biases[row] for row in range(command.rows)])
            assert np.array_equal(got[: len(biases)], biases) and not got[len(biases) :].any(), "biases differ"
            HITS["biases"] += 1
        HITS[("activations", "deltas", "outputs", "gradients")[command.to]] += 1

    # --- writers ---

    async def matrix(self, layer: Matrix, w: np.ndarray, b: np.ndarray, to: int) -> None:
        dut, side = self.dut, self.shape.side
        for row in range(layer.rows(self.shape)):
            for column in range(layer.row(self.shape)):
                part = w[row * side : (row + 1) * side, column * side : (column + 1) * side]
                block, on = np.zeros((side, side), np.int64), np.zeros((side, side), np.int64)
                block[: part.shape[0], : part.shape[1]] = part
                on[: part.shape[0], : part.shape[1]] = 1
                dut.w_en.value, dut.w_to.value = pack(on.reshape(-1), 1), to
                dut.w_block.value = layer.base + row * layer.row(self.shape) + column
                dut.w_data.value = pack(block.reshape(-1), 27)
                await FallingEdge(dut.clk)
            dut.w_en.value = 0
            piece = np.zeros(side, np.int64)
            piece[: len(b[row * side : (row + 1) * side])] = b[row * side : (row + 1) * side]
            dut.b_en.value, dut.b_row.value, dut.b_data.value = 1, layer.bias + row, pack(piece, 27)
            await FallingEdge(dut.clk)
            dut.b_en.value = 0

    async def tensor(self, port: str, tensor: Tensor, numbers: np.ndarray) -> None:
        dut, span = self.dut, self.shape.span
        places = [(b, f) for b in range(numbers.shape[0]) for f in range(numbers.shape[1])]
        self.rng.shuffle(places)
        for b, f in places:
            while self.rng.random() < 0.1:
                await FallingEdge(dut.clk)
            tile = tensor.base + (b // span) * tensor.row(self.shape) + f // span
            for name, value in (("tile", tile), ("sample", b % span), ("feature", f % span)):
                getattr(dut, f"{port}_{name}").value = value
            getattr(dut, f"{port}_data").value = int(numbers[b, f]) & (1 << 18) - 1
            getattr(dut, f"{port}_valid").value = 1
            await ReadOnly()
            while not int(getattr(dut, f"{port}_ready").value):
                HITS[f"{port} waits"] += 1
                await FallingEdge(dut.clk)
                await ReadOnly()
            await FallingEdge(dut.clk)
            getattr(dut, f"{port}_valid").value = 0

    async def send(self, command, results, limited: int, beyond: int, biases=None) -> None:
        dut = self.dut
        self.expected.append((command, results, biases))
        every = results if biases is None else np.append(results.reshape(-1), biases)
        peak = int(np.abs(every).max(initial=0)).bit_length()
        self.told.append(((command.id, limited, beyond), peak))
        while self.rng.random() < 0.3:
            await FallingEdge(dut.clk)
        dut.s_data.value, dut.s_valid.value = command.pack(), 1
        await ReadOnly()
        while not int(dut.s_ready.value):
            await FallingEdge(dut.clk)
            await ReadOnly()
        await FallingEdge(dut.clk)
        dut.s_valid.value = 0

    async def rest(self) -> None:
        for _ in range(10**6):
            await FallingEdge(self.dut.clk)
            if not int(self.dut.busy.value) and not self.expected:
                break
        assert not self.expected and not self.told, "results or what is told of them are missing"


def numbers(rng: random.Random, shape: tuple[int, int], width: int) -> np.ndarray:
    """Signed: of any size, often small, and ends of the range."""
    half = 1 << width - 1
    generator = np.random.default_rng(rng.getrandbits(32))
    found = generator.integers(-half, half, shape) >> generator.integers(0, width, shape)
    ends = generator.random(shape)
    found[ends < 0.02] = -half
    found[ends > 0.98] = half - 1
    return found


def formats_of(rng: random.Random, layers: int) -> Formats:
    while True:
        act = [rng.randint(8, 16)] + [rng.randint(4, 18) for _ in range(layers)]
        delta = [0] + [rng.randint(8, 20) for _ in range(layers)]
        grad = [0] + [rng.randint(4, 24) for _ in range(layers)]
        try:
            return Formats(tuple(act), tuple(delta), tuple(grad))
        except ValueError:
            continue


async def trial(bench: Bench, number: int) -> None:
    """A random network: forward with both planes, backward, gradients."""
    rng, shape, layers = bench.rng, bench.shape, 2 + number % 2
    most = 4 * shape.span + 3
    sizes = [rng.randint(1, most) for _ in range(layers + 1)]
    batch = rng.choice((1, shape.side, shape.span, shape.span + 1, 2 * shape.span + 1, 3 * shape.span))
    net = Network(sizes, formats_of(rng, layers), output_width=27)
    for plane in (WEIGHTS, TARGET):
        net.set_flat(numbers(rng, (net.size,), 27), plane)
    x = numbers(rng, (batch, sizes[0]), 18)
    delta = numbers(rng, (batch, sizes[-1]), 18)

    base = bias = 0
    matrices = []
    for layer in range(layers):
        matrices.append(Matrix(base, sizes[layer + 1], sizes[layer], bias))
        base += matrices[-1].row(shape) * matrices[-1].rows(shape)
        bias += matrices[-1].rows(shape)
    targets = [Matrix(m.base, m.outputs, m.inputs, m.bias + bias) for m in matrices]
    acts, deltas, at_a, at_e = [], [], 0, 0
    for size in sizes:
        acts.append(Tensor(at_a, size))
        at_a += acts[-1].tiles(shape, batch)
        deltas.append(Tensor(at_e, size))
        at_e += deltas[-1].tiles(shape, batch)
    spare = Tensor(at_a, 1)  # nothing reads it
    own = net.formats

    for plane, layout in ((WEIGHTS, matrices), (TARGET, targets)):
        for layer, (w, b) in zip(layout, net.matrices(plane), strict=True):
            await bench.matrix(layer, w, b, plane)
    await bench.tensor("a", acts[0], x)
    writes = cocotb.start_soon(bench.tensor("e", deltas[-1], delta))

    # What the unit counts are numbers; the model's counters of sums are of words of one lane here.
    for target in (True, False):
        counters = np.zeros(32, np.int64)
        vectors = net.forward(x, target=target, counters=counters, base=0, range_at=31)
        for layer in range(1, layers + 1):
            beyond = beyond_of(net, vectors[layer - 1], layer, target)
            command = program.forward(
                shape, (targets if target else matrices)[layer - 1], acts[layer - 1], acts[layer], batch=batch,
                shift=own.forward_shift(layer), bias_shift=own.act_frac[layer - 1], relu=layer < layers,
                output=layer == layers, target=target, barrier=1, id=rng.getrandbits(6),
            )  # fmt: skip
            await bench.send(command, vectors[layer], int(counters[layer]), beyond)
    other = cocotb.start_soon(bench.tensor("a", spare, numbers(rng, (batch, 1), 18)))
    await writes

    counters = np.zeros(64, np.int64)
    back = net.backward(vectors, delta, own.delta_frac, counters=counters, base=0)
    g = net._split(net.gradient(vectors, back, counters, base=32))
    for layer in range(layers, 0, -1):
        if layer > 1:
            command = program.backward(
                shape, matrices[layer - 1], deltas[layer], deltas[layer - 1], batch=batch, mask=acts[layer - 1],
                shift=own.backward_shift(layer), barrier=1, id=rng.getrandbits(6),
            )  # fmt: skip
            result = back[layers - layer + 1]
            await bench.send(command, result, int(counters[layer]), beyond_back(net, back[layers - layer], layer))
        command = program.gradient(
            shape, matrices[layer - 1], deltas[layer], acts[layer - 1], batch=batch, shift=own.gradient_shift(layer),
            bias_shift=own.act_frac[layer - 1], id=rng.getrandbits(6),
        )  # fmt: skip
        w, b = g[layer - 1]
        await bench.send(
            command, w.T, int(counters[32 + layer]), beyond_grad(back[layers - layer], vectors[layer - 1], own, layer), b
        )
    await other
    await bench.rest()
    HITS["several words"] += batch > shape.span
    HITS["one word"] += batch <= shape.span


def _large(sums: np.ndarray) -> int:
    wrapped = (sums.astype(object) + (1 << 47)) % (1 << 48) - (1 << 47)
    return int(sum(not -(1 << 46) <= x < 1 << 46 for x in wrapped.reshape(-1)))


def beyond_of(net: Network, x: np.ndarray, layer: int, target: bool) -> int:
    w, b = net.matrices(TARGET if target else WEIGHTS)[layer - 1]
    return _large(x.astype(object) @ w.T.astype(object) + (b.astype(object) << int(net.formats.act_frac[layer - 1])))


def beyond_back(net: Network, delta: np.ndarray, layer: int) -> int:
    return _large(delta.astype(object) @ net.matrices()[layer - 1][0].astype(object))


def beyond_grad(delta: np.ndarray, x: np.ndarray, own: Formats, layer: int) -> int:
    sums = delta.T.astype(object) @ x.astype(object)
    return _large(sums) + _large(delta.sum(axis=0).astype(object) << int(own.act_frac[layer - 1]))


@cocotb.test()
async def products(dut) -> None:
    """Networks of random sizes, one after the other."""
    bench = Bench(dut)
    await bench.start()
    for number in range(TRIALS):
        await trial(bench, number)
    Path(os.environ["RLCORES_RUN_DIR"], "coverage.json").write_text(json.dumps(HITS))


__all__ = ["ACTIVATIONS", "DELTAS", "OUTPUTS", "products"]
