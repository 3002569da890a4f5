"""The net learner between datagrams and cocotbext-axi's masters and RAM: what it answers and learns is the model's."""

import os
import random
import socket
import threading
from collections import Counter, deque

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import start_clock
from cocotb.task import bridge
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge
from cocotb_front import Simple, checks_of, datagram, driven, learns, secret_of
from foreign_bus import ForeignBus, slow, watch
from replay_cases import experiences, model, networks, planes, same, start, state_of_all
from traffic import client_of, source_of
from udp_bench import Answers, Requests, ports
from uvm_bench import parameters

from rlcores.cores.net_learner import text
from rlcores.cores.net_learner.model import NetLearnerModel, Schedule, settings_of
from rlcores.cores.replay_learner.driver import ReplayLearnerDriver
from rlcores.cores.replay_server import frames as net
from rlcores.cores.replay_server.checks import Checks
from rlcores.cores.replay_server.frames import Frame
from rlcores.net import ReplayClient

EVENTS = ("kept", "lost", "step", "published")
SETTINGS = {"instance": 32, "key": 128, "starts": 32, "every": 32, "gradient_steps": 16, "publish": 16}  # bits
LIMIT = 20_000  # clocks in which nothing comes, goes or is done, after which the bench ends
# Words of STAT's answer that hang on how far the learner is: size, next, total, largest, version.
MOVING = slice(8, 48)
Source = tuple[int, int]


class Learning(NetLearnerModel):
    """The model, which also keeps the text of every set."""

    def __init__(self, *arguments, **more) -> None:
        self.texts: dict[int, bytes] = {}
        super().__init__(*arguments, **more)

    def _show(self) -> None:
        super()._show()
        shape = self.loop.learner.shape
        self.texts[self.sets] = text.to_text(text.acting(shape), self.loop.learner.model.networks[-1].matrices())


class Clients(Simple):
    """As clients of a learner: records are experiences, of their priorities nearly all are the largest so far."""

    def __init__(self, known: Learning, checks: Checks, rng: random.Random) -> None:
        super().__init__(known.settings, checks, rng)
        self.known, self.shape = known, known.loop.learner.shape
        self.often = (60, 3, 3, 3, 3, 25, 6)
        self.draws = np.random.default_rng(rng.getrandbits(32))

    def _put(self) -> Frame:
        rng, s = self.rng, self.s
        most = s.part_bytes // (net.PRIORITY.size + s.record_bytes)
        count = rng.randrange(1, most + 1)
        rows = self.known.loop.layout.pack(*experiences(self.draws, self.shape, count))
        kinds = [net.LARGEST if rng.random() < 0.92 else rng.choice([net.RAW, net.TD, 3]) for _ in range(count)]
        records = text.to_records(self.shape, rows)
        data = b"".join(
            net.PRIORITY.pack(rng.getrandbits(32), kind) + row.tobytes()
            for kind, row in zip(kinds, records, strict=True)
        )
        return Frame(net.PUT, count=count, payload=data)

    def _get(self) -> Frame:
        sets = self.known.sets
        known = [0, 0, sets, max(sets - 1, 0), max(sets - self.rng.randrange(9), 0)]
        version = self.rng.choice([*known, self.rng.getrandbits(64)])
        chunks = net.parts_of(self.s.weights_max, self.s.chunk)
        beyond = self.rng.randrange(chunks, (1 << 32) // self.s.chunk)
        at = self.rng.choice([*range(chunks), *range(chunks), chunks, beyond]) * self.s.chunk
        return Frame(net.GET, payload=net.CHUNK.pack(version, at, 0))


class Line:
    """Datagrams in and out. Either side waits as often as `share` says."""

    def __init__(self, dut, rng: random.Random) -> None:
        self.dut, self.share = dut, 0.0
        self.requests, self._replies = Requests(dut, rng=rng), Answers(dut, rng=rng)
        self.answers: deque[tuple[bytes, Source]] = deque()

    def clear(self) -> None:
        """Nothing is on its way, as in a reset."""
        self.requests.clear()
        self._replies.clear()
        self.answers.clear()

    def give(self, data: bytes, source: Source) -> None:
        """A datagram comes."""
        self.requests.give(data, *source)

    async def run(self) -> None:
        """Clock by clock."""
        dut, edge = self.dut, RisingEdge(self.dut.clk)
        while True:
            await ReadOnly()
            if not int(dut.rst.value):
                self.requests.sample()
                HITS["datagrams wait"] += self.requests.offering
                if answer := self._replies.datagram():
                    self.answers.append(answer)
            await edge
            self.requests.share = self._replies.share = 1 - self.share
            self.requests.drive()
            self._replies.drive()


async def count(dut, counted: Counter) -> None:
    """What the core says that it did."""
    edge = RisingEdge(dut.clk)
    while True:
        await edge
        for name in EVENTS:
            counted[name] += int(getattr(dut, f"ev_{name}").value)


class Bench:
    """The core, its line and its bus, and the model that is asked the same."""

    def __init__(self, dut) -> None:
        self.dut, self.core = dut, parameters(dut, "net_learner")
        self.rng = random.Random(random.getrandbits(64))
        self.line, self.counted = Line(dut, self.rng), Counter()
        self.checks = checks_of(bool(self.core["KEYED"]), self.rng)

    async def begin(self, share: float) -> None:
        """Clock, bus and line."""
        dut = self.dut
        start_clock(dut.clk)
        dut.again.value = dut.cfg_every.value = dut.cfg_starts.value = dut.cfg_gradient_steps.value = 0
        dut.cfg_publish.value = dut.cfg_instance.value = dut.s_udp_tvalid.value = 0
        dut.cfg_key.value = 0
        dut.rst.value = 1
        self.share = share
        self.bus = ForeignBus(dut, ("s_axis_load",), ("m_axis_read",), share=share / 2, memory="m_axi")
        await ClockCycles(dut.clk, 4)
        cocotb.start_soon(watch(dut, HITS, "m_axi"))
        cocotb.start_soon(self.line.run())
        cocotb.start_soon(count(dut, self.counted))

    async def reset(self, rng: np.random.Generator, schedule: Schedule, batch: int, ahead: int) -> None:
        """A core with new weights and an empty memory, and its model."""
        dut, core = self.dut, self.core
        self.line.clear()
        dut.rst.value = 1
        for _ in range(8):  # only what stands there at the end of a reset counts
            for name, bits in SETTINGS.items():
                getattr(dut, f"cfg_{name}").value = self.rng.getrandbits(bits)
            await RisingEdge(dut.clk)
        instance = self.rng.randrange(1, 1 << 32)
        dut.cfg_instance.value, dut.cfg_key.value = instance, driven(self.checks)
        self.write(schedule)
        await self.bus._reset()
        self.line.clear()
        self.counted.clear()
        exact = model(core)
        room = (1 << core["ADDR_WIDTH"]) - (exact.layout.stride << exact.tree_shape.leaves_log2)
        base = self.rng.randint(0, room)
        self.real = await bridge(ReplayLearnerDriver)(self.bus, base - base % exact.layout.stride)
        sizes = {name: core[name.upper()] for name in ("part_bytes", "clients", "credit")}
        self.model = Learning(settings_of(exact, **sizes, instance=instance), exact, checks=self.checks)
        self.model.secret = secret_of(self.checks)
        await self.schedule(schedule)
        await bridge(start)(rng, self.real, exact, batch=batch, capacity=core["CAPACITY"], ahead=ahead)
        shape = exact.learner.shape
        for actor in networks(shape):
            for plane in planes(shape):
                self.model.loaded(actor == bool(shape.actor) and plane == 0)
        await ClockCycles(dut.clk, 4)

    def write(self, schedule: Schedule) -> None:
        """What follows what."""
        dut = self.dut
        dut.cfg_starts.value, dut.cfg_every.value = schedule.starts, schedule.every
        dut.cfg_gradient_steps.value, dut.cfg_publish.value = schedule.gradient_steps, schedule.publish

    async def schedule(self, schedule: Schedule) -> None:
        """What follows what, from now on; all is at rest."""
        dut = self.dut
        self.write(schedule)
        dut.again.value = 1
        await RisingEdge(dut.clk)
        dut.again.value = 0
        await ClockCycles(dut.clk, 2)
        self.model.begin(schedule)

    async def until(self, done, what: str) -> None:
        """Clocks until something is so."""
        seen, idle = None, 0
        while not done():
            now = len(self.line.requests.queue), len(self.line.answers), self.counted.total()
            seen, idle = now, idle + 1 if now == seen else 0
            assert idle < LIMIT, f"nothing moves: {what}; {now[0]} beats are left, {dict(self.counted)}"
            await RisingEdge(self.dut.clk)

    async def rest(self, answers: int) -> None:
        """All answers are here, all experiences are stored, all steps done that follow."""

        def done() -> bool:
            kept, steps = self.counted["kept"], self.counted["step"]
            known = self.model.counts["records"], self.model.steps
            assert kept <= known[0] and steps <= known[1], f"{kept} experiences, {steps} steps instead of {known}"
            return not self.line.requests.queue and len(self.line.answers) >= answers and (kept, steps) == known

        await self.until(done, f"no rest: {self.model.counts['records']} experiences, {self.model.steps} steps")
        await ClockCycles(self.dut.clk, 60)

    async def exchange(self, data: list[bytes], quiet: bool) -> None:
        """Datagrams; quiet: nothing is learned meanwhile, and a STAT comes when all before it is stored."""
        model = self.model
        wanted: deque = deque()
        for one in data:
            where = source_of(client_of(one)) if self.rng.random() < 0.98 else self.rng.getrandbits(48)
            source = ports(where)
            if quiet and len(one) > 5 and one[5] == net.STAT:
                await self.rest(len(wanted))
            self.line.give(one, source)
            wanted.extend((answer, source, one) for answer in model.frame(one, where))
        await self.rest(len(wanted))
        newest = 0
        assert len(self.line.answers) == len(wanted), "answers that nobody asked for"
        for (answered, to), (answer, source, request) in zip(self.line.answers, wanted, strict=True):
            f, g = (net.decode(x, self.checks, 1 << 16) for x in (answer, answered))
            assert to == source
            HITS[f"{f.op & 0x7F} {g.status}"] += 1
            if quiet or f.op not in (net.STAT | net.ANSWER, net.GET | net.ANSWER) or f.status not in (net.OK, net.GONE):
                assert answered == answer, f"{g} instead of {f} to {request.hex()}"
            elif f.op == net.STAT | net.ANSWER:
                a, b = bytearray(f.payload), bytearray(g.payload)
                a[MOVING] = b[MOVING] = bytes(40)
                assert g._replace(payload=bytes(b)) == f._replace(payload=bytes(a))
            else:
                version, at, _ = net.CHUNK.unpack_from(net.decode(request, self.checks, 1 << 16).payload)
                assert g._replace(payload=b"", status=0) == f._replace(payload=b"", status=0)
                if g.status == net.GONE:
                    assert version or at >= model.settings.weights_max
                    continue
                assert g.status == net.OK
                published, total, offset = net.CHUNK.unpack_from(g.payload)
                assert version in (0, published) and offset == at
                whole = model.texts[published]
                assert total == len(whole) and g.payload[net.CHUNK.size :] == whole[at : at + model.settings.chunk]
                if not version:
                    assert published >= newest, "an older set than before"
                    newest = published
        self.line.answers.clear()

    def datagrams(self, clients: Clients, number: int) -> list[bytes]:
        """Of all clients, good and bad ones."""
        datagrams = []
        for _ in range(number):
            learns(clients, self.model, self.rng)
            datagrams.append(datagram(clients, self.rng))
        return datagrams

    async def cut_off(self, clients: Clients) -> None:
        """Experiences and batches are on their way, to the clock in which a word of the memory's waits."""
        dut, memory = self.dut, self.bus.memory.ram
        slow(memory, 0.5)
        await bridge(self.real.start)(0)
        for one in self.datagrams(clients, 40):
            self.line.give(one, ports(source_of(client_of(one))))
        self.line.share = 0.0
        channels = [[getattr(dut, f"m_axi_{name}{part}") for part in ("valid", "ready")] for name in ("aw", "w", "ar")]
        for _ in range(LIMIT):
            await RisingEdge(dut.clk)
            if any(int(valid.value) and not int(ready.value) for valid, ready in channels):
                slow(memory, self.share / 2)
                return
        raise AssertionError("no word waits for the memory")

    async def compare(self, when: str) -> None:
        """All that a host can see."""
        slots = self.core["CAPACITY"]
        state = await bridge(state_of_all)(self.real, slots)
        same(state, state_of_all(self.model.loop, slots), when)


async def talk(bench: Bench, clients: Clients, number: int, quiet: bool) -> None:
    """Datagrams one by one to the model and to the core, since what comes next hangs on what the model has accepted."""
    for first in range(0, number, 10):
        sent = []
        for _ in range(min(10, number - first)):
            learns(clients, bench.model, bench.rng)
            sent.append(datagram(clients, bench.rng))
        await bench.exchange(sent, quiet)


def last(bench: Bench) -> list[bytes]:
    """Of each client a GET of both sets, whole, and a STAT."""
    model, frames = bench.model, []
    s = model.settings
    for number, client in model.clients.items():
        for version in (0, *(weights.version for weights in model.published)):
            for chunk in range(net.parts_of(s.weights_max, s.chunk)):
                asked = net.CHUNK.pack(version, chunk * s.chunk, 0)
                frames.append(Frame(net.GET, number, client.epoch, chunk, s.instance, payload=asked))
        frames.append(Frame(net.STAT, number, client.epoch, 0, s.instance))
    return [net.encode(frame, bench.checks) for frame in frames]


@cocotb.test(timeout_time=60, timeout_unit="ms")
async def answers_experiences_and_weights_are_the_models_whatever_waits(dut):
    bench = Bench(dut)
    await bench.begin(random.choice((0.0, 0.2, 0.5)))
    frames = int(os.environ.get("FRAMES", "60"))
    for turn in range(2):
        rng = np.random.default_rng(random.getrandbits(32))
        ahead, batch = int(rng.integers(0, bench.core["AHEAD_MAX"] + 1)), int(rng.integers(1, 6))
        publish = int(rng.integers(1, 4))
        await bench.reset(rng, Schedule(publish=publish), batch, ahead)
        bench.line.share = bench.share if turn else 0.0
        model, clients = bench.model, Clients(bench.model, bench.checks, bench.rng)
        # By the host's leave: experiences, then gradient steps, and again.
        for _ in range(2):
            while not model.counts["records"]:
                await talk(bench, clients, 10, quiet=True)
            await talk(bench, clients, frames // 4, quiet=True)
            steps = int(rng.integers(1, 5))
            await bridge(bench.real.train)(steps)
            model.train(steps)
            HITS["gradient steps"] += steps
        await talk(bench, clients, frames // 4, quiet=True)
        await bench.exchange(last(bench), quiet=True)
        await bench.compare(f"turn {turn}, in the host's order")
        # In the order of experiences, while datagrams come.
        schedule = Schedule(
            int(rng.integers(1, 8)), int(rng.integers(1, 6)), int(rng.integers(1, 4)), publish,
        )  # fmt: skip
        await bench.schedule(schedule)
        before, sets = model.steps, model.sets
        shown = bench.counted["published"]
        await bridge(bench.real.start)(0)
        for _ in range(3):
            await bench.exchange(bench.datagrams(clients, frames), quiet=False)
        HITS["gradient steps in order"] += model.steps - before
        HITS["published in order"] += bench.counted["published"] - shown
        assert model.sets - sets == model.steps - before
        await bridge(bench.real.stop)()
        await bridge(bench.real.wait)()
        model.finish()
        await bench.compare(f"turn {turn}, {schedule}")
        assert not bench.counted["lost"]
        if bench.core["KEYED"]:
            HITS["bad_key"] += model.counts["bad_key"]
        if not turn:
            await bench.cut_off(clients)
    HITS["records"] = sum(HITS[f"{net.PUT} {status}"] for status in (net.OK,))
    report()


@cocotb.test(timeout_time=60, timeout_unit="ms")
async def our_client_puts_experiences_and_gets_the_weights_that_they_taught(dut):
    bench = Bench(dut)
    await bench.begin(0.2)
    rng = np.random.default_rng(random.getrandbits(32))
    await bench.reset(rng, Schedule(starts=6, every=3, gradient_steps=1, publish=2), batch=4, ahead=0)
    model, shape = bench.model, bench.model.loop.learner.shape
    rows = model.loop.layout.pack(*experiences(rng, shape, 24))
    await bridge(bench.real.start)(0)
    socket_ = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    socket_.bind(("127.0.0.1", 0))
    socket_.setblocking(False)
    host, port = socket_.getsockname()
    fetched: list = []
    learned = threading.Event()

    def actor() -> None:
        with ReplayClient(f"{host}:{port}", 1, timeout=60, ordered=True, key=bench.checks.key) as client:
            fetched.append(client.get_weights())
            client.put(text.to_records(shape, rows))
            client.flush()
            learned.wait(60)
            fetched.extend((client.get_weights(), client.stats()))

    thread = threading.Thread(target=actor)
    thread.start()
    sources: list = []
    while thread.is_alive():  # the client gives up by itself
        try:
            data, whose = socket_.recvfrom(1 << 16)
            if whose not in sources:
                sources.append(whose)
            bench.line.give(data, (sources.index(whose), 7))
        except BlockingIOError:
            pass
        while bench.line.answers:
            data, (whose, _) = bench.line.answers.popleft()
            socket_.sendto(data, sources[whose])
        if bench.counted["kept"] == len(rows) and bench.counted["step"] == 7 and not learned.is_set():
            await ClockCycles(dut.clk, 60)
            learned.set()
        await ClockCycles(dut.clk, 20)
    thread.join()
    socket_.close()
    first = dict(model.texts)
    for row in text.to_records(shape, rows):
        payload = net.PRIORITY.pack(0, net.LARGEST) + row.tobytes()
        assert model._put(Frame(net.PUT, count=1, payload=payload)) == net.OK
    assert len(fetched) == 3, "our client was not answered"
    before, after, stats = fetched
    assert before[1] == first[before[0]]
    assert after[0] == model.published[0].version > before[0] and after[1] == bytes(model.published[0].data)
    names = {f"{2 * n}.{w}" for n in range(2) for w in ("weight", "bias")}
    assert text.state_dict(bench.core, after[1]).keys() == names
    assert stats["records"] == stats["size"] == len(rows) and stats["total"] == model.tree.total
    await bridge(bench.real.stop)()
    await bridge(bench.real.wait)()
    model.finish()
    await bench.compare("our client")
    HITS["client's steps"] += model.steps
    report()
