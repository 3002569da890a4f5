"""rlc_tensor against the model of a network: every result of the matrix unit, and every number after an update."""

import random
from collections import deque
from dataclasses import replace

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import pulse, until
from cocotb.triggers import FallingEdge, ReadOnly
from tensor_bench import Unit

from rlcores.cores.learner.format import LearnerFormats
from rlcores.cores.learner.layout import TARGET, plane_range
from rlcores.cores.learner.network import NetworkModel, scaled
from rlcores.cores.learner.optimisers.slot import packed
from rlcores.cores.learner.update import gradient as gradient_of
from rlcores.cores.learner.update import target_of
from rlcores.cores.tensor import parameters, program
from rlcores.cores.tensor.program import Matrix, Tensor
from rlcores.cores.tensor.words import GRADIENTS, SCALE, UPDATE

TRIALS = 6


class Bench(Unit):
    """The unit, and what it is to say next."""

    def __init__(self, dut) -> None:
        super().__init__(dut)
        self.expected: deque[tuple] = deque()  # (results (samples or features, rows), biases)
        self.told: deque[tuple[int, ...]] = deque()

    def tell(self, told: tuple[int, ...]) -> None:
        assert self.told, "more is told than was asked"
        want = self.told.popleft()
        # Of the peak only the highest bit says something.
        assert (*told[:3], told[3].bit_length()) == want, f"told {told}, expected {want}"
        HITS["saturated"] += bool(told[1])
        HITS["beyond"] += bool(told[2])

    def result(self, command, numbers: np.ndarray, biases: np.ndarray) -> None:
        want, want_biases = self.expected.popleft()
        result = numbers[: want.shape[0], : want.shape[1]]
        assert np.array_equal(result, want), f"results differ in {np.argwhere(result != want)[:5]}"
        assert not numbers[want.shape[0] :].any() and not numbers[:, want.shape[1] :].any(), "padding is not 0"
        if command.to == GRADIENTS:
            count = len(want_biases)
            assert np.array_equal(biases[:count], want_biases) and not biases[count:].any(), "biases differ"
            HITS["biases"] += 1

    async def send(self, command, results, saturated: int, beyond: int, biases=None) -> None:
        """A command at any pace, and what it is to say."""
        self.expected.append((results, biases))
        every = results if biases is None else np.append(results.reshape(-1), biases)
        peak = int(np.abs(every).max(initial=0)).bit_length()
        self.told.append((command.id, saturated, beyond, peak))
        while self.rng.random() < 0.3:
            await FallingEdge(self.dut.clk)
        await self.command(command)

    async def rest(self) -> None:
        """Until nothing is under way."""
        for _ in range(10**6):
            await FallingEdge(self.dut.clk)
            if not int(self.dut.busy.value) and not self.expected:
                break
        assert not self.expected and not self.told, "results or what is told of them are missing"


def numbers(rng: random.Random, shape: tuple[int, int], width: int) -> np.ndarray:
    """Signed: of any size, often small, and ends of the range."""
    half = 1 << width - 1
    generator = np.random.default_rng(rng.getrandbits(32))
    numbers = generator.integers(-half, half, shape) >> generator.integers(0, width, shape)
    ends = generator.random(shape)
    numbers[ends < 0.02] = -half
    numbers[ends > 0.98] = half - 1
    return numbers


def formats_of(rng: random.Random, layers: int) -> LearnerFormats:
    while True:
        act = [rng.randint(8, 16)] + [rng.randint(4, 18) for _ in range(layers)]
        delta = [0] + [rng.randint(8, 20) for _ in range(layers)]
        grad = [0] + [rng.randint(4, 24) for _ in range(layers)]
        try:
            return LearnerFormats(tuple(act), tuple(delta), tuple(grad))
        except ValueError:
            continue


async def trial(bench: Bench, number: int) -> None:
    """A random network: forward with both planes, backward, gradients, an update."""
    rng, shape, layers = bench.rng, bench.shape, 2 + number % 2
    most = 4 * shape.span + 3
    sizes = [rng.randint(1, most) for _ in range(layers + 1)]
    if number == 0:
        sizes[0] = rng.randint(9, 15)  # with the numbers below, sums of 2**46 to 2**47
    batch = rng.choice((1, shape.side, shape.span, shape.span + 1, 2 * shape.span + 1, 3 * shape.span))
    net = NetworkModel(sizes, formats_of(rng, layers), output_width=27, polyak=True)
    for plane in range(4):
        low, high = plane_range(plane, net.optimiser, net.polyak)
        net.set_flat(np.clip(numbers(rng, (net.size,), int(high).bit_length() + 1), low, high), plane)
    x = numbers(rng, (batch, sizes[0]), 18)
    if number == 0:
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
        vectors = net.forward(x, target=target, counters=counters, base=0, overflow_at=31)
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


async def updated(bench: Bench, net: NetworkModel, flat, pending, matrices, targets, firsts, sync: bool) -> None:
    """An update of all layers by the gradients in the unit; then every plane is the model's."""
    rng, shape, dut = bench.rng, bench.shape, bench.dut
    rates = {"log_rate": rng.randint(-(2**14), 2**15), "log_eps": rng.randint(-(2**15), 2**15), "log_clip": 6144}
    tau = rng.choice((0, 655, 2**17 - 1))
    net.set_optimiser(tau=tau, **rates)
    counters = np.zeros(8, np.int64)
    net.update(flat, sync, counters, 0)
    dut.settings.value = packed(rates)
    dut.tau.value = tau
    for layer, word, row in pending:
        n = layer - 1
        saturated = await done(bench, parameters.update(
            shape, matrices[n], grad_base=word, grad_bias=row, grad_frac=net.formats.grad_frac[layer], first=firsts[n],
            target=targets[n], target_first=firsts[n], sync=sync, id=layer,
        ), layer)  # fmt: skip
        assert saturated == counters[layer], "the count of saturated weights differs"
        HITS["weights saturated"] += saturated
        HITS["updates"] += 1
    for n, layer in enumerate(matrices):
        await moved(bench, net, n, layer, firsts[n])
    for plane in range(4):
        for n, (w, b) in enumerate(net.matrices(plane)):
            groups = await bench.read(matrices[n], plane, firsts[n])
            if plane == 3:
                groups &= (1 << 48) - 1
            want = parameters.groups_of(shape, matrices[n], w, b)
            assert np.array_equal(groups, want), f"plane {plane} of layer {n + 1} differs"
    HITS["synced"] += sync


async def done(bench: Bench, word: int, id: int) -> int:
    """A command of the update unit, to its end: how many numbers were saturated."""
    dut = bench.dut
    await bench.unit(word)
    await until(dut, lambda: int(dut.done_valid.value))
    assert int(dut.done_id.value) == id
    saturated = int(dut.done_saturated.value)
    await FallingEdge(dut.clk)
    return saturated


async def moved(bench: Bench, net: NetworkModel, n: int, layer: Matrix, first: int) -> None:
    """The optimiser's state of a layer times powers of two."""
    part = slice(*net.starts[n : n + 2])
    for plane in (2, 3):
        by = bench.rng.choice((-32, -5, -1, 1, 7, 31))
        exact = scaled(net.planes[plane][part], np.array(by))
        held = np.clip(exact, *plane_range(plane, net.optimiser, net.polyak))
        net.planes[plane][part] = held
        word = parameters.update(
            bench.shape, layer, kind=SCALE, plane=plane, grad_frac=by & 63, first=first, id=bench.rng.randrange(64)
        )
        saturated = await done(bench, word, UPDATE.unpack(word)["id"])
        assert saturated == np.count_nonzero(held != exact), "the count of saturated moments differs"
        HITS["moments saturated"] += saturated
        HITS["moments moved"] += 1


def _large(sums: np.ndarray) -> int:
    wrapped = (sums.astype(object) + (1 << 47)) % (1 << 48) - (1 << 47)
    return int(sum(not -(1 << 46) <= x < 1 << 46 for x in wrapped.reshape(-1)))


def beyond_of(net: NetworkModel, x: np.ndarray, layer: int, target: bool) -> int:
    w, b = net.matrices(TARGET)[layer - 1] if target else net.matrices()[layer - 1]
    w, b = (target_of(w), target_of(b)) if target else (w, b)
    return _large(x.astype(object) @ w.T.astype(object) + (b.astype(object) << int(net.formats.act_frac[layer - 1])))


def beyond_back(net: NetworkModel, delta: np.ndarray, layer: int) -> int:
    return _large(delta.astype(object) @ net.matrices()[layer - 1][0].astype(object))


def beyond_grad(delta: np.ndarray, x: np.ndarray, own: LearnerFormats, layer: int) -> int:
    sums = delta.T.astype(object) @ x.astype(object)
    return _large(sums) + _large(delta.sum(axis=0).astype(object) << int(own.act_frac[layer - 1]))


async def refused(bench: Bench) -> None:
    """A command with a count of 0 does nothing, and is told."""
    dut, layer, x = bench.dut, Matrix(0, 3, 3, 0), Tensor(0, 3)
    command = program.forward(bench.shape, layer, x, x, batch=3, shift=0, bias_shift=0)
    name = bench.rng.choice(("rows", "group", "folds", "words", "last_row", "last_lane", "last_word"))
    dut.s_data.value = replace(command, **{name: 0}).pack()
    await pulse(dut, dut.s_valid)
    await ReadOnly()
    assert int(dut.refused.value) and not int(dut.busy.value), f"{name} 0 is not refused"
    HITS["refused"] += 1
    await FallingEdge(dut.clk)
    await ReadOnly()
    assert not int(dut.refused.value)
    await FallingEdge(dut.clk)


async def squares(bench: Bench) -> None:
    """Gradients on, below and above the bounds from which a square is saturated, either way."""
    layer, x, delta = Matrix(0, 6, 1, 0), Tensor(0, 1), Tensor(0, 6)
    a, b = 1387, 48384  # a * b is the first that is saturated
    inputs = np.array([[a], [1]])
    deltas = np.array([[b, b, b, -b, -b, -b], [-1, 0, 1, 1, 0, -1]])
    await bench.tensor("a", x, inputs)
    await bench.tensor("e", delta, deltas)
    want, saturated = gradient_of(deltas.T @ inputs, 0, squares=True)
    assert saturated[:, 0].tolist() == [False, True, True, False, False, True]
    command = program.gradient(bench.shape, layer, delta, x, batch=2, shift=0, bias_shift=0)
    await bench.send(command, want.T, int(saturated.sum()), 0, deltas.sum(axis=0))
    await bench.rest()


@cocotb.test()
async def products(dut) -> None:
    """Networks of random sizes, one after the other."""
    bench = Bench(dut)
    await bench.start()
    await squares(bench)
    for number in range(TRIALS):
        await trial(bench, number)
        await refused(bench)
    report()
