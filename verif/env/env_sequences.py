"""Sequences of the environment core: what software and an agent do, and what they should not do."""

import cocotb
from bench_pins import PERIOD_NS
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from env_env import PUSH, PUSHES, fall
from uvm_axis import AxisItem
from uvm_bench import One, first_clock, reset
from uvm_core import CoreSequence

ACTIONS = 60, 120  # of any kind in a run, from and below
PATIENCE = 200  # looks of 50 clocks before the core counts as stuck


class EnvSequence(CoreSequence):
    """Software on the registers, an agent on the streams."""

    @property
    def n_envs(self) -> int:
        """Environments of the core."""
        return self.predictor.n_envs

    async def actions(self, count: int, way=None) -> None:
        """Send actions in packets of any length. way: the action; default: any, also illegal ones."""
        while count:
            size = min(count, self.rng.choice([1, 1, 2, self.n_envs, 3 * self.n_envs, 40]))
            words = [self._action() if way is None else way for _ in range(size)]
            sent = cocotb.start_soon(One(AxisItem(words)).start(self.env.sources["s_axis"].sequencer))
            await with_timeout(sent, PATIENCE * 50 * PERIOD_NS, "ns")
            count -= size

    def _action(self) -> int:
        legal = self.model.physics.actions
        if legal and self.rng.random() < 0.95:
            return self.rng.randrange(legal) | self.rng.getrandbits(14) << 18  # the bits above are nobody's
        return self.rng.getrandbits(len(cocotb.top.s_axis_tdata))

    async def settle(self) -> None:
        """Wait until every answer was taken, also those of the command before."""
        await ClockCycles(cocotb.top.clk, 10)
        for _ in range(PATIENCE):
            if not self.predictor.waiting:
                return
            await ClockCycles(cocotb.top.clk, 50)
        raise AssertionError(f"{self.predictor.waiting} answers never came")

    async def setup(self, time_limit: int, seed: tuple[int, int, int, int]) -> None:
        """Time limit and seed, while the core stands still."""
        await self.write("TIME_LIMIT", time_limit)
        self.model.time_limit = time_limit
        for place, word in enumerate(seed):
            await self.write(f"SEED{place}", word, posted=True)
        self.predictor.seed = seed

    async def clear(self) -> None:
        """Counters and flags from 0 on."""
        await self.forget()
        self.predictor.clear()

    async def counters(self) -> None:
        """All counters are the model's, unless steps were cut off."""
        for name, count in self.model.counters.items():
            if not self.predictor.cut:
                await self.check(name.upper(), count)
        await self.check("DROPPED", self.predictor.dropped)

    def any_seed(self) -> tuple[int, int, int, int]:
        return tuple(self.rng.getrandbits(32) for _ in range(4))


class Play(EnvSequence):
    """Episodes of any limit from any seed, with every counter and flag compared after each run."""

    ROUNDS = 4

    async def body(self) -> None:
        await self.write("IRQ_ENABLE", 1)
        await self.check("ID", 0x52454E56)
        await self.check("VERSION", 1 << 16)
        await self.check("PARAM0", int(cocotb.top.ENV.value) << 24 | self.n_envs)
        for turn in range(self.ROUNDS):
            await self.clear()
            if turn:
                await self.setup(self.rng.choice([1, 3, 9, 500, 0]), self.any_seed())
            await self.actions(self.rng.randrange(1, 5))  # no episode runs
            await self.flags("DROPPED")
            await self.command("start")
            await self.check("STATUS", 1)
            await self.actions(self.rng.randrange(*ACTIONS))
            await self.actions(PUSHES * self.n_envs, way=PUSH)
            await self.settle()
            await self.counters()
            raised = [name.upper() for name in ("illegal", "saturated") if self.model.counters[name]]
            await self.flags(*raised)
            await self.command("abort")
            await self.settle()
            await self.check("STATUS", 0)
            await self.counters()


class Ends(EnvSequence):
    """A step that terminates and truncates at once, episodes of one step, a limit that is never reached."""

    async def body(self) -> None:
        await self.write("IRQ_ENABLE", 1)
        seed = self.any_seed()
        length = fall(self.model, seed) or 5
        for limit in (length, 1, 0, 65535):
            await self.clear()
            await self.setup(limit, seed)
            await self.check("TIME_LIMIT", limit)
            await self.command("start")
            await self.actions((length + 2) * self.n_envs, way=PUSH)
            await self.settle()
            await self.counters()
            await self.flags(*["SATURATED"] * bool(self.model.counters["saturated"]))
            await self.command("abort")
            await self.settle()


class Aborts(EnvSequence):
    """Aborts and starts at any time, into any stall; what stands at the port stays, and the next run is whole."""

    async def body(self) -> None:
        for turn in range(14):
            if not self.model.running:
                await self.setup(self.rng.choice([0, 5, 500]), self.any_seed())
            await self.command("start")
            if turn % 3:
                self.env.sinks["m_axis"].driver.stop()  # answers pile up
            sender = cocotb.start_soon(self.actions(self.rng.randrange(1, 60)))
            await ClockCycles(cocotb.top.clk, self.rng.randrange(1, 80))
            if turn % 3 == 2 and not int(cocotb.top.m_axis_tvalid.value):
                await with_timeout(RisingEdge(cocotb.top.m_axis_tvalid), PATIENCE * 50 * PERIOD_NS, "ns")
                await ClockCycles(cocotb.top.clk, 1)
            await self.command(self.rng.choice(["abort", "abort", "start"]))
            self.env.sinks["m_axis"].driver.go()
            if self.rng.random() < 0.3:
                await self.command("abort")
            await sender
            await self.settle()
            await self.command("abort")
            await self.settle()
            await self.check("STATUS", 0)
        await self.clear()
        await self.command("start")
        await self.actions(5 * self.n_envs)
        await self.settle()
        await self.counters()
        await self.command("start")
        await self.settle()
        await self.command("abort")
        await self.settle()


class Refusals(EnvSequence):
    """What may not be written changes nothing and is flagged."""

    async def body(self) -> None:
        await self.command("abort")  # nothing runs
        await self.write("IRQ_ENABLE", 1)
        await self.setup(7, self.any_seed())
        await self.write("TIME_LIMIT", 65536)
        await self.check("IRQ_STATUS", 1)
        await self.flags("CONFIG")
        await self.check("IRQ_STATUS", 0)
        await self.check("TIME_LIMIT", 7)
        await self._two_at_once()
        await self.command("start")
        await self.write("TIME_LIMIT", 9)
        await self.flags("BUSY")
        await self.check("TIME_LIMIT", 7)
        # The next start's seed may be written while episodes run.
        self.predictor.seed = self.any_seed()
        for place, word in enumerate(self.predictor.seed):
            await self.write(f"SEED{place}", word)
            await self.check(f"SEED{place}", word)
        await self.actions(9 * self.n_envs, way=0)
        await self.settle()
        await self.write("COMMAND", 3)  # an abort beside a start
        await self.check("STATUS", 0)
        await self.crowd()

    async def _two_at_once(self) -> None:
        """An action is dropped in the clock in which a write is refused: two flags, and their interrupt."""
        wait = 10
        for _ in range(200):
            first = [cocotb.start_soon(first_clock(signal)) for signal in (cocotb.top.ev_dropped, cocotb.top.misfit)]
            sender = cocotb.start_soon(self.actions(1))
            await ClockCycles(cocotb.top.clk, wait)
            await self.write("TIME_LIMIT", 65536)
            await sender
            dropped, refused = [await one for one in first]
            await self.flags("DROPPED", "CONFIG")
            if dropped == refused:
                self.env.coverage.hit("two flags at once")
                return
            wait = max(1, wait + dropped - refused)


class Resets(EnvSequence):
    """A reset at any time leaves a core as after the first one."""

    async def body(self) -> None:
        for _ in range(6):
            await self.setup(self.rng.choice([0, 2, 500]), self.any_seed())
            await self.command("start")
            cocotb.start_soon(self.actions(self.rng.randrange(1, 40)))
            await ClockCycles(cocotb.top.clk, self.rng.randrange(1, 60))
            await reset(cocotb.top, self.rng.choice([1, 3]))
            self.predictor.seed = (0x7B1DCDAF, 0xE220A839, 0xA1B965F4, 0x6E789E6A)
            self.model.time_limit = int(cocotb.top.TIME_LIMIT.value)
            await self.check("STATUS", 0)
            await self.check("TIME_LIMIT", self.model.time_limit)
            await self.command("start")
            await ClockCycles(cocotb.top.clk, 60)
            await self.command("abort")
            await self.settle()
