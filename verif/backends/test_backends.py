"""The same drivers on every back end: what a board's MMIO and DMA carry must be what the simulated bus carries.

No board is here. The calls that PynqBus and XdmaBus make end in stand-ins (fake_pynq, fake_xdma) that move the beats of
the Verilated RTL as AXI DMA and XDMA do.
"""

import errno
import os
import sys
import time
from types import SimpleNamespace

import numpy as np
import pytest
from fake_pynq import Dma, package
from fake_xdma import Card
from hardware import Hardware

from rlcores.buses import backends
from rlcores.buses.board import Interrupt
from rlcores.buses.bus import BusError
from rlcores.buses.pynq import PynqBus, PynqMemory
from rlcores.buses.verilated import VerilatedBus
from rlcores.buses.xdma import Device, XdmaBus, XdmaMemory
from rlcores.cores.gae.api import Gae
from rlcores.cores.gae.driver import GaeDriver
from rlcores.cores.learner.api import small_parameters
from rlcores.cores.learner.driver import LearnerDriver
from rlcores.cores.learner.format import LearnerFormats, LearnerSettings, equal_networks
from rlcores.cores.learner.layout import WEIGHTS, planes
from rlcores.cores.learner.records import Records
from rlcores.cores.replay_learner.api import ReplayLearner
from rlcores.cores.replay_learner.driver import ReplayLearnerDriver
from rlcores.cores.sumtree.driver import SumTreeDriver
from rlcores.cores.sumtree.model import COMMIT, INSERT, RESERVE, UPDATE
from rlcores.cores.sumtree.sampler import PrioritizedSampler
from rlcores.eda import configs, registers
from rlcores.errors import RunFailed, UserError

BOARDS = ("zcu106", "u200")
# Parameters that other tests build too.
CORES = {
    "gae": configs.load("gae", "tiny"),
    "sumtree": configs.load("sumtree", "tiny") | {"PRIORITY_MATHS": 1, "BATCH_MAX": 16},
    "learner": small_parameters((3, 5, 2), batch_max=24),
    "replay_learner": configs.load("replay_learner", "tiny"),
}
LOOPBACK = "rlcores:common:loopback"


def simulated(core: str, seed: int) -> VerilatedBus:
    """The RTL of a core, its streams stalled at random."""
    bus = backends.open("sim", core, CORES[core], limit=20_000)
    bus.stall(seed, source=0.2, sink=0.2, registers=0.1)
    return bus


@pytest.fixture
def board(monkeypatch):
    """A function from the name of a board, a core and a seed to the board's bus to that core's RTL."""
    made = []

    def make(name: str, core: str, seed: int, *, irq: bool = True, **options):
        rtl = simulated(core, seed)
        hardware = Hardware(rtl)
        if rtl.memory is not None:
            options["memory"] = rtl.memory
        if name == "zcu106":
            monkeypatch.setitem(sys.modules, "pynq", package(hardware))
            streams = {
                side: {
                    port: f"streams/dma_{i}"
                    for i, port in enumerate(getattr(backends.describe(core, CORES[core]), side))
                }
                for side in ("sources", "sinks")
            }
            pin = "core/irq" if irq else None
            bus = backends.open(
                name, core, CORES[core], overlay="core.bit", ip="core", irq_pin=pin, **streams, **options
            )
        else:
            event = 0 if irq else None
            card = Card(hardware, base=0x40000)
            bus = backends.open(name, core, CORES[core], base=0x40000, event=event, opener=card, **options)
        bus.hardware = hardware
        made.append(bus)
        return bus

    yield make
    for bus in made:
        bus.close()
        bus.hardware.close()


# --- the drivers ---


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("irq", [True, False])
def test_advantages_are_those_of_the_simulated_bus(board, name, irq, seed):
    rng = np.random.default_rng(seed)
    buses = [simulated("gae", seed), board(name, "gae", seed, irq=irq)]
    cores = [Gae(CORES["gae"], backend=bus, reward_scaling="standardise") for bus in buses]
    elements = 0
    for _ in range(2):
        rewards, values = rng.normal(1, 3, (14, 11)), rng.normal(0, 2, (14, 11))
        ends = rng.random((2, 14, 11)) < 0.08
        ends[1] &= ~ends[0] & (np.cumsum(ends[1], axis=0) <= 2)
        results = [c.compute(rewards, values, *ends, values[0], np.where(ends[1], values, np.nan)) for c in cores]
        for field in ("advantages", "returns", "rewards", "values"):
            assert np.array_equal(getattr(results[0], field), getattr(results[1], field)), field
        assert (results[0].shift, results[0].elements, results[0].flags) == (
            results[1].shift,
            results[1].elements,
            results[1].flags,
        )
        elements += results[1].elements
    assert elements == 2 * 14 * 11 and buses[1].hardware.moves > 4 * 2


@pytest.mark.parametrize("name", BOARDS)
def test_refusals_of_the_core_come_through(board, name, seed):
    from rlcores.cores.gae.driver import GaeError

    driver = GaeDriver(board(name, "gae", seed))
    for command, text in ((driver.start, "nothing is loaded"), (driver.read_results, "there are no results")):
        with pytest.raises(GaeError, match=text):
            command()


class Fifo:
    """A bus with room for a whole pass: READ is over before anybody looks at STATUS."""

    def __init__(self, bus) -> None:
        self._bus, self._waiting = bus, []
        self.read, self.send, self.wait_irq = bus.read, bus.send, bus.wait_irq
        self._command = registers.load("gae")["COMMAND"]

    def write(self, address, value):
        self._bus.write(address, value)
        if address == self._command.address and value == self._command.by_name["code"].values["READ"]:
            self._waiting.append(self._bus.receive(1000))
            self._bus.wait_irq()

    def receive(self, capacity):
        return self._waiting.pop()


def test_results_that_came_before_anybody_looked_are_taken(seed):
    rng = np.random.default_rng(seed)
    cores = [Gae(CORES["gae"], backend=wrap(simulated("gae", seed))) for wrap in (Fifo, lambda bus: bus)]
    rewards, values, none = rng.normal(1, 3, (14, 11)), rng.normal(0, 2, (14, 11)), np.zeros((14, 11), bool)
    results = [core.compute(rewards, values, none, none, values[0]) for core in cores]
    assert np.array_equal(results[0].advantages, results[1].advantages) and results[0].elements == 14 * 11


@pytest.mark.parametrize("name", BOARDS)
def test_replay_is_that_of_the_simulated_bus(board, name, seed):
    rng = np.random.default_rng(seed)
    trees = [SumTreeDriver(bus) for bus in (simulated("sumtree", seed), board(name, "sumtree", seed))]
    options = {"priority_width": 8, "generation_width": 3, "batch_size": 16, "batch_max": 16, "seed": seed}
    for _ in range(4):
        count = int(rng.integers(20, 150))
        kind = rng.choice([INSERT, UPDATE, RESERVE, COMMIT], count)
        operations = kind, rng.integers(0, 50, count), rng.integers(0, 256, count), rng.integers(0, 8, count)
        check = rng.random(count) < 0.5
        assert np.array_equal(*(tree.operations(*operations, check=check) for tree in trees))
    samplers = [PrioritizedSampler(50, backend=tree, **options) for tree in trees]
    for turn in range(12):
        added = [s.add(9) for s in samplers]
        assert all(np.array_equal(x, y) for x, y in zip(*added, strict=True))
        batches = [s.sample(1 + turn % 16, beta=0.5) for s in samplers]
        for field in ("indices", "weights", "priorities", "generations"):
            assert np.array_equal(getattr(batches[0], field), getattr(batches[1], field)), field
        errors = rng.normal(0, 2, len(batches[0].indices))
        kept = [s.update(b.indices, errors, b.generations) for s, b in zip(samplers, batches, strict=True)]
        assert np.array_equal(*kept)
        assert samplers[0].tree.total == samplers[1].tree.total > 0
    # Batches of one: every answer is a pass of its own.
    loose = [s.tree.sample(33) for s in samplers]
    assert all(np.array_equal(x, y) for x, y in zip(*loose, strict=True))
    assert trees[0].counters() == trees[1].counters() and trees[1].counters()["samples"] > 60


@pytest.mark.parametrize("name", BOARDS)
def test_learning_is_that_of_the_simulated_bus(board, name, seed):
    rng = np.random.default_rng(seed)
    drivers = [LearnerDriver(bus) for bus in (simulated("learner", seed), board(name, "learner", seed))]
    shape = drivers[0].shape
    settings = LearnerSettings(batch=8, networks=equal_networks(rate=1000, rate_exp=24, log_rate=20_000), lag=False)
    sizes = list(zip(shape.value.sizes[:-1], shape.value.sizes[1:], strict=True))
    planted = {
        plane: [(rng.integers(low, 20_000, (n, m)), rng.integers(low, 20_000, n)) for m, n in sizes]
        for plane, low in zip(planes(shape), (-20_000, -20_000, -20_000, 0), strict=False)
    }
    for driver in drivers:
        driver.configure(LearnerFormats.default(shape.value.layers), settings)
        for plane, matrices in planted.items():
            driver.load(matrices, plane)
    for _ in range(3):
        batches = [
            Records(
                *(rng.integers(-9000, 9000, (8, 3)), rng.integers(0, 2, 8), rng.integers(-90_000, 90_000, 8)),
                *(rng.integers(-9000, 9000, (8, 3)), rng.random(8) < 0.2, rng.integers(0, 2**17, 8)),
            )
            for _ in range(2)
        ]
        answers = [driver.train(batches) for driver in drivers]
        assert [x.tolist() for x in answers[0]] == [x.tolist() for x in answers[1]]
    for plane in planes(shape):
        matrices = [driver.read(plane) for driver in drivers]
        for (w, b), (other_w, other_b) in zip(*matrices, strict=True):
            assert np.array_equal(w, other_w) and np.array_equal(b, other_b), plane
    assert drivers[1].steps == 6
    weights = drivers[1].read(WEIGHTS)
    assert any(not np.array_equal(w, old) for (w, _), (old, _) in zip(weights, planted[WEIGHTS], strict=True))


@pytest.mark.parametrize("name", BOARDS)
def test_a_loop_that_trains_by_itself_is_that_of_the_simulated_bus(board, name, seed):
    """Experiences by the stream, everything else by registers, a pause, and a checkpoint by the memory."""
    rng = np.random.default_rng(seed)
    drivers = [
        ReplayLearnerDriver(bus) for bus in (simulated("replay_learner", seed), board(name, "replay_learner", seed))
    ]
    options = {"buffer_size": 32, "batch_size": 8, "ahead": 1, "optimiser": "sgd", "seed": seed, "learning_rate": 0.05}
    loops = [ReplayLearner((2, 4, 2), backend=driver, **options) for driver in drivers]
    for turn in range(3):
        count = int(rng.integers(12, 20))
        experiences = rng.normal(size=(count, 2)), rng.integers(0, 2, count), rng.normal(size=count)
        experiences += rng.normal(size=(count, 2)), rng.random(count) < 0.2
        for loop in loops:
            loop.add(*experiences)
            loop.train(4 + turn)
    # Weights, experiences, priorities, draws.
    kept = [loop.state_dict() for loop in loops]
    assert kept[0].keys() == kept[1].keys()
    for what, entry in kept[0].items():
        assert np.array_equal(entry, kept[1][what]), what
    held = [driver.records(32) for driver in drivers]
    assert np.array_equal(*held) and held[0].any()
    assert drivers[1].counters()["batches"] == 4 + 5 + 6 and len(loops[1]) == 32


# --- the streams, on a core that sends back what it gets ---


@pytest.fixture
def loopback(monkeypatch):
    """A function from a board's name to its bus to four registers and a stream that comes back, beats of 128 bits."""
    made = []

    def make(name: str, *, most: int = (1 << 26) - 1, card: dict | None = None, seed: int = 1, **options):
        rtl = VerilatedBus(LOOPBACK, "rlc_loopback", {"BEAT": 2}, beat_bits=128, limit=1000)
        rtl.stall(seed, source=0.2, sink=0.2)
        hardware = Hardware(rtl)
        ends = {"beat_bits": {"s_axis": 128, "m_axis": 128}, "interrupt": Interrupt(0, 4)}
        if name == "zcu106":
            fake = package(hardware, most=most)
            monkeypatch.setitem(sys.modules, "pynq", fake)
            dma = "streams/dma_0"
            bus = PynqBus("core.bit", "core", sources={"s_axis": dma}, sinks={"m_axis": dma}, **ends, **options)
            bus.pynq = fake
        else:
            opener = Card(hardware, **(card or {}))
            bus = XdmaBus(sources={"s_axis": 0}, sinks={"m_axis": 0}, opener=opener, **ends, **options)
            bus.card = opener
        bus.hardware = hardware
        made.append(bus)
        return bus

    yield make
    for bus in made:
        bus.close()
        bus.hardware.close()


def beats(rng, count):
    return rng.integers(0, 2**64, (count, 2), dtype=np.uint64)


@pytest.mark.parametrize("name", BOARDS)
def test_passes_of_any_length_come_back_whole_and_the_next_one_stays_apart(loopback, name, seed):
    rng = np.random.default_rng(seed)
    bus = loopback(name, seed=seed)
    # 256 beats are a page, which XDMA's descriptors end with.
    for count in (1, 2, 255, 256, 257, 700):
        sent = beats(rng, count)
        taken = bus.transfer({"s_axis": sent}, {"m_axis": count})["m_axis"]
        assert np.array_equal(taken, sent), count
    # The core holds two beats, so a pass is gone before its last beats are asked for.
    sent = [beats(rng, int(n)) for n in rng.integers(3, 300, 6)]
    taken = [bus.transfer({"s_axis": sent[0]}, {"m_axis": len(sent[0]) - 2})["m_axis"]]
    for following in sent[1:]:
        taken += [bus.transfer({"s_axis": following}, {"m_axis": len(following)})["m_axis"]]
    taken += [bus.transfer({}, {"m_axis": 2})["m_axis"]]
    assert np.array_equal(np.vstack(taken), np.vstack(sent))
    assert bus.transfer({"s_axis": beats(rng, 0)}, {"m_axis": 0})["m_axis"].shape == (0, 2)


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("length", [1, 255, 256, 300])
def test_a_pass_of_unknown_length_ends_with_its_last_beat(loopback, name, length, seed):
    bus = loopback(name, seed=seed)
    sent = beats(np.random.default_rng(seed), length)
    sender = bus.hardware
    sender.give("s_axis", sent.reshape(-1).view(np.uint8))
    assert np.array_equal(bus.receive(300), sent)


@pytest.mark.parametrize("name", BOARDS)
def test_a_pass_beyond_the_capacity_is_an_error(loopback, name, seed):
    bus = loopback(name, seed=seed, timeout=2.0)
    bus.hardware.give("s_axis", beats(np.random.default_rng(seed), 40).reshape(-1).view(np.uint8))
    with pytest.raises(BusError, match="'m_axis' gave a pass of more than 39 beats"):
        bus.receive(39)


@pytest.mark.parametrize("name", BOARDS)
def test_silence_is_an_error_and_late_beats_are_not_lost(loopback, name, seed):
    sent = beats(np.random.default_rng(seed), 5)
    bus = loopback(name, timeout=0.2)
    begin = time.monotonic()
    with pytest.raises(BusError, match=r"beat 0 of stream 'm_axis' did not happen within 0\.2 s"):
        bus.transfer({}, {"m_axis": 5})
    assert time.monotonic() - begin < 3
    with pytest.raises(BusError, match="interrupt did not happen within"):
        bus.wait_irq()
    # The engine still waits, and what comes at last is taken by the next call.
    assert np.array_equal(bus.transfer({"s_axis": sent}, {"m_axis": 5})["m_axis"], sent)


@pytest.mark.parametrize("name", BOARDS)
def test_a_pass_that_the_core_does_not_take_blocks_its_stream_only(loopback, name, seed):
    bus = loopback(name, timeout=0.2)
    sent = beats(np.random.default_rng(seed), 50)
    # Nobody takes what comes back, so the core is full after one beat.
    with pytest.raises(BusError, match="the end of the pass given to stream 's_axis' did not happen"):
        bus.send(sent)
    with pytest.raises(BusError, match="'s_axis' still holds a pass that the core did not take"):
        bus.send(sent)
    assert np.array_equal(bus.transfer({}, {"m_axis": 50})["m_axis"], sent)
    bus.write(4, 7)
    assert bus.read(4) == 7


@pytest.mark.parametrize("name", BOARDS)
def test_registers_and_the_interrupt_come_through(loopback, name, seed):
    options = {"irq_pin": "core/irq"} if name == "zcu106" else {"event": 0}
    bus = loopback(name, timeout=1.0, **options)
    bus.write(8, np.int64(-2))
    assert bus.read(8) == 0xFFFFFFFE
    # Register 0 is the pending interrupt, register 4 enables it.
    bus.write(0, 1)
    bus.write(4, 0)
    with pytest.raises(BusError, match="interrupt did not happen"):
        bus.wait_irq()
    bus.write(4, 1)
    bus.wait_irq()


@pytest.mark.parametrize("name", BOARDS)
def test_the_interrupt_line_ends_a_wait(loopback, name, monkeypatch):
    """The line is heard: what waits for it comes back long before the time is over."""
    options = {"irq_pin": "core/irq"} if name == "zcu106" else {"event": 0}
    bus = loopback(name, **options)
    bus.write(0, 1)
    bus.write(4, 1)
    begin = time.monotonic()
    for _ in range(3):
        bus._wait_event(20.0)
    assert time.monotonic() - begin < 20
    assert (bus.pynq.lines[0].heard if name == "zcu106" else bus.card.event.waits) == 3


@pytest.mark.parametrize("name", BOARDS)
def test_wrong_arguments_are_one_sentence_and_nothing_moves(loopback, name):
    bus = loopback(name)
    before = bus.hardware.moves
    for call, text in (
        (lambda: bus.send(np.zeros((3, 1), np.uint64)), r"\(3, 1\); this stream takes \(beats, 2\) words"),
        (lambda: bus.transfer({"x": np.zeros((1, 2))}, {}), "takes no stream 'x'; it has s_axis"),
        (lambda: bus.transfer({}, {"y": 1}), "gives no stream 'y'; it has m_axis"),
    ):
        with pytest.raises(UserError, match=text):
            call()
    assert bus.hardware.moves == before


# --- pynq alone ---


def test_contiguous_buffers_are_used_again_and_given_back(loopback, seed):
    rng = np.random.default_rng(seed)
    bus = loopback("zcu106")
    for count in (1, 40, 3, 700, 20):
        bus.transfer({"s_axis": beats(rng, count)}, {"m_axis": count})
    assert len(bus.pynq.buffers) == 2 and not any(b.freed for b in bus.pynq.buffers)
    # A larger pass needs a larger buffer, and the old one goes.
    count = (1 << 16) // 16 + 1
    sent = beats(rng, count)
    assert np.array_equal(bus.transfer({"s_axis": sent}, {"m_axis": count})["m_axis"], sent)
    assert len(bus.pynq.buffers) == 3 and [bool(b.freed) for b in bus.pynq.buffers].count(True) == 1
    # A receive that still waits must not outlive its buffer.
    bus.write(4, 0)
    bus._timeout = 0.1
    with pytest.raises(BusError, match="did not happen"):
        bus.transfer({}, {"m_axis": 1})
    bus.close()
    assert all(b.freed for b in bus.pynq.buffers)


def test_a_dma_without_a_sending_half_is_reset_by_the_registers_it_has(loopback, seed):
    bus = loopback("zcu106", timeout=0.1)
    hardware, sent = bus.hardware, beats(np.random.default_rng(seed), 4)
    one_way = SimpleNamespace(
        core=bus._overlay.core, give=Dma(hardware, "s_axis", None), take=Dma(hardware, None, "m_axis")
    )
    ends = {"sources": {"s_axis": "give"}, "sinks": {"m_axis": "take"}, "beat_bits": {"s_axis": 128, "m_axis": 128}}
    with PynqBus(one_way, "core", timeout=0.3, **ends) as halves:
        with pytest.raises(BusError, match="did not happen"):
            halves.transfer({}, {"m_axis": 1})
        halves.reset_streams()
        assert (one_way.give.resets, one_way.take.resets) == (1, 1) and not hardware.takes
        assert np.array_equal(halves.transfer({"s_axis": sent}, {"m_axis": 4})["m_axis"], sent)
    with pytest.raises(UserError, match="no AXI DMA 'take' with sendchannel"):
        PynqBus(one_way, "core", **(ends | {"sources": {"s_axis": "take"}}))


def test_contiguous_memory_is_read_and_written_behind_the_cache(loopback, seed):
    rng = np.random.default_rng(seed)
    buffer = loopback("zcu106").pynq.allocate((64,), np.uint8)
    buffer.physical_address = 0x7000_0000
    memory, data = PynqMemory(buffer), rng.integers(0, 256, 64, dtype=np.uint8)
    buffer.memory[:] = data  # the core writes
    assert np.array_equal(memory.peek(0x7000_0003, 9), data[3:12])
    memory.poke(0x7000_0010, data[:8])
    assert np.array_equal(buffer.memory, np.r_[data[:16], data[:8], data[24:]])
    for address, count in ((0x6FFF_FFFF, 2), (0x7000_003F, 2)):
        with pytest.raises(UserError, match="are not in the 64 bytes of memory at 0x70000000"):
            memory.peek(address, count)


def test_a_pass_longer_than_the_dma_moves_is_refused(loopback, seed):
    bus = loopback("zcu106", most=1023, receive_bytes=512)
    sent = beats(np.random.default_rng(seed), 64)
    with pytest.raises(UserError, match="has 1024 bytes; its DMA moves 1023 at once"):
        bus.send(sent)


def test_a_dma_error_is_a_sentence_and_a_reset_cures_it(loopback, seed):
    sent = beats(np.random.default_rng(seed), 6000)
    bus = loopback("zcu106", receive_bytes=512, timeout=1.0)
    # A pass of 96,000 bytes does not fit the receive buffer of 65,536, which is an error of AXI DMA.
    with pytest.raises(BusError, match=r"the DMA of stream 'm_axis' stopped: DMA Internal Error .*reset_streams"):
        bus.transfer({"s_axis": sent}, {"m_axis": 1})
    with pytest.raises(BusError, match=r"'s_axis' still holds|does not start"):
        bus.transfer({"s_axis": sent[:4]}, {"m_axis": 4})
    bus.reset_streams()
    bus.hardware.bus.reset()
    assert np.array_equal(bus.transfer({"s_axis": sent[:9]}, {"m_axis": 9})["m_axis"], sent[:9])


def test_a_board_without_pynq_is_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "pynq", None)
    with pytest.raises(RunFailed, match="the package 'pynq' cannot be imported"):
        backends.open("zcu106", "gae", "tiny", overlay="core.bit", ip="core", sources={}, sinks={})


def test_an_overlay_without_the_core_or_dma_is_one_sentence(loopback):
    bus = loopback("zcu106")
    rest = {"beat_bits": {"s_axis": 128, "m_axis": 128}}
    for ip, dma, pin, text in (
        ("other", "streams/dma_0", None, "no core 'other' with read; its blocks: core, streams/dma_0"),
        ("core", "dma_0", None, "no AXI DMA 'dma_0' with sendchannel"),
        ("core", "streams/dma_0", "core/nmi", "no interrupt pin 'core/nmi'"),
    ):
        with pytest.raises(UserError, match=text):
            PynqBus(bus._overlay, ip, sources={"s_axis": dma}, sinks={"m_axis": dma}, irq_pin=pin, **rest)
    with pytest.raises(UserError, match="beats of 48 bits; a multiple of 32 is needed"):
        PynqBus(bus._overlay, "core", sources={"s": "streams/dma_0"}, sinks={}, beat_bits={"s": 48})


# --- xdma alone ---


def test_no_read_of_loose_beats_spans_two_descriptors(loopback, seed):
    rng = np.random.default_rng(seed)
    bus = loopback("u200", seed=seed)
    for count in (300, 1000):
        bus.transfer({"s_axis": beats(rng, count)}, {"m_axis": count})
    assert max(bus.card.streams["m_axis"].calls) <= 4096
    assert bus.card.streams["s_axis"].calls == [300 * 16, 1000 * 16], "a pass is one write, or its TLASTs are too many"


def test_a_pass_that_the_driver_may_cut_is_refused_where_the_cut_matters(loopback, seed):
    """Its ring of descriptors ends after the first page of the pass, which is a packet then."""
    sent = beats(np.random.default_rng(seed), 300)
    bus = loopback("u200", card={"left": 1}, framed=("s_axis",))
    with pytest.raises(UserError, match="has 4800 bytes; its DMA moves 4096 at once; the driver may cut a longer one"):
        bus.send(sent)
    assert bus.hardware.moves == 0
    assert np.array_equal(bus.transfer({"s_axis": sent[:256]}, {"m_axis": 256})["m_axis"], sent[:256])
    # With a ring that has room, what whole_passes promises is so.
    whole = loopback("u200", framed=("s_axis",), whole_passes=True)
    whole.hardware.give("s_axis", sent.reshape(-1).view(np.uint8))
    assert np.array_equal(whole.receive(300), sent)
    assert np.array_equal(whole.transfer({"s_axis": sent}, {"m_axis": 300})["m_axis"], sent)
    # A core that heeds no TLAST gets all beats all the same.
    loose = loopback("u200", card={"left": 1})
    assert np.array_equal(loose.transfer({"s_axis": sent}, {"m_axis": 300})["m_axis"], sent)
    assert backends.describe("gae", "tiny").framed == ("s_axis",)


def test_memory_behind_a_bar_is_mapped(tmp_path, seed):
    data = np.random.default_rng(seed).integers(0, 256, 8192, dtype=np.uint8)
    (tmp_path / "bypass").write_bytes(data.tobytes())
    memory = XdmaMemory(str(tmp_path / "bypass"), size=4096, offset=4096, base=0x1_0000_0000)
    assert np.array_equal(memory.peek(0x1_0000_0005, 100), data[4101:4201])
    memory.poke(0x1_0000_0FFC, data[:4])
    with pytest.raises(UserError, match="2 bytes at 0x100000FFF are not in the 4096 bytes of memory at 0x100000000"):
        memory.peek(0x1_0000_0FFF, 2)
    memory.close()
    assert (tmp_path / "bypass").read_bytes() == data[:8188].tobytes() + data[:4].tobytes()
    with pytest.raises(RunFailed, match="cannot be opened: there is no such device"):
        XdmaMemory(str(tmp_path / "none"), size=4096)
    with pytest.raises(RunFailed, match=r"4096 bytes of .* from 8192 on cannot be mapped"):
        XdmaMemory(str(tmp_path / "bypass"), size=4096, offset=8192)


def test_a_call_that_the_driver_ends_is_a_sentence(loopback):
    bus = loopback("u200", card={"timeout": 0.1}, timeout=5.0)
    with pytest.raises(BusError, match="the driver ended a transfer of stream 'm_axis': Connection timed out"):
        bus.transfer({}, {"m_axis": 1})


@pytest.mark.parametrize("name", BOARDS)
def test_a_device_that_gives_nothing_is_a_sentence_and_no_wait(loopback, name, monkeypatch):
    bus = loopback(name, timeout=30.0)
    sink = bus._sinks["m_axis"]
    if name == "u200":
        sink._device.readinto = lambda view: 0
    else:
        monkeypatch.setattr(sink, "arm", lambda *_, **__: None)
        monkeypatch.setattr(sink, "poll", lambda: sink.pieces.append((np.empty(0, np.uint8), True)) or True)
    begun = time.monotonic()
    for call in (lambda: bus.transfer({}, {"m_axis": 1}), lambda: bus.receive(3)):
        with pytest.raises(BusError, match="stream 'm_axis' ended a transfer with 0 bytes; is the card still there"):
            call()
    assert time.monotonic() - begun < 10


@pytest.mark.parametrize(("went", "said"), [(0, "took 0 of 80 bytes"), (79, "took 79 of 80"), (errno.EAGAIN, "tempor")])
def test_a_write_that_is_cut_is_a_sentence(loopback, went, said):
    bus = loopback("u200", timeout=30.0)

    def write(view):
        if went == errno.EAGAIN:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        return went

    bus._sources["s_axis"]._device.write = write
    with pytest.raises(BusError, match=said):
        bus.send(np.zeros((5, 2), np.uint64))


def test_events_and_registers_that_fail_are_sentences(loopback):
    bus = loopback("u200", timeout=30.0)

    class Gone:
        def wait(self, seconds):
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))

        def pread(self, count, offset):
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

        def pwrite(self, data, offset):
            return 0

        def close(self):
            pass

    bus._event = Gone()
    with pytest.raises(BusError, match="the wait for an interrupt failed: No such device"):
        bus.wait_irq()
    bus._user = Gone()
    with pytest.raises(BusError, match="the read of 0x4 failed: Resource temporarily unavailable"):
        bus.read(4)
    with pytest.raises(BusError, match="the write of 0x4 took 0 bytes instead of 4"):
        bus.write(4, 1)


@pytest.mark.parametrize(
    ("code", "text"),
    [(errno.ENOENT, "is the card programmed"), (errno.EACCES, "may not open it"), (errno.EBUSY, "another program")],
)
def test_a_device_that_does_not_open_is_one_sentence_and_closes_the_others(code, text):
    opened = []

    class Opened:
        def __init__(self, path, flags):
            if path.endswith("c2h_0"):
                raise OSError(code, os.strerror(code), path)
            opened.append(self)

        def close(self):
            opened.remove(self)

    with pytest.raises(RunFailed, match=f"/dev/xdma0_c2h_0 cannot be opened: .*{text}"):
        backends.open("u200", "gae", "tiny", opener=Opened)
    assert not opened


def test_device_files_are_the_systems_own(tmp_path):
    registers = tmp_path / "card_user"
    registers.write_bytes(bytes(64))
    for name in ("h2c_0", "c2h_0"):
        (tmp_path / f"card_{name}").write_bytes(b"")
    os.mkfifo(tmp_path / "card_events_0")
    held = os.open(tmp_path / "card_events_0", os.O_RDWR)
    streams = {"sources": {"s": 0}, "sinks": {"m": 0}, "beat_bits": {"s": 32, "m": 32}}
    with XdmaBus(str(tmp_path / "card"), base=16, event=0, interrupt=Interrupt(8, 12), timeout=2.0, **streams) as bus:
        bus.write(4, 0xDEADBEEF)
        assert bus.read(4) == 0xDEADBEEF and registers.read_bytes()[20:24] == bytes.fromhex("efbeadde")
        with pytest.raises(BusError, match="the read of 0x40 gave 0 bytes instead of 4"):
            bus.read(64)
        bus.send(np.array([[1], [2]], np.uint32))
        assert (tmp_path / "card_h2c_0").read_bytes() == bytes([1, 0, 0, 0, 2, 0, 0, 0])
        os.write(held, bytes(4))
        assert bus._event.wait(1.0) and not bus._event.wait(0.01)
        # A device that gives nothing, and goes on so, is no packet and no progress.
        for call in (lambda: bus.receive(3), lambda: bus.transfer({}, {"m": 2})):
            with pytest.raises(BusError, match="the device of stream 'm' ended a transfer with 0 bytes"):
                call()
    os.close(held)
    (tmp_path / "stream").write_bytes(bytes(range(8)))
    device = Device(str(tmp_path / "stream"), os.O_RDONLY)
    room = bytearray(16)
    assert device.readinto(memoryview(room)) == 8 and room[:8] == bytes(range(8))
    device.close()


# --- the factory ---


def test_the_factory_names_what_it_knows():
    for board, core, text in (
        ("zcu102", "gae", "there is no board 'zcu102'; boards: sim, u200, zcu106"),
        (
            "u200",
            "banks",
            "no back end for core 'banks'; cores: .*gae, learner, .*replay_learner, sumtree",
        ),
    ):
        with pytest.raises(UserError, match=text):
            backends.open(board, core, "tiny" if core == "gae" else {})
    with pytest.raises(RunFailed, match="/dev/xdma0_user cannot be opened"):
        backends.open("u200", "sumtree", {})
    described = backends.describe("gae", "tiny")
    assert described.beat_bits == {"s_axis": 128, "m_axis": 128} and described.interrupt == Interrupt(0x24, 0x20)
