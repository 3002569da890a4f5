"""What software does with the replay learner: training beside the model, and all that may disturb it."""

from collections import deque
from collections.abc import Iterable

import cocotb
import numpy as np
from cocotb.task import bridge
from cocotb.triggers import ClockCycles
from replay_cases import planes_of
from replay_sequence import ReplaySequence
from replay_uvm import COVERAGE
from uvm_axil import SLVERR, AxilItem
from uvm_axis import AxisItem
from uvm_bench import One, clock_number, reset

from rlcores.cores.replay_learner.driver import LEARNER, TREE, ReplayLearnerDriver
from rlcores.cores.replay_learner.model import MemoryFault, ReplayLearnerError
from rlcores.cores.sumtree.model import COMMIT, INSERT, READ, RESERVE, UPDATE

BEYOND = 0x0800  # from here on to the tree's, and from there on behind the learner's, there is no register
NOWHERE = 0x3000
TD_FRAC_MAX = 20


class Trains(ReplaySequence):
    """Experiences and gradient steps in turns, with every number of batches ahead, somewhere in memory."""

    async def body(self) -> None:
        for ahead in self.depths:
            # With few slots every generation of a slot comes.
            laps = 1 if ahead else (1 << int(self.core["GENERATION_WIDTH"])) + 2
            await self.begin(ahead, capacity=None if ahead else int(self.core["WRITES"]) + self.random.randint(2, 4))
            for _ in range(self.random.randint(2, 3)):
                await self.insert(self.slots * laps // 2 + 2)
                await self.train(self.random.randint(1, 6))
            await self.compare(f"with {self.ahead} batches ahead")
        await self.flags()


class Framing(ReplaySequence):
    """Packets of any length: lost and doubled words cost the records that they are in, and no other."""

    async def body(self) -> None:
        for packets in (0, 1):
            await self.begin()
            real = self.real
            await bridge(real.write)("CONTROL", real._mask("CONTROL", "rx_enable") | packets * 2)
            size, lanes = real.layout.elements, real.layout.lanes
            for turn in range(24):
                words = (await self.rows(self.random.randint(1, 3) if packets else 1)).reshape(-1).tolist()
                at = lanes * self.random.randrange(len(words) // lanes)
                if turn % 3 == 1:
                    del words[at : at + lanes]
                elif turn % 3 == 2:
                    words[at:at] = words[at : at + lanes] * self.random.randint(1, 2 * size // lanes)
                if words:
                    await One(AxisItem(words)).start(self.env.sources["s_axis_exp"].sequencer)
            await bridge(real._until_idle)("rx_busy")
            assert self.predictor.dropped
            await self.flags("FRAME")
            await bridge(real._control)(INSERT)
            await self.train(3)
            await self.compare("after lost and doubled words")


class Faults(ReplaySequence):
    """Errors of the memory: each is told with its address, and costs a record and nothing else."""

    async def body(self) -> None:
        await self.begin()
        await self.insert(self.slots)
        for kind in ("read", "write"):
            bad = {int(i) for i in self.rng.choice(self.slots, 3, replace=False)}
            memory, real = self.env.memory.ram, self.real
            memory.bad = {real.base + i * real.stride + k for i in bad for k in range(real.stride)}
            await (self.unreadable if kind == "read" else self.unwritable)(bad)
            memory.bad, self.predictor.bad = set(), set()
            await self.train(2)
            await self.compare(f"after an error of a {kind}")

    async def unreadable(self, bad: set[int]) -> None:
        fault = await bridge(self.fails)(lambda: self.real.train(1000))
        self.exact.train(fault.batches, unreadable=bad)
        slot = (fault.address - self.real.base) // self.real.stride
        assert slot in bad and fault.address == self.real.base + slot * self.real.stride
        COVERAGE.hit("flag.READ_ERROR")

    async def unwritable(self, bad: set[int]) -> None:
        self.predictor.bad = bad
        next_, rows = self.exact.tree.next, await self.rows(self.slots)
        fault = await bridge(self.fails)(lambda: self.real.insert(rows))
        first = next(slot for slot in [*range(next_, self.slots), *range(next_)] if slot in bad)
        assert fault.address == self.real.base + first * self.real.stride and fault.lost == len(bad)
        COVERAGE.hit("flag.WRITE_ERROR")
        await bridge(self.interrupt)()

    @staticmethod
    def fails(call) -> MemoryFault:
        try:
            call()
        except MemoryFault as fault:
            return fault
        raise AssertionError("an error of the memory was not told")

    def interrupt(self) -> None:
        """The error is pending, though not enabled until now."""
        real, mask = self.real, self.real._mask("IRQ_STATUS", "error")
        assert real.read("IRQ_STATUS") & mask
        real._put("IRQ_ENABLE", mask)
        self.bus.wait_irq()
        COVERAGE.hit("interrupt.error")
        real._put("IRQ_STATUS", mask)
        assert not int(self.dut.irq.value) and not real.read("IRQ_STATUS") & mask
        real._put("IRQ_ENABLE", real._mask("IRQ_ENABLE", "done"))


class Holds(ReplaySequence):
    """Experiences come between batches while those are read, trained and updated; steps wait for nothing but a pin."""

    async def body(self) -> None:
        for ahead in sorted({min(depth, 4) for depth in self.depths}):
            # As many priorities as the learner keeps while no batch is sampled: docs/replay_learner.md.
            await self.begin(ahead, batch=self.random.randint(2, 12 // max(ahead, 2)))
            await self.insert(self.slots)
            self.waiting: deque = deque()
            self.drawn = 0
            await bridge(self.real.start)(0)
            for number in range(4):
                for _ in range(self.random.randint(0, 2)):
                    await self.pins(hold_steps=1)
                    await self.clocks(200)
                    COVERAGE.hit("held.steps")
                    await self.pins(hold_steps=0)
                    await self.clocks(60)
                await self.clocks(self.random.choice((20, 400)))
                await self.pins(hold_sampling=1)
                await self.until(lambda: int(self.dut.settled.value), "the end of a batch")
                self.follow()
                before = self.predictor.events["ev_kept"]
                # Once all that was sampled is overwritten: where batches are ahead, updates come too late.
                count = self.random.randint(1, 6) if number else self.slots
                rows = await self.rows(count)
                await bridge(self.real.give)(rows)
                await self.until(
                    lambda last=before + count: self.predictor.events["ev_kept"] == last, "the last experience"
                )
                COVERAGE.hit("held.sampling")
                await self.pins(hold_sampling=0)
            await bridge(self.real.stop)()
            COVERAGE.hit("stop.at work")
            await bridge(self.real.wait)()
            COVERAGE.hit("interrupt.done")
            self.follow()
            while self.waiting:
                self.exact.train_on(self.waiting.popleft())
            await self.compare(f"with experiences between batches, {ahead} of them ahead")

    def follow(self) -> None:
        """The model samples as many batches as the core has."""
        assert self.predictor.events["ev_batch"] >= self.drawn
        while self.drawn < self.predictor.events["ev_batch"]:
            self.waiting.append(self.exact.drawn())
            self.drawn += 1
            if len(self.waiting) > self.ahead:
                self.exact.train_on(self.waiting.popleft())


class Aborts(ReplaySequence):
    """An abort wherever the loop is: whole steps and whole experiences stay, and the core goes on as the model does."""

    async def body(self) -> None:
        kinds = ("sampling", "writing", "learning", "writing", "idle", "writing", "sampling", "writing")
        await self.begin(int(self.core["AHEAD_MAX"]), batch=5)
        await self.insert(self.slots)
        for turn, kind in enumerate(kinds):
            before = await bridge(lambda: self.real.learner.steps)()
            if kind == "writing":
                rows = await self.rows(self.random.randint(6, 9))
                sending = cocotb.start_soon(
                    One(AxisItem(rows.reshape(-1).tolist())).start(self.env.sources["s_axis_exp"].sequencer)
                )
                await self.clocks(40)
            elif kind != "idle":
                await bridge(self.real.start)(0)
                await self.clocks(30 if kind == "sampling" else 900)
            COVERAGE.hit(f"abort.{kind}")
            await self.abort(again=turn % 3 == 1)
            if kind == "writing":
                await self.rest(sending)
            steps = await bridge(lambda: self.real.learner.steps)()
            self.exact.train(steps - before)
            await bridge(self.adopt)()
            await self.train(2)
            await self.compare(f"after an abort: {kind}")
            await bridge(self.real.clear_flags)()

    async def abort(self, again: bool) -> None:
        """Until the core is idle."""
        real, predictor = self.real, self.predictor
        command = real._map["COMMAND"].address
        for _ in range(1 + again):
            await self.put(command, real._mask("COMMAND", "abort"))
            COVERAGE.hit("abort.again", again)
        await bridge(real._until_idle)("aborting", "busy", "host_busy", "rx_busy")
        raised = await bridge(real.flags)()
        assert not raised - {"BATCH"}, raised
        # Nothing is taken any more, so what the monitor has of a packet is what the core had.
        predictor.cut(self.env.sources["s_axis_exp"].monitor.wires.take())

    async def rest(self, sending) -> None:
        """What is left of the packet comes when the core takes experiences again."""
        await bridge(self.real._control)(INSERT)
        await sending
        await bridge(self.real._until_idle)("rx_busy")

    def adopt(self) -> None:
        """The driver's own end of an abort; what an abort may change is taken over: draws and priorities."""
        real, exact, predictor = self.real, self.exact, self.predictor
        predictor.early["read"].clear()  # of batches that were not trained
        real.abort()
        real.clear_flags()
        assert planes_of(real) == planes_of(exact)
        exact.set_priorities(real.priorities(self.slots))
        exact.tree.model.largest = real.largest
        state = tuple(self.random.getrandbits(32) | 1 for _ in range(4))
        for driver in (real, exact):
            driver.load_draws(state)
            driver.clear_counters()
            driver.learner.clear_counters()
        predictor.begin_again()


class Resets(ReplaySequence):
    """A reset in the middle of anything, shorter than the memory sees or not: the next start knows nothing of it."""

    async def body(self) -> None:
        for kind in ("training", "writing", "idle", "training", "the end"):
            await self.begin()
            await self.insert(self.slots // 2)
            await self.train(2)
            await self.compare(f"before {kind}")
            if kind == "training":
                await bridge(self.real.start)(0)
                await self.clocks(600)
            elif kind == "writing":
                rows = await self.rows(self.random.randint(2, 4))
                cocotb.start_soon(
                    One(AxisItem(rows.reshape(-1).tolist())).start(self.env.sources["s_axis_exp"].sequencer)
                )
                await self.clocks(30)
            COVERAGE.hit(f"reset.{kind}", kind != "the end")


class Host(ReplaySequence):
    """Operations of the host on the tree, and all that it is refused, while the loop rests and while it works."""

    async def body(self) -> None:
        await self.begin(capacity=int(self.core["CAPACITY"]))
        await self.insert(self.slots // 2)
        await bridge(self.operations)()
        await self.compare("after operations of the host")
        for kind in (RESERVE, COMMIT, 5, 7):
            await self.host_refused(kind)
        await self.waits()
        await bridge(self.real.start)(0)
        await self.host_refused(READ)
        for name in ("BATCH", "STEPS", "MIN_SIZE", "AHEAD", "TD_FRAC", "BASE_LOW"):
            await self.refused(name, 0)
        await self.refused("COMMAND", self.real._mask("COMMAND", "restart"))
        await self.refused("COMMAND", self.real._mask("COMMAND", "start"))
        await bridge(self.real.stop)()
        await bridge(self.real.wait)()
        for name, value in (("BATCH", 0), ("BATCH", int(self.core["BATCH_MAX"]) + 1)):
            await self.refused(name, value)
        await self.refused("AHEAD", int(self.core["AHEAD_MAX"]) + 1)
        await self.refused("TD_FRAC", TD_FRAC_MAX + 1)
        await self.refused("COMMAND", self.real._mask("COMMAND", "start", "stop"))
        await self.refused("BASE_LOW", self.real.base + self.real.stride & 0xFFFFFFFF)
        COVERAGE.hit("base.kept")
        await self.crowd()
        batches = (await bridge(self.real.counters)())["batches"]
        self.exact.train(batches)
        await self.compare("after refusals")

    def operations(self) -> None:
        """Each kind, with and without a look at the generation, on slots that there are and that there are not."""
        real, tree = self.real, self.exact.tree
        most = (1 << int(self.core["PRIORITY_WIDTH"])) - 1
        for turn in range(24):
            kind, case = (UPDATE, INSERT, READ)[turn % 3], ("any", "right", "wrong", "beyond")[turn // 3 % 4]
            index = self.random.getrandbits(32) | 1 << 31 if case == "beyond" else self.random.randrange(self.slots)
            value = self.random.choice((self.random.randint(0, most), self.random.getrandbits(32)))
            check = kind == UPDATE and case in ("right", "wrong")
            right = int(tree.operations(READ, index % self.slots)["generation"][0])
            other = right ^ 1 ^ self.random.getrandbits(16) << 16
            generation = right if case == "right" else other
            low = real._map["CONTROL"].by_name["host_kind"].low
            real.write("CONTROL", real._mask("CONTROL", "rx_enable", "packets") | kind << low | check << 8)
            for name, word in (("INDEX", index), ("VALUE", value), ("GENERATION", generation)):
                real._put(f"HOST_{name}", word)
            real._command("host")
            real._until_idle("host_busy")
            (wanted,) = tree.operations(kind, index, value, generation, check=bool(check))
            status = real.read("ANSWER_STATUS")
            assert status == wanted["status"], f"status {status} of {kind} at {index}, not {wanted['status']}"
            COVERAGE.hit(f"host.{('update', 'insert', 'read')[turn % 3]}")
            COVERAGE.hit("host.checked", check)
            COVERAGE.hit(f"host.{('ok', 'stale', 'range', 'kind')[status]}")
            if status == 0:
                answer = (real.read(f"ANSWER_{name}") for name in ("INDEX", "VALUE", "GENERATION"))
                assert tuple(answer) == tuple(int(wanted[name]) for name in ("index", "priority", "generation"))
            self.exact.filled += kind == INSERT and status == 0
        real._control(INSERT)

    async def host_refused(self, kind: int) -> None:
        """FLAGS.HOST, and the tree is asked nothing."""
        await bridge(self._host_refused)(kind)
        COVERAGE.hit("flag.HOST")

    def _host_refused(self, kind: int) -> None:
        try:
            self.real.host(kind)
        except ReplayLearnerError as error:
            assert "(HOST)" in str(error), error
        else:
            raise AssertionError(f"the host did an operation of kind {kind}")
        self.real._control(INSERT)

    async def waits(self) -> None:
        """A start waits for MIN_SIZE experiences, and a stop ends that at once."""
        real = self.real
        await bridge(real.write)("MIN_SIZE", self.exact.filled + 1)
        await bridge(real.start)(1)
        await ClockCycles(self.dut.clk, 50)
        assert await bridge(real.status)("running")
        await bridge(real.stop)()
        await bridge(real.wait)()
        COVERAGE.hit("stop.empty")
        await bridge(real.start)(2)
        await ClockCycles(self.dut.clk, 50)
        assert not (await bridge(real.counters)())["sampled"]
        await self.insert(1)
        await bridge(real.wait)()
        self.exact.train(2)
        await bridge(real.write)("MIN_SIZE", 0)
        await self.compare("after a wait for experiences")
        self.exact.clear_counters()
        self.predictor.begin_again()
        await bridge(real.clear_counters)()

    async def crowd(self) -> None:
        """Accesses of which none waits for the answer to the one before, and some of no register."""
        address = self.real._map["IRQ_STATUS"].address
        for write in (False, True):
            for _ in range(8):
                await One(AxilItem(write, address, posted=True)).start(self.env.axil.sequencer)
        for number in range(16):
            beyond = AxilItem(bool(number % 2), 4 * self.random.randrange(NOWHERE // 4, 1 << 14), 0)
            beyond.address = beyond.address if number < 12 else BEYOND | beyond.address & 0xFFF
            await One(beyond).start(self.env.axil.sequencer)
            assert beyond.response == SLVERR, f"{beyond.address:#x} is a register"
        COVERAGE.hit("axil.slverr")


class Broken(ReplaySequence):
    """Settings that drivers never write: the core says what is wrong, and an abort or a reset ends it."""

    async def body(self) -> None:
        await self.empty()
        await self.crowded()
        for part in ("tree", "learner"):
            await self.unequal(part)

    async def empty(self) -> None:
        """A tree without priorities: its samples are void and train nothing; parts' interrupts come through."""
        await self.begin(batch=4)
        await self.insert(self.slots)
        await bridge(self.real.set_priorities)(np.zeros(self.slots, np.int64))
        self.exact.set_priorities(np.zeros(self.slots, np.int64))
        await self.part_interrupts(True)
        await self.train(3)
        await self.part_interrupts(False)
        await self.flags("EMPTY")
        await self.compare("with an empty tree")

    async def part_interrupts(self, on: bool) -> None:
        """The tree's interrupt of a flag, and the learner's of a step."""
        for part, base, field in (("tree", TREE, "flag"), ("learner", LEARNER, "step")):
            known = getattr(self.real, part)._map
            mask = known["IRQ_STATUS"].by_name[field].mask
            if on:
                await self.put(base + known["IRQ_STATUS"].address, mask)
            else:
                await self.put(base + known["IRQ_ENABLE"].address, mask)
                await ClockCycles(self.dut.clk, 4)
                assert int(self.dut.irq.value), f"no interrupt of the {part}"
                COVERAGE.hit(f"interrupt.{part}")
                await self.put(base + known["IRQ_ENABLE"].address, 0)
                await ClockCycles(self.dut.clk, 4)
                assert not int(self.dut.irq.value)

    async def crowded(self) -> None:
        """More experiences on their way than slots: what is overwritten before its commit is stale, and counted."""
        await self.begin(batch=1)
        self.predictor.free = True
        real = self.real
        await bridge(real.tree.write)("CAPACITY", 1)
        await bridge(real.clear)()
        rows = await self.rows(8 * int(self.core["WRITES"]))
        await bridge(real.insert)(rows)
        counted = await bridge(real.counters)()
        assert counted["stale_commits"] and counted["reserved"] == len(rows)
        assert counted["committed"] + counted["stale_commits"] == counted["reserved"]
        COVERAGE.hit("counted.stale_commits", counted["stale_commits"])

    async def unequal(self, part: str) -> None:
        """A batch of another length in tree or learner."""
        await self.begin(batch=4)
        await self.insert(self.slots)
        self.predictor.free = True
        real = self.real
        if part == "tree":
            await bridge(real.tree.write)("BATCH", 3)
            await bridge(real.tree.restart)()
        else:
            await bridge(real.learner.write_register)("BATCH", 3)
        await bridge(real.start)(3)
        await ClockCycles(self.dut.clk, 1500)
        await bridge(real.abort)()
        raised = await bridge(real.flags)()
        assert raised == {"BATCH"}, raised
        COVERAGE.hit("flag.BATCH")


class Registers(ReplaySequence):
    """What is written is kept, each register by itself; a reset takes it back; BASE is only where records fit."""

    async def body(self) -> None:
        self.predictor.free = True
        await bridge(self.find)()
        limits = {"BATCH": (1, int(self.core["BATCH_MAX"])), "AHEAD": (0, int(self.core["AHEAD_MAX"]))}
        limits["TD_FRAC"] = 0, TD_FRAC_MAX
        names = ("BATCH", "STEPS", "MIN_SIZE", "AHEAD", "TD_FRAC", "HOST_INDEX", "HOST_VALUE", "HOST_GENERATION")
        for number in range(4):
            await reset(self.dut)
            for name in (*names, "BASE_LOW", "BASE_HIGH"):
                await self.check(name, self.known[name].reset, f"after reset {number}")
            kept = {}
            for name in self.random.sample(names, len(names)):
                low, high = limits.get(name, (0, 0xFFFFFFFF))
                kept[name] = self.random.choice((low, self.random.randint(low, high), self.random.randint(low, high)))
                for value in (low + high - kept[name], kept[name]):
                    await self.put(self.known[name].address, value)
            await self.bases()
            for name, value in kept.items():
                await self.check(name, value, f"as written after reset {number}")
        COVERAGE.hit("registers")

    def find(self) -> None:
        self.real = ReplayLearnerDriver(self.bus, 0)
        self.known = self.real._map
        for name in self.known:
            self.real.read(name)

    async def check(self, name: str, wanted: int, what: str) -> None:
        value = await self.get(self.known[name].address)
        self.env.scoreboard.check("register", f"{name} {what}", value, wanted, clock_number())

    async def bases(self) -> None:
        """BASE in its two words: some that fit, the last one, and those from which records would begin again at 0."""
        bits, stride = int(self.core["ADDR_WIDTH"]), self.real.stride
        reach = stride << self.real.tree_shape.leaves_log2
        top = (1 << bits) - reach
        for base in (*self.some(top, stride), top):
            await bridge(self.move)(base)
        low = top & 0xFFFFFFFF
        await self.refused("BASE_LOW", low + stride)
        await self.refused("BASE_LOW", 0xFFFFFFFF & -stride)
        await self.refused("BASE_LOW", low | stride // 2)
        if bits > 32:
            await bridge(self.move)(0)
            await bridge(self.real.write)("BASE_LOW", 0xFFFFFFFF & -stride)
            await self.refused("BASE_HIGH", (1 << bits - 32) - 1)
        if bits < 64:
            await self.refused("BASE_HIGH", 1 << max(bits - 32, 0))
        COVERAGE.hit("base.refused")
        await bridge(self.move)(0)

    def some(self, top: int, stride: int) -> Iterable[int]:
        for _ in range(3):
            base = self.random.randint(0, top)
            yield base - base % stride

    def move(self, base: int) -> None:
        for name, value in (("BASE_LOW", 0), ("BASE_HIGH", base >> 32), ("BASE_LOW", base & 0xFFFFFFFF)):
            self.real.write(name, value)
        assert self.real._joined("BASE_LOW", "BASE_HIGH") == base
