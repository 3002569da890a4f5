"""A network of the PPO core against the model: it acts, trains on minibatches, gradients clipped, and acts again."""

import json
import os

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import pack, pulse
from cocotb.triggers import FallingEdge
from units_bench import Ports, words

from rlcores.cores.learner.format import LearnerFormats, LearnerSettings
from rlcores.cores.learner.layout import WeightLayout
from rlcores.cores.learner.network import NetworkModel
from rlcores.cores.learner.optimisers.adam import log_rate, log_register
from rlcores.cores.learner.optimisers.slot import packed
from rlcores.cores.learner.registers import pack_networks
from rlcores.cores.learner.shape import NetworkShape as Groups
from rlcores.cores.learner.shape import fields
from rlcores.cores.ppo import norm

PARAMETERS = json.loads(os.environ["RLCORES_PARAMETERS"])
LISTS = ["SIZES", "LANES", "FORWARD", "BACKWARD", "UPDATE_ROWS", "UPDATE_COLS"]
SETTINGS = LearnerSettings(log_clip=log_register(10.0), log_eps=log_register(1e-5))


class Bench:
    """The network and its model side by side."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self.groups = Groups(*(fields(PARAMETERS[name]) for name in LISTS))
        self.columns = PARAMETERS["DP"]
        sizes = self.groups.sizes
        self.layers = self.groups.layers
        base = LearnerFormats.default(self.layers)
        grad = (0, *(18 + n for n in range(self.layers)))
        self.formats = LearnerFormats(base.act_frac, base.delta_frac, grad)
        self.net = NetworkModel(sizes, self.formats, output_width=27, groups=self.groups, columns=self.columns)
        self.ports = Ports(
            dut,
            {"s_x": ["data", "kind"], "s_d": ["data"], "s_load": ["data"]},
            {"m_q": ["data", "kind"], "m_read": ["data", "last"]},
        )
        self.rng = np.random.default_rng(cocotb.RANDOM_SEED)
        self.wait: list[tuple[int, list[int]]] = []  # outputs that must have gone, and the deltas that follow
        self.ports.each_clock.append(self._answer)

    def _answer(self) -> None:
        # Deltas answer outputs.
        while self.wait and len(self.ports.expected["m_q"]) <= self.wait[0][0]:
            self.ports.to_send["s_d"].extend({"data": word} for word in self.wait.pop(0)[1])

    async def start(self) -> None:
        dut, f = self.dut, self.formats
        inputs = {name._name: 0 for name in dut if name._name.startswith(("cfg_", "host_")) and name._name in INPUTS}
        inputs |= {"idle": 1, "flush": 0, "batch_slices": 1, "double_dqn": 0, "permit": 0, "factor": 0, "seed_load": 0}
        inputs |= {"s_t_valid": 0, "s_t_data": 0, "m_t_ready": 1, "rst": 1}
        await self.ports.start(**inputs)
        dut.cfg_frac.value = pack_networks([f])
        await FallingEdge(dut.clk)
        await FallingEdge(dut.clk)
        assert int(dut.cfg_ok.value)

    async def plane(self, plane: int, read: bool) -> None:
        """Load a plane from the model, or compare it with the model's."""
        dut, stream = self.dut, WeightLayout(self.groups).to_stream(self.net.matrices(plane)).tolist()
        dut.host_param_bank.value, dut.host_read.value = plane, int(read)
        await pulse(dut, dut.host_start)
        mask = (1 << 64) - 1
        if read:
            last = [0] * (len(stream) - 1) + [1]
            self.ports.expected["m_read"].extend(
                {"data": x & mask, "last": end} for x, end in zip(stream, last, strict=True)
            )
        else:
            self.ports.to_send["s_load"].extend({"data": x & mask} for x in stream)
        await self.ports.run(rest=10)
        assert not int(dut.host_busy.value)
        HITS["planes read" if read else "planes loaded"] += 1

    def send(self, x: np.ndarray, kind: int, deltas: np.ndarray | None = None) -> None:
        """Queue vectors, the outputs that must come, and the deltas that answer them."""
        outputs = self.net.forward(x)[-1]
        expected, lanes = self.ports.expected["m_q"], self.groups.lanes
        per_batch_slice = self.groups.words[-1]
        total = -(-len(x) // self.columns) * per_batch_slice
        for batch_slice, at in enumerate(range(0, len(x), self.columns)):
            part = slice(at, at + self.columns)
            self.ports.to_send["s_x"].extend({"data": w, "kind": kind} for w in words(x[part], lanes[0], 18))
            expected.extend({"data": w, "kind": kind} for w in words(outputs[part], lanes[-1], 27))
            if deltas is not None:
                left = total - (batch_slice + 1) * per_batch_slice
                self.wait.append((left, words(deltas[part], lanes[-1], 18)))

    def inputs(self, count: int) -> np.ndarray:
        return self.rng.integers(-(1 << 14), 1 << 14, (count, self.groups.sizes[0]))

    async def act(self, batch_slices: int) -> None:
        """Vectors that leave nothing behind."""
        self.dut.idle.value = 1
        self.ports.any_pace()
        self.send(self.inputs(batch_slices * self.columns), 1)
        await self.ports.run(rest=60)
        HITS["acted"] += batch_slices

    async def train(self, step: int, batch_slices: int) -> None:
        """A minibatch, and the weights that follow."""
        dut, net = self.dut, self.net
        x = self.inputs(batch_slices * self.columns)
        delta = self.rng.integers(-(1 << 13), 1 << 13, (len(x), net.sizes[-1]))
        rate = log_rate(10.0 ** self.rng.uniform(-3, -1), step)
        settings = SETTINGS.at_rates(rate, rate)
        dut.batch_slices.value, dut.cfg_optimiser.value = (
            batch_slices,
            packed(vars(settings) | vars(settings.networks[0])),
        )
        dut.idle.value, dut.permit.value = 0, 0
        self.ports.any_pace()
        self.send(x, 0, delta)
        vectors = net.forward(x)
        gradient = net.gradient(vectors, net.backward(vectors, delta, self.formats.delta_frac))
        squares = [norm.squares(part) for part in np.split(gradient, net.starts[1:-1])]
        clocks = 0
        while not int(dut.measured.value):
            await self.ports.tick()
            clocks += 1
            assert clocks < 20_000, "stuck before the gradient is measured"
        assert self.ports.done, "measured before all deltas came"
        assert int(dut.squares.value) == pack(squares, 56)
        # Weights wait for their permit, however long that takes; a factor is never there in the clock of the squares.
        for _ in range(int(self.rng.integers(1, 80))):
            await self.ports.tick()
            assert not int(dut.updated.value)
        limit = norm.register(float(self.rng.uniform(0.01, 3)), len(x), min(self.formats.grad_frac[1:]))
        factor = norm.factor(list(zip(squares, self.formats.grad_frac[1:], strict=True)), limit)
        dut.factor.value = factor
        await pulse(dut, dut.permit)
        clocks = 0
        while not int(dut.updated.value):
            await self.ports.tick()
            clocks += 1
            assert clocks < 2000, "stuck in the update"
        await self.ports.tick()
        net.set_rates(settings, settings.networks[0])
        net.update(norm.clipped(gradient, factor), False)
        HITS["clipped" if factor < norm.ONE else "whole"] += 1
        HITS["trained"] += 1


INPUTS = {
    "cfg_sync_interval", "cfg_tau", "cfg_seed", "cfg_frac", "cfg_optimiser",
    "host_drop", "host_start", "host_read", "host_network", "host_param_bank",
}  # fmt: skip


@cocotb.test()
async def it_acts_and_trains_as_the_model(dut):
    bench = Bench(dut)
    await bench.start()
    matrices = [(bench.rng.integers(-(1 << 22), 1 << 22, w.shape), bench.rng.integers(-(1 << 20), 1 << 20, b.shape))
                for w, b in bench.net.matrices()]  # fmt: skip
    bench.net.set_matrices(matrices)
    for plane in (0, 2, 3):
        await bench.plane(plane, read=False)
    await bench.act(4)
    step = 0
    for batch_slices in (5, 1):
        for _ in range(2):
            step += 1
            await bench.train(step, batch_slices)
        # Between two minibatches of different lengths, or before acting, nothing is under way.
        dut.idle.value = 1
        for _ in range(8):
            await bench.ports.tick()
        await bench.act(2)
    for plane in (0, 2, 3):
        await bench.plane(plane, read=True)
    report()
