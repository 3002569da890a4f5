"""rlc_tensor against the model of a network: every result of the matrix unit, and every number after an update."""

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
from rlcores.cores.learner.layout import TARGET, plane_range
from rlcores.cores.learner.network import Network
from rlcores.cores.learner.update import target_of
from rlcores.cores.tensor import parameters, program
from rlcores.cores.tensor.program import Matrix, Shape, Tensor
from rlcores.cores.tensor.words import GRADIENTS, LOAD, READ

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
        self.expected: deque[tuple] = deque()  # (command, results (samples or features, rows))
        self.told: deque[tuple] = deque()
        self.seen: dict[tuple[int, int], np.ndarray] = {}
        self.clock = 0
        self.taken: deque[int] = deque()  # when each command of `expected` was
        self.before: tuple[int, object] | None = None

    async def start(self) -> None:
        dut = self.dut
        for name in ("s_valid", "u_valid", "load_valid", "read_ready", "a_valid", "e_valid", "settings", "tau"):
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
            self.clock += 1
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
            command, results = self.expected[0]
            assert int(dut.m_to.value) == command.to
            data = unpack(int(dut.m_data.value), 27, shape.span * shape.side).reshape(shape.span, shape.side)
            at = int(dut.m_tile.value) - command.to_base, int(dut.m_index.value)
            assert at not in self.seen or command.to == GRADIENTS, "a word twice"
            self.seen[at if command.to != GRADIENTS else (at[0], 0)] = data
            if len(self.seen) == command.rows * command.words:
                self.compare(command, results)
                clocks = self.clock - self.taken.popleft()
                assert clocks == command.clocks(shape) + shape.latency + program.ISSUE_STAGES, f"{clocks} clocks"
                self.expected.popleft()
                self.seen = {}

    def compare(self, command, results: np.ndarray) -> None:
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
        HITS[("activations", "deltas", "outputs", "gradients")[command.to]] += 1

    # --- writers ---

    async def unit(self, word: int) -> None:
        """A command to the update unit."""
        dut = self.dut
        dut.u_data.value, dut.u_valid.value = word, 1
        await ReadOnly()
        while not int(dut.u_ready.value):
            await FallingEdge(dut.clk)
            await ReadOnly()
        await FallingEdge(dut.clk)
        dut.u_valid.value = 0

    async def done(self) -> None:
        """Until the update unit rests."""
        await ReadOnly()
        while int(self.dut.busy.value) & 2:
            await FallingEdge(self.dut.clk)
            await ReadOnly()
        await FallingEdge(self.dut.clk)

    async def load(self, layer: Matrix, plane: int, first: int, target: Matrix, groups: np.ndarray) -> None:
        dut = self.dut
        where = {"first": first, "target": target, "target_first": first}
        await self.unit(parameters.update(self.shape, layer, kind=LOAD + plane, **where))
        for group in groups:
            while self.rng.random() < 0.1:
                await FallingEdge(dut.clk)
            dut.load_data.value, dut.load_valid.value = pack(group, 48), 1
            await ReadOnly()
            while not int(dut.load_ready.value):
                await FallingEdge(dut.clk)
                await ReadOnly()
            await FallingEdge(dut.clk)
            dut.load_valid.value = 0
        await self.done()

    async def read(self, layer: Matrix, plane: int, first: int) -> np.ndarray:
        dut, found = self.dut, []
        await self.unit(parameters.update(self.shape, layer, kind=READ + plane, first=first, target_first=first))
        while len(found) < parameters.group_count(self.shape, layer):
            dut.read_ready.value = int(self.rng.random() < 0.7)
            await ReadOnly()
            if int(dut.read_valid.value) and int(dut.read_ready.value):
                found.append(unpack(int(dut.read_data.value), 48, self.shape.side))
            await FallingEdge(dut.clk)
        dut.read_ready.value = 0
        await self.done()
        return np.array(found)

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
        self.expected.append((command, results))
        every = results if biases is None else np.append(results.reshape(-1), biases)
        peak = int(np.abs(every).max(initial=0)).bit_length()
        self.told.append(((command.id, limited, beyond), peak))
        while self.rng.random() < 0.3:
            await FallingEdge(dut.clk)
        dut.s_data.value, dut.s_valid.value = command.pack(), 1
        await ReadOnly()
        waited = False
        while not int(dut.s_ready.value):
            waited = True
            await FallingEdge(dut.clk)
            await ReadOnly()
        # Only two commands are known at a time: behind a short one, the one before it may be waited for, too.
        if waited and self.before and self.before[1].clocks(self.shape) > self.shape.told:
            at, last = self.before
            assert self.clock - at == last.clocks(self.shape) + command.gap(self.shape, last), "a gap between commands"
            HITS["waited for its turn"] += 1
        self.before = self.clock, command
        self.taken.append(self.clock)
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
    """A random network: forward with both planes, backward, gradients, an update."""
    rng, shape, layers = bench.rng, bench.shape, 2 + number % 2
    most = 4 * shape.span + 3
    sizes = [rng.randint(1, most) for _ in range(layers + 1)]
    sizes[0] = max(sizes[0], 9 if number == 0 else 1)
    batch = rng.choice((1, shape.side, shape.span, shape.span + 1, 2 * shape.span + 1, 3 * shape.span))
    net = Network(sizes, formats_of(rng, layers), output_width=27, polyak=True)
    for plane in range(4):
        low, high = plane_range(plane, net.optimiser, net.polyak)
        net.set_flat(np.clip(numbers(rng, (net.size,), int(high).bit_length() + 1), low, high), plane)
    x = numbers(rng, (batch, sizes[0]), 18)
    if number == 0:  # sums of 2**46 and more
        x[0], net.planes[0] = 2**17 - 1, 2**26 - 1
    delta = numbers(rng, (batch, sizes[-1]), 18)

    base, bias, group = rng.randrange(9), rng.randrange(9), rng.randrange(9)
    matrices, targets, firsts = [], [], []
    for layer in range(layers):
        matrices.append(Matrix(base, sizes[layer + 1], sizes[layer], bias))
        targets.append(Matrix(base + 3, sizes[layer + 1], sizes[layer], bias + 2))
        firsts.append(group)
        base += matrices[-1].row(shape) * matrices[-1].rows(shape)
        bias += matrices[-1].rows(shape)
        group += parameters.group_count(shape, matrices[-1])
    acts, deltas, at_a, at_e = [], [], 0, 0
    for size in sizes:
        acts.append(Tensor(at_a, size))
        at_a += acts[-1].tiles(shape, batch)
        deltas.append(Tensor(at_e, size))
        at_e += deltas[-1].tiles(shape, batch)
    spare = Tensor(at_a, 1)  # nothing reads it
    own = net.formats

    for plane in range(4):
        for n, (w, b) in enumerate(net.matrices(plane)):
            groups = parameters.groups_of(shape, matrices[n], w, b)
            await bench.load(matrices[n], plane, firsts[n], targets[n], groups)
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
    flat = net.gradient(vectors, back, counters, base=32)
    g = net._split(flat)
    sync, grad_word, grad_row, pending = rng.random() < 0.7, 0, 0, []
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
            bias_shift=own.act_frac[layer - 1], id=rng.getrandbits(6), word=grad_word, row=grad_row,
        )  # fmt: skip
        w, b = g[layer - 1]
        await bench.send(
            command,
            w.T,
            int(counters[32 + layer]),
            beyond_grad(back[layers - layer], vectors[layer - 1], own, layer),
            b,
        )
        pending.append((layer, grad_word, grad_row))
        grad_word += command.rows * command.words
        grad_row += command.rows
    await other
    await bench.rest()
    await updated(bench, net, flat, pending, matrices, targets, firsts, sync)
    HITS["several words"] += batch > shape.span
    HITS["one word"] += batch <= shape.span


async def updated(bench: Bench, net: Network, flat, pending, matrices, targets, firsts, sync: bool) -> None:
    """An update of all layers by the gradients in the unit; then every plane is the model's."""
    rng, shape, dut = bench.rng, bench.shape, bench.dut
    rates = {"log_rate": rng.randint(-(2**14), 2**15), "log_eps": rng.randint(-(2**15), 2**15), "log_clip": 6144}
    tau = rng.choice((0, 655, 2**17 - 1))
    net.set_optimiser(tau=tau, **rates)
    counters = np.zeros(8, np.int64)
    net.update(flat, sync, counters, 0)
    dut.settings.value = sum((value & 0xFFFFF) << at for value, at in zip(rates.values(), (42, 62, 82), strict=True))
    dut.tau.value = tau
    for layer, word, row in pending:
        n = layer - 1
        await bench.unit(parameters.update(
            shape, matrices[n], grad_base=word, grad_bias=row, grad_frac=net.formats.grad_frac[layer], first=firsts[n],
            target=targets[n], target_first=firsts[n], sync=sync, id=layer,
        ))  # fmt: skip
        await ReadOnly()
        while not int(dut.done_valid.value):
            await FallingEdge(dut.clk)
            await ReadOnly()
        assert int(dut.done_id.value) == layer
        assert int(dut.done_limited.value) == counters[layer], "the count of limited weights differs"
        HITS["weights limited"] += int(counters[layer])
        HITS["updates"] += 1
        await FallingEdge(dut.clk)
    for plane in range(4):
        for n, (w, b) in enumerate(net.matrices(plane)):
            groups = await bench.read(matrices[n], plane, firsts[n])
            if plane == 3:
                groups &= (1 << 48) - 1
            want = parameters.groups_of(shape, matrices[n], w, b)
            assert np.array_equal(groups, want), f"plane {plane} of layer {n + 1} differs"
    HITS["synced"] += sync


def _large(sums: np.ndarray) -> int:
    wrapped = (sums.astype(object) + (1 << 47)) % (1 << 48) - (1 << 47)
    return int(sum(not -(1 << 46) <= x < 1 << 46 for x in wrapped.reshape(-1)))


def beyond_of(net: Network, x: np.ndarray, layer: int, target: bool) -> int:
    w, b = net.matrices(TARGET)[layer - 1] if target else net.matrices()[layer - 1]
    w, b = (target_of(w), target_of(b)) if target else (w, b)
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
