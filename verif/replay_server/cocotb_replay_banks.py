"""rlc_replay_banks against an integer model of each bank: every answer, every counter of each; and its clocks."""

import os
import random
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import replace

import cocotb
from axi_memory import AxiMemory
from bench_pins import pack, reset, start
from cocotb.triggers import FallingEdge, ReadOnly
from cocotb_front import BESIDE, IDLE, Simple, Watched, checks_of, configure, datagram, learns, secret_of, unsettled
from cocotb_server import LATENCY_LIMIT, chosen, count_bins, difference, left_over, room, sets
from traffic import hello
from udp_bench import Answers, Requests, ports

from rlcores.cores.replay_server import frames as net
from rlcores.cores.replay_server.checks import Checks
from rlcores.cores.replay_server.frames import Frame, ServerSettings

FRAMES = 300  # where the environment does not say how many


class Sides:
    """Ports m_axi_* of all banks, which lie side by side: one handle, a slice a bank."""

    def __init__(self, dut, banks: int) -> None:
        names = [name for name in dir(dut) if name.startswith("m_axi_")]
        self._handles = {name: getattr(dut, name) for name in names}
        self._widths = {name: len(handle) // banks for name, handle in self._handles.items()}
        self._banks = banks
        self._given: dict[str, list[int]] = {}  # of the inputs
        self._changed: set[str] = set()
        self._seen: dict[str, str] = {}

    def get(self, name: str, bank: int) -> int:
        """A slice. Raises ValueError when a bit of it is not 0 or 1."""
        if name not in self._seen:
            self._seen[name] = str(self._handles[name].value)
        end = len(self._seen[name]) - self._widths[name] * bank
        return int(self._seen[name][end - self._widths[name] : end], 2)

    def set(self, name: str, bank: int, value: int) -> None:
        """A slice, from `settle` on."""
        if name not in self._given:
            self._given[name] = [0] * self._banks
        elif self._given[name][bank] == value:
            return
        self._given[name][bank] = value
        self._changed.add(name)

    def settle(self) -> None:
        """What was set is at the ports; what was seen is old."""
        self._seen.clear()
        for name in self._changed:
            width = self._widths[name]
            self._handles[name].value = sum(value << width * n for n, value in enumerate(self._given[name]))
        self._changed.clear()


class Port:
    """A port of one bank."""

    def __init__(self, sides: Sides, name: str, bank: int) -> None:
        self.__dict__.update(sides=sides, name=name, bank=bank)

    @property
    def value(self) -> int:
        return self.sides.get(self.name, self.bank)

    def __setattr__(self, _: str, value: int) -> None:
        self.sides.set(self.name, self.bank, value)


class Side:
    """One bank's ports, as a memory wants them."""

    def __init__(self, sides: Sides, bank: int) -> None:
        self._sides, self._bank, self._ports = sides, bank, {}

    def __getattr__(self, name: str) -> Port:
        return self._ports.setdefault(name, Port(self._sides, name, self._bank))


class Memories:
    """The memory of each bank, each with its own part of the addresses."""

    def __init__(
        self,
        dut,
        rng: random.Random,
        settings: list[ServerSettings],
        bases: list[int],
        likely: list[float],
        latency: int,
    ) -> None:
        self._sides = Sides(dut, len(settings))
        self.each = [
            AxiMemory(Side(self._sides, n), rng, bases[n], room(one), likely[n], latency)
            for n, one in enumerate(settings)
        ]
        self._sides.settle()

    def drive(self) -> None:
        """As AxiMemory."""
        for one in self.each:
            one.drive()
        self._sides.settle()

    def take(self) -> None:
        """As AxiMemory."""
        for one in self.each:
            one.take()


def bank_of(data: bytes, banks: int) -> int:
    """Whose a datagram is; docs/net.md."""
    return int.from_bytes(data[8:10], "little") % banks if len(data) >= 10 else 0


async def begin(dut, settings: ServerSettings, checks: Checks, bases: list[int]) -> None:
    """Clock, settings and reset; ends at a falling edge."""
    # The address is not what a test before this one left there.
    await start(dut, "s_udp_tvalid", "s_udp_addr", "s_udp_port", "m_udp_tready")
    await unsettled(dut)
    configure(dut, settings, checks, "initial", "seed", base=pack(bases, int(dut.ADDR_WIDTH.value)))
    await reset(dut)


@cocotb.test()
async def every_answer_and_every_counter_is_that_of_its_banks_model(dut):
    rng = random.Random(cocotb.RANDOM_SEED)
    count = int(os.environ.get("FRAMES", FRAMES))
    largest = (1 << int(dut.PRIORITY_WIDTH.value)) - 1
    settings = chosen(
        dut, initial=rng.choice([min(256, largest), rng.randint(0, largest)]), instance=rng.randrange(1, 1 << 32),
        seed=rng.getrandbits(64), alpha=rng.choice([0, 19661, 32768]),
        scale=rng.choice([8 << 8, -512, 17 << 8]), epsilon=rng.choice([1, 0, 1 << 20]),
    )  # fmt: skip
    banks, checks = settings.banks, checks_of(bool(dut.KEYED.value), rng)
    each = [replace(settings, bank=n) for n in range(banks)]
    models = [Watched(one, checks) for one in each]
    traffics = [Simple(one, checks, rng) for one in each]

    requests, replies = Requests(dut, rng=rng), Answers(dut, rng=rng)
    wanted: list[deque] = [deque() for _ in range(banks)]
    ops: Counter = Counter()
    lengths: Counter = Counter()
    statuses: Counter = Counter()

    def give(data: bytes) -> None:
        bank = bank_of(data, banks)
        source = traffics[bank].source(data)
        requests.give(data, *ports(source))
        answers = models[bank].frame(data, source)
        wanted[bank].extend((answer, *ports(source), data) for answer in answers)
        ops.update((bank, answer[5] & 0x7F) for answer in answers)
        frames = [net.decode(answer, checks, settings.part_bytes) for answer in answers]
        statuses.update((f.op & 0x7F, f.status) for f in frames)
        lengths.update({"short": len(data) < 10, "odd": len(data) % 8 != 0 and len(data) > 10})

    # Nobody else may ask for weights before there are some.
    for n in range(banks):
        give(net.encode(hello(settings, n, 1, rng.getrandbits(64), secret_of(checks)), checks))
        give(net.encode(Frame(net.GET, n, 1, 0, settings.instance, payload=net.CHUNK.pack(0, 0, 0)), checks))
    n = 0
    for _ in range(count):
        if rng.random() < 0.7:  # else a row for one bank
            n = rng.randrange(banks)
        learns(traffics[n], models[n], rng)
        give(datagram(traffics[n], rng))
    for model in models:
        for frame in sets(model, rng):
            give(net.encode(frame, checks))
        # Whole but for a few bytes: what is missing must not be taken for zeros. And too short to say whose it is.
        number, client = next(iter(model.clients.items()))
        stat = Frame(net.STAT, number, client.epoch, 0, settings.instance)
        whole = net.encode(stat, checks)
        give(whole[: -rng.randrange(1, 5)])
        give(whole[: rng.randrange(11)])
        give(whole[:9])
        if checks.key is not None:
            # Without a MAC, with that of another key and malformed, with a bit of it changed; and as it should be.
            mac = bytearray(whole[:-8])
            mac[-1 - rng.randrange(8)] ^= 1 << rng.randrange(8)
            before = dict(model.counts)
            other = net.encode(stat._replace(credit=1), Checks(rng.randbytes(16)))
            for data in (net.encode(stat, Checks()), other, Checks().seal(bytes(mac)), whole):
                give(data)
            counted = {name: n - before[name] for name, n in model.counts.items() if n != before[name]}
            assert counted == {"frames": 4, "bad_length": 1, "bad_key": 2}, f"counted {counted}"
    for model in models:
        for frame in left_over(model):
            give(net.encode(frame, checks))
    assert all(ops[n, net.STAT] for n in range(banks))
    answered = [len(one) for one in wanted]
    count_bins(statuses, sum((Counter(model.counts) for model in models), Counter()))

    bases = [(4096 * rng.randrange(8)) for _ in range(banks)]
    await begin(dut, settings, checks, bases)
    requests.share, replies.share = (rng.choice([0.2, 0.7, 1.0]) for _ in range(2))
    likely = [rng.choice([0.2, 0.7, 1.0]) for _ in range(banks)]
    memories = Memories(dut, rng, each, bases, likely, rng.choice([0, 20, 200]))
    idle = 0
    while requests.queue or any(wanted):
        requests.drive()
        replies.drive()
        memories.drive()
        await ReadOnly()
        memories.take()
        idle += 1
        if requests.sample():
            idle = 0
        if answer := replies.datagram():
            idle, (got, to) = 0, answer
            bank = bank_of(got, banks)
            assert wanted[bank], f"bank {bank} was not asked: {got.hex()}"
            data, *source, request = wanted[bank].popleft()
            assert got == data, f"bank {bank}: {difference(got, data, request)}"
            assert to == tuple(source)
        left = f"{len(requests.queue)} beats and {[len(one) for one in wanted]} answers are left"
        assert idle < IDLE, f"nothing moves; {left}"
        await FallingEdge(dut.clk)
    for _ in range(200):  # nothing is on its way behind the last answer, but lists
        dut.s_udp_tvalid.value = 0
        memories.drive()
        await ReadOnly()
        memories.take()
        assert not dut.m_udp_tvalid.value
        await FallingEdge(dut.clk)
    assert not dut.failed.value
    dut._log.info(
        "answers of each bank %s, datagrams of odd lengths %s, stalls %s",
        answered,
        dict(lengths),
        (requests.share, replies.share, likely),
    )
    for model in models:
        dut._log.info("bank %d: %s", model.settings.bank, model.counts)


# Bytes that a line brings in a clock: 100 Gbit/s at 250 MHz with 64 bytes a beat, and as much less with shorter beats.
LINE = 50 / 64


class Line:
    """The wide line with memories that take a beat a clock and answer after 40; it takes answers at once."""

    def __init__(self, dut, settings: ServerSettings, rng: random.Random) -> None:
        self.dut, self.width = dut, len(dut.s_udp_tkeep)
        each = [replace(settings, bank=n) for n in range(settings.banks)]
        self.bases = [4096] * settings.banks
        self.memories = Memories(dut, rng, each, self.bases, [1.0] * settings.banks, 40)

    def clocks(self, data: Iterable[bytes]) -> float:
        """What datagrams take on the line, with what stands beside a payload."""
        return sum(len(one) + BESIDE for one in data) / (LINE * self.width)

    async def exchange(
        self, frames: list[bytes], answers: int, paced: bool = True
    ) -> tuple[list[int], list[tuple[int, int, bytes]], int]:
        """Clocks of last beats; each answer with the clocks of its first and last beat; clocks that the line waited.

        paced: datagrams come as the line brings them, else a beat a clock.
        """
        dut, requests, replies = self.dut, Requests(self.dut), Answers(self.dut)
        for data in frames:
            requests.give(data)
        coming, begins = (
            deque(frames),
            True,
        )  # of which no beat was taken; whether the next beat is a first one
        clock, free, stalls, idle, first = 0, 0.0, 0, 0, None
        ins, outs = [], []
        dut.m_udp_tready.value = 1
        while len(outs) < answers or requests.queue:
            requests.share = float(not (paced and begins and clock < free))
            requests.drive()
            self.memories.drive()
            await ReadOnly()
            self.memories.take()
            idle += 1
            if beat := requests.sample():
                idle = 0
                if begins:  # a datagram that had to wait makes the next one wait
                    free = max(free, clock - 1) + self.clocks([coming.popleft()])
                begins = bool(beat["tlast"])
                if begins:
                    ins.append(clock)
            stalls += requests.offering
            if dut.m_udp_tvalid.value and first is None:
                first = clock
            if answer := replies.datagram():
                idle = 0
                outs.append((first, clock, answer[0]))
                first = None
            clock += 1
            assert idle < IDLE, f"nothing moves; {len(requests.queue)} beats and {answers - len(outs)} answers are left"
            await FallingEdge(dut.clk)
        requests.rest()
        return ins, outs, stalls


@cocotb.test()
async def puts_come_at_the_lines_rate_and_a_batch_within_its_clocks(dut):
    settings = chosen(dut, initial=1, instance=7)
    rng, banks = random.Random(cocotb.RANDOM_SEED), settings.banks
    checks = checks_of(bool(dut.KEYED.value), rng)
    line = Line(dut, settings, rng)
    await begin(dut, settings, checks, line.bases)
    record = net.PRIORITY.size + settings.record_bytes
    actors = max(min(settings.clients // 2, 8 * banks) // banks, 1) * banks
    sequences: Counter = Counter()

    def put(client: int, count: int) -> bytes:
        payload = b"".join(
            net.PRIORITY.pack(rng.randrange(1, 1000), 1) + rng.randbytes(record - 8) for _ in range(count)
        )
        frame = Frame(net.PUT, client, 1, sequences[client], settings.instance, count=count, payload=payload)
        sequences[client] += 1
        return net.encode(frame, checks)

    def good(outs: list[tuple[int, int, bytes]]) -> None:
        assert {net.decode(data, checks, settings.part_bytes).status for _, _, data in outs} == {net.OK}

    said = [hello(settings, n, 1, 1, secret_of(checks), source=0) for n in range(2 * actors)]
    asked = [Frame(net.STAT, n, 1, 0, settings.instance) for n in range(banks)]
    greetings = [net.encode(frame, checks) for frame in said + asked]
    # Both clears are over when STAT is answered, and PUTs may come.
    good((await line.exchange(greetings, len(greetings)))[1])
    for _ in range(4 + (2 << settings.leaves_log2) // 16):
        await FallingEdge(dut.clk)
    ins, outs, _ = await line.exchange([net.encode(asked[0], checks)], 1)
    dut._log.info("STAT: first beat %d clocks behind the last one", outs[0][0] - ins[0])

    most = settings.part_bytes // record
    turns = {
        "in turn": lambda n: n % actors,
        "at random": lambda _: rng.randrange(actors),
        "of one client": lambda _: 0,
    }
    for count, frames in ((1, 100 * banks), (most, 20 * banks)):
        for how, client in turns.items():
            here = max(frames // (1 if banks == 1 or how != "of one client" else 2), 1)
            for paced in (True, False):
                data = [put(client(n), count) for n in range(here)]
                ins, outs, stalls = await line.exchange(data, here, paced)
                good(outs)
                wire, took = line.clocks(data), outs[-1][1] + 1
                dut._log.info(
                    "%d PUTs of %d records %s, %s: %d clocks on the line, last beat after %d, last answer after %d: "
                    "%d %% of the line; it waited %d clocks",
                    here, count, how, "paced" if paced else "a beat a clock", wire, ins[-1] + 1, took,
                    100 * wire / took, stalls,
                )  # fmt: skip
                if paced and how == "in turn" and banks * 8 >= line.width:
                    assert stalls == 0, "the line had to wait"
                    assert took <= wire + 2 * len(data[-1]) / 8 + 60

    # One learner, and one of each bank at the same time.
    ours = [n for n in range(actors, 2 * actors)]
    draws = net.DRAWS.pack(1, 2, 3, 4)
    for learners in (ours[:1], ours[:banks]):
        for flags in (0, net.GIVEN_DRAWS, net.WEIGHTED):
            for count in (1, 32, 256):
                if count > settings.sample_max:
                    continue
                payload = net.ASKED.pack(13107, 0, 0) + (draws if flags & net.GIVEN_DRAWS else b"")
                data = []
                for client in learners:
                    frame = Frame(
                        net.SAMPLE, client, 1, sequences[client], settings.instance, flags, count, 0, 0, payload=payload
                    )
                    sequences[client] += 1
                    data.append(net.encode(frame, checks))
                size = net.BATCH.size + count * (net.ENTRY.size + settings.record_bytes)
                parts = net.parts_of(size, settings.part_bytes)
                ins, outs, _ = await line.exchange(data, parts * len(learners))
                good(outs)
                first, whole, last = (x - ins[0] for x in (*outs[0][:2], outs[-1][1]))
                dut._log.info(
                    "%d SAMPLEs of %d, flags %d: first beat %d, first frame %d, last frame %d clocks",
                    len(learners), count, flags, first, whole, last,
                )  # fmt: skip
                assert len(learners) > 1 or first <= LATENCY_LIMIT or (count > 1 and flags == net.WEIGHTED)
    assert not dut.failed.value
