"""The AXI wrapper at its pins: every beat that is taken goes to the model in that order, every answer is compared.

Sources, sinks and the register master are those of cocotbext-axi, with random pauses. What was taken when is read from
the wires at the rising edge, so the order of the two request streams is known exactly.
"""

import random
from collections import Counter, deque

import cocotb
import numpy as np
from bench_handshake import Standing
from bench_hits import report
from bench_pins import start_clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import (
    AxiLiteBus,
    AxiLiteMaster,
    AxiStreamBus,
    AxiStreamFrame,
    AxiStreamSink,
    AxiStreamSource,
)
from foreign_bus import pauses, slow, watch

from rlcores.cores.sumtree import maths as sumtree_maths
from rlcores.cores.sumtree.driver import pack_operations, pack_requests, unpack_operations, unpack_samples
from rlcores.cores.sumtree.model import CLEAR, COMMIT, INSERT, OK, READ, RESERVE, UPDATE, SumTreeShape
from rlcores.cores.sumtree.model_driver import SumTreeModelDriver
from rlcores.cores.sumtree.words import ASK, DONE, DRAWN, OP
from rlcores.eda import registers

MAP = registers.load("sumtree")
STREAMS = ("s_axis_op", "s_axis_sample", "m_axis_op", "m_axis_sample")


def beats_of(number: int, bits: int) -> np.ndarray:
    """One beat as the driver's arrays have it, uint64 (1, words)."""
    return np.frombuffer(number.to_bytes(bits // 8, "little"), np.uint64).reshape(1, -1)


class Bench:
    """The model beside the core."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self.hits: Counter[str] = Counter()
        self.op_answers: deque = deque()  # (answer, TLAST)
        self.sample_answers: deque = deque()
        self.batch_answers: list = []  # of the batch that is not complete
        self.weights = self.quiet = False
        self.batch, self.beta = 1, 0
        self.standing = {name: Standing(name) for name in STREAMS}
        self.aborting = self.drawing = False
        self.abort_clocks = 0

    async def start(self) -> None:
        dut = self.dut
        start_clock(dut.clk)
        dut.rst.value = 1
        dut.abort_in.value = dut.locked.value = 0
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
        self.ops, self.requests = (
            AxiStreamSource(AxiStreamBus.from_prefix(dut, name), dut.clk, dut.rst) for name in STREAMS[:2]
        )
        self.op_sink, self.sample_sink = (
            AxiStreamSink(AxiStreamBus.from_prefix(dut, name), dut.clk, dut.rst) for name in STREAMS[2:]
        )
        slow(self.master, 0.3)
        await ClockCycles(dut.clk, 3)
        dut.rst.value = 0
        parameters = {}
        for name in ("PARAM0", "PARAM1", "PARAM2"):
            word = await self.read(name)
            parameters |= {f.name: (word & f.mask) >> f.low for f in MAP[name].fields}
        fields = SumTreeShape.__dataclass_fields__
        shape = SumTreeShape(**{name: value for name, value in parameters.items() if name in fields})
        self.maths = bool(parameters["priority_maths"])
        self.model = SumTreeModelDriver(shape, parameters["batch_max"])
        while await self.read("STATUS"):
            pass
        cocotb.start_soon(self.watch())
        cocotb.start_soon(watch(dut, self.hits, "s_axil"))

    async def read(self, name: str) -> int:
        return int(await self.master.read_dword(MAP[name].address))

    async def write(self, name: str, value: int) -> None:
        await self.master.write_dword(MAP[name].address, value)

    def taken(self, name: str) -> tuple[int, int] | None:
        """The beat (data, TLAST) that is handed over at this edge; one that waits must not change."""

        def pin(field: str) -> int:
            return int(getattr(self.dut, f"{name}_t{field}").value)

        valid = pin("valid")
        beat = (pin("data"), pin("last")) if valid else None
        taken = self.standing[name].look(valid, pin("ready"), beat)
        if valid:
            self.hits[f"{name} {'taken' if taken else 'stalled'}"] += 1
        return beat if taken else None

    async def watch(self) -> None:
        while True:
            await RisingEdge(self.dut.clk)
            if int(self.dut.rst.value):
                for standing in self.standing.values():
                    standing.forget()
                continue
            aborting = bool(int(self.dut.aborting.value))
            if aborting and not self.aborting:
                self.begin_abort()
            if self.aborting and not aborting:
                self.end_abort()
            self.aborting = aborting
            self.abort_clocks += aborting
            beat, request = self.taken("s_axis_op"), self.taken("s_axis_sample")
            self.hits["both in one clock"] += beat is not None and request is not None
            if beat:
                self.operation(*beat)
            if request:
                self.request(request[0])
            answer = self.taken("m_axis_op")
            if answer:
                expected, last = self.op_answers.popleft()
                observed = unpack_operations(beats_of(answer[0], 128))[0]
                assert (observed, answer[1]) == (expected, last), f"operation: {observed} instead of {expected}"
                assert DONE.unpack(answer[0])["rest"] == 0
            answer = self.taken("m_axis_sample")
            if answer and not self.drawing:
                expected, last = self.sample_answers.popleft()
                observed = unpack_samples(beats_of(answer[0], 256))[0]
                assert (observed, answer[1]) == (expected, last), f"sample: {observed} instead of {expected}"
                assert DRAWN.unpack(answer[0])["rest"] == 0

    def operation(self, beat: int, last: int) -> None:
        fields = OP.unpack(beat)
        index, priority, generation, kind = (np.array([fields[n]]) for n in ("index", "priority", "generation", "kind"))
        check, use_max, td = (np.array([bool(fields[name])]) for name in ("check", "max", "td"))
        answer = self.model.operations(kind, index, priority, generation, check, use_max, td)[0]
        self.hits[f"kind {kind[0]} status {answer['status']}"] += 1
        dropped = self.quiet and not last and answer["status"] == OK and answer["kind"] in (UPDATE, COMMIT)
        self.hits["dropped"] += bool(dropped)
        if not dropped:
            self.op_answers.append((answer, last))

    def request(self, beat: int) -> None:
        asked = ASK.unpack(beat)
        answer = self.model.samples(np.array([asked["kind"]]), np.array([asked["value"]], np.uint64))
        self.hits[f"sample {asked['kind']} status {answer[0]['status']}"] += 1
        self.batch_answers.append(answer)
        whole = len(self.batch_answers) == self.batch
        if self.weights and whole:
            batch = np.concatenate(self.batch_answers)
            batch["weight"] = sumtree_maths.weights(batch["status"], batch["priority"], batch["total"], self.beta)
            self.sample_answers += [(one, int(i + 1 == self.batch)) for i, one in enumerate(batch)]
        elif not self.weights:
            self.sample_answers.append((answer[0], int(whole)))
        if whole:
            self.batch_answers = []

    def begin_abort(self) -> None:
        """Nothing more is taken, and half a batch is one of its own."""
        self.abort_clocks = 0
        self.hits["abort of half a batch"] += bool(self.batch_answers)
        if self.batch_answers and self.weights:
            batch = np.concatenate(self.batch_answers)
            batch["weight"] = sumtree_maths.weights(batch["status"], batch["priority"], batch["total"], self.beta)
            self.sample_answers += [(one, int(i + 1 == len(batch))) for i, one in enumerate(batch)]
        self.batch_answers = []
        self.model.restart()

    def end_abort(self) -> None:
        """What stands at the ports stays, and is what came first; the rest is dropped."""
        dut = self.dut
        for name, answers, room in (
            ("op", self.op_answers, dut.slice_ready),
            ("sample", self.sample_answers, dut.leave_ready),
        ):
            stands = int(getattr(dut, f"m_axis_{name}_tvalid").value)
            left = stands + (stands and not int(room.value))
            self.hits[f"answers left at m_axis_{name}"] += left
            self.hits[f"answers of m_axis_{name} dropped"] += len(answers) > left
            if not self.drawing:
                while len(answers) > left:
                    answers.pop()

    async def abort(self, by_pin: bool) -> None:
        """Until the core is idle."""
        if by_pin:
            self.dut.abort_in.value = 1
            await RisingEdge(self.dut.clk)
            self.dut.abort_in.value = 0
            await ClockCycles(self.dut.clk, 2)
        else:
            await self.write("COMMAND", MAP["COMMAND"].by_name["abort"].mask)
        for _ in range(400):
            status = await self.read("STATUS")
            if not status & MAP["STATUS"].by_name["aborting"].mask:
                break
        else:
            raise AssertionError("an abort did not end")
        # An idle tree too lets half a batch go: four clocks until the restart has reached it.
        assert 4 <= self.abort_clocks < 700 + 4 * self.model.batch_max, self.abort_clocks

    async def drain(self, requests: int) -> None:
        """Until everything that was sent was taken and answered; requests fill up the last batch."""
        for _ in range(-requests % self.batch):
            await self.requests.send(AxiStreamFrame(bytes(8)))
        for _ in range(20_000):
            await RisingEdge(self.dut.clk)
            idle = self.ops.empty() and self.requests.empty() and self.ops.idle() and self.requests.idle()
            if idle and not self.op_answers and not self.sample_answers:
                await ClockCycles(self.dut.clk, 60)
                break
        assert not self.op_answers and not self.sample_answers and not self.batch_answers, "answers are missing"

    def report(self) -> None:
        report(self.hits)


def random_operations(bench: Bench, count: int) -> np.ndarray:
    shape = bench.model.shape
    kinds = random.choices([UPDATE, INSERT, RESERVE, COMMIT, READ, CLEAR, 6, 7], [30, 30, 10, 10, 16, 1, 1, 1], k=count)

    def field(bits: int) -> np.ndarray:
        wide = [random.getrandbits(bits) | (random.random() < 0.06) << random.randrange(bits, 32) for _ in range(count)]
        return np.array(wide)

    flags = (np.array([random.random() < p for _ in range(count)]) for p in (0.3, 0.1, 0.3 * bench.maths))
    return pack_operations(
        np.array(kinds),
        field(shape.leaves_log2),
        field(shape.priority_width),
        field(max(shape.generation_width, 1)),
        *flags,
    )


def random_requests(bench: Bench, count: int) -> np.ndarray:
    bits = bench.model.shape.total_width
    values = [random.getrandbits(bits) | (random.random() < 0.06) << random.randrange(bits, 62) for _ in range(count)]
    return pack_requests(np.array([random.randrange(4) for _ in range(count)]), np.array(values, np.uint64))


async def send(source: AxiStreamSource, beats: np.ndarray) -> None:
    """Packets of random lengths."""
    first = 0
    while first < len(beats):
        last = first + random.randint(1, 12)
        await source.send(AxiStreamFrame(beats[first:last].tobytes()))
        first = last


@cocotb.test()
async def answers_are_those_of_the_model_in_the_order_of_the_pins(dut):
    bench = Bench(dut)
    await bench.start()
    for turn in range(8):
        bench.batch = random.randint(1, bench.model.batch_max)
        bench.quiet, bench.weights = random.random() < 0.5, bench.maths and turn % 2 == 1
        settings = {"batch": bench.batch, "stratified": random.random() < 0.5}
        bench.beta = 20_000
        if bench.maths:
            settings |= {"alpha": random.randint(0, 32768), "epsilon": 1 << 18, "scale": random.randint(-1000, 1500)}
            await bench.write("BETA", bench.beta)
            for name in ("alpha", "epsilon", "scale"):
                await bench.write(name.upper(), settings[name] & ((1 << MAP[name.upper()].mask("rw").bit_length()) - 1))
        await bench.write("BATCH", bench.batch)
        await bench.write("CONTROL", bench.quiet | settings["stratified"] << 1 | bench.weights << 2)
        await bench.write("COMMAND", MAP["COMMAND"].by_name["restart"].mask)
        bench.model.configure(**settings)
        bench.model.restart()
        streams = (bench.ops, bench.requests, bench.op_sink, bench.sample_sink)
        for stream in streams:
            stream.set_pause_generator(pauses(random.choice([0.0, 0.3, 0.8])))
        count = 120
        await send(bench.ops, random_operations(bench, count))
        await send(bench.requests, random_requests(bench, count))
        await bench.drain(count)
        assert await bench.read("STATUS") == 0
        assert await bench.read("TOTAL_LO") + (await bench.read("TOTAL_HI") << 32) == bench.model.total
        assert await bench.read("SIZE") == bench.model.size
        for name, value in bench.model.counters().items():
            assert await bench.read(name.upper()) == value, name
        fields = MAP["FLAGS"].by_name
        assert await bench.read("FLAGS") == sum(fields[name].mask for name in bench.model.flags())
    bench.report()


@cocotb.test()
async def a_reset_at_any_time_forgets_everything_on_its_way(dut):
    bench = Bench(dut)
    await bench.start()
    sinks = (bench.op_sink, bench.sample_sink)
    for turn in range(6):
        stuck = turn % 2 == 0
        for stream in (bench.ops, bench.requests, *sinks):
            stream.set_pause_generator(pauses(2.0 if stuck and stream in sinks else random.choice([0.0, 0.3, 0.8])))
        await send(bench.ops, random_operations(bench, 60))
        await send(bench.requests, random_requests(bench, 60))
        await ClockCycles(dut.clk, 150 if stuck else random.randint(1, 150))
        if stuck:
            assert await bench.read("STATUS") != 0
        # With registers on their way, too; one clock is enough.
        accesses = [
            cocotb.start_soon(bench.master.read(MAP["STATUS"].address, 4)),
            cocotb.start_soon(bench.master.write(MAP["BATCH"].address, bytes((2, 0, 0, 0)))),
        ]
        await ClockCycles(dut.clk, random.randint(1, 8))
        bench.ops.clear()
        bench.requests.clear()
        bench.hits["operations lost in a reset"] += len(bench.op_answers)
        bench.hits["samples lost in a reset"] += len(bench.sample_answers)
        dut.rst.value = 1
        await RisingEdge(dut.clk)
        dut.rst.value = 0
        bench.hits["accesses lost in a reset"] += sum([await access is None for access in accesses])
        bench.op_answers.clear()
        bench.sample_answers.clear()
        bench.batch_answers = []
        bench.model = SumTreeModelDriver(bench.model.shape, bench.model.batch_max)
        await ClockCycles(dut.clk, 200)
        assert await bench.read("STATUS") == 0 and await bench.read("LARGEST") == 1
        assert await bench.read("TOTAL_LO") == 0 and await bench.read("BATCH") == MAP["BATCH"].reset
        for sink in sinks:
            sink.set_pause_generator(pauses(0.2))
        await send(bench.ops, random_operations(bench, 30))
        await send(bench.requests, random_requests(bench, 30))
        await bench.drain(30)
        assert await bench.read("TOTAL_LO") + (await bench.read("TOTAL_HI") << 32) == bench.model.total
    bench.report()


@cocotb.test()
async def an_abort_at_any_time_leaves_an_idle_tree_with_all_that_it_took_carried_out(dut):
    bench = Bench(dut)
    await bench.start()
    streams = (bench.ops, bench.requests, bench.op_sink, bench.sample_sink)
    stale = MAP["STATUS"].by_name["stale_op"].mask | MAP["STATUS"].by_name["stale_sample"].mask
    for turn in range(14):
        bench.batch = random.randint(2, bench.model.batch_max)
        bench.weights = bench.maths and turn % 2 == 1
        bench.beta = 20_000
        if bench.maths:
            await bench.write("BETA", bench.beta)
        await bench.write("BATCH", bench.batch)
        await bench.write("CONTROL", bench.weights << 2)
        await bench.write("COMMAND", MAP["COMMAND"].by_name["restart"].mask)
        bench.model.configure(batch=bench.batch)
        bench.model.restart()
        stuck = turn % 3 == 0
        for stream in streams:
            stream.set_pause_generator(pauses(random.choice([0.0, 0.3, 0.8])))
        for sink in (bench.op_sink, bench.sample_sink):
            if stuck:
                sink.set_pause_generator(pauses(2.0))
        if turn != 5:
            await send(bench.ops, random_operations(bench, 80))
            await send(bench.requests, random_requests(bench, 80))
        await ClockCycles(dut.clk, random.randint(1, 250))
        bench.hits["abort of a tree that cannot go on"] += stuck
        bench.hits["abort of an idle tree"] += turn == 5
        await bench.abort(by_pin=turn % 4 == 1)
        for stream in streams:
            stream.set_pause_generator(pauses(0.2))
        # What was not taken before goes in now, and everything is answered again, exactly.
        await send(bench.ops, random_operations(bench, 20))
        for _ in range(20_000):
            await RisingEdge(dut.clk)
            if all(source.empty() and source.idle() for source in (bench.ops, bench.requests)):
                break
        await ClockCycles(dut.clk, 40)
        await bench.drain(len(bench.batch_answers))
        assert await bench.read("STATUS") & ~stale == 0
        assert await bench.read("TOTAL_LO") + (await bench.read("TOTAL_HI") << 32) == bench.model.total
        assert await bench.read("SIZE") == bench.model.size
        for name, value in bench.model.counters().items():
            assert await bench.read(name.upper()) == value, name
    # A DRAW, too, with nobody who takes the answers.
    bench.drawing = True
    bench.sample_sink.set_pause_generator(pauses(2.0))
    await bench.write("DRAW", 1_000_000)
    await ClockCycles(dut.clk, random.randint(1, 300))
    await bench.abort(by_pin=False)
    assert await bench.read("DRAW") == 0
    bench.sample_sink.set_pause_generator(pauses(0.2))
    while await bench.read("STATUS"):
        pass
    bench.hits["abort of a draw"] += 1
    bench.report()


@cocotb.test()
async def what_belongs_to_a_core_around_it_is_refused_and_flagged(dut):
    bench = Bench(dut)
    await bench.start()
    busy = MAP["FLAGS"].by_name["BUSY"].mask
    command = MAP["COMMAND"].by_name
    names = ["CONTROL", "BATCH", "SEED3", *(["ALPHA", "EPSILON", "SCALE", "BETA"] if bench.maths else [])]
    for locked, refused in (
        (1, [*((name, 1) for name in names), ("COMMAND", command["restart"].mask), ("COMMAND", command["abort"].mask)]),
        (2, [("COMMAND", command["clear"].mask)]),
        (4, [("DRAW", 1)]),
    ):
        dut.locked.value = 7 & ~locked
        for name, value in refused:
            if name in ("BATCH", "ALPHA", "EPSILON", "SCALE", "BETA"):
                await bench.write(name, value)
                assert not await bench.read("FLAGS") & busy, name
        for name, value in refused:
            before = await bench.read(name)
            dut.locked.value = locked
            await bench.write(name, value ^ 1 if name in names else value)
            dut.locked.value = 0
            assert await bench.read("FLAGS") & busy and await bench.read(name) == before, name
            await bench.write("FLAGS", busy)
    assert await bench.read("STATUS") == 0
