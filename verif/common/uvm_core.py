"""What the benches of cores behind AXI share: the test, the environment of their ports, software on their registers."""

import random

import cocotb
from pyuvm import ConfigDB, uvm_component, uvm_env, uvm_sequence, uvm_test
from uvm_axil import SLVERR, AxilAgent, AxilItem
from uvm_axis import AxisSinkAgent, AxisSourceAgent
from uvm_bench import One, clock_number, seeded, start
from uvm_coverage import Coverage
from uvm_scoreboard import Scoreboard

from rlcores.eda import declared, registers


class CoreTest(uvm_test):
    """Starts the core and runs one sequence on its environment."""

    environment: type[uvm_env]
    sequence: type[uvm_sequence]

    def build_phase(self) -> None:
        self.env = self.environment("env", self)

    async def run_phase(self) -> None:
        self.raise_objection()
        await start(cocotb.top)
        await self.sequence(self.env, seeded(self.sequence.__name__)).start()
        self.drop_objection()


class AxiEnv(uvm_env):
    """Agents on the registers `s_axil` and on every stream of the core's declaration, scoreboard, predictor, coverage.

    `sources` and `sinks` are the agents of the streams by name. A predictor says by `waiting` what has not come yet.
    """

    core: str
    coverage: Coverage
    predictor_type: type[uvm_component]

    def build_phase(self) -> None:
        ConfigDB().set(None, "*", "DUT", cocotb.top)
        streams = declared.fact(self.core, "instance")["streams"]
        widths = {name: len(getattr(cocotb.top, f"{name}_tdata")) for name in streams}
        for name, bits in {"s_axil": 32, **widths}.items():
            ConfigDB().set(self, f"{name}.*", "PREFIX", name)
            ConfigDB().set(self, f"{name}.*", "WORD_BITS", bits)
        self.axil = AxilAgent("s_axil", self)
        self.sources = {name: AxisSourceAgent(name, self) for name in streams if name.startswith("s_")}
        self.sinks = {name: AxisSinkAgent(name, self) for name in streams if name.startswith("m_")}
        self.scoreboard = Scoreboard("scoreboard", self)
        ConfigDB().set(None, "*", "SCOREBOARD", self.scoreboard)
        self.predictor = self.predictor_type("predictor", self)

    def check_phase(self) -> None:
        assert not self.predictor.waiting, f"{self.predictor.waiting} answers never came"
        for channel, clocks in self.axil.stalls().items():
            self.coverage.hit(f"stall.s_axil.{channel}", clocks)
        for name, agent in (self.sources | self.sinks).items():
            if agent.monitor.wires is not None:
                self.coverage.hit(f"stall.{name}", agent.monitor.wires.standing.stalls)
        self.coverage.write()
        self.logger.info(f"transcript {self.scoreboard.digest()} at clock {clock_number()}")


class CoreSequence(uvm_sequence):
    """Software on the registers of an AxiEnv's core; `map` has them by name."""

    def __init__(self, env: AxiEnv, rng: random.Random) -> None:
        super().__init__(type(self).__name__)
        self.env, self.rng = env, rng
        self.map = registers.load(declared.fact(env.core, "instance").get("interrupt", env.core))
        self.predictor = env.predictor

    @property
    def model(self):
        """The model as it stands."""
        return self.predictor.model

    async def write(self, name: str, value: int, posted: bool = False) -> None:
        await One(AxilItem(True, self.map[name].address, value, posted=posted)).start(self.env.axil.sequencer)

    async def read(self, name: str) -> int:
        item = AxilItem(False, self.map[name].address)
        await One(item).start(self.env.axil.sequencer)
        return item.data

    async def check(self, name: str, expected: int, what: str = "") -> None:
        value = await self.read(name)
        self.env.scoreboard.check("s_axil", what or name, value, expected, clock_number())

    async def flags(self, *names: str) -> None:
        """These flags and no others are raised, with their interrupt; forget them."""
        fields = self.map["FLAGS"].by_name
        word = sum(fields[name].mask for name in names)
        await self.check("FLAGS", word, f"flags {names}")
        assert not names or int(cocotb.top.irq.value), "a flag without its interrupt"
        self.env.coverage.hit("irq", bool(names))
        for name in names:
            self.env.coverage.hit(f"flag.{name}")
        await self.write("FLAGS", word)
        await self._quiet()
        assert not int(cocotb.top.irq.value)

    async def command(self, name: str) -> None:
        await self.write("COMMAND", self.map["COMMAND"].by_name[name].mask)

    async def forget(self) -> None:
        """Counters and flags from 0 on, those of the model not."""
        await self.command("clear_counters")
        await self.write("FLAGS", self.map["FLAGS"].mask("w1c"))
        await self._quiet()

    async def crowd(self) -> None:
        """Reads of which none waits for the answer to the one before, and one beyond the last register."""
        for _ in range(4):
            await One(AxilItem(False, self.map["ID"].address, posted=True)).start(self.env.axil.sequencer)
        beyond = AxilItem(False, max(r.address for r in self.map.values()) + 4)
        await One(beyond).start(self.env.axil.sequencer)
        assert beyond.response == SLVERR
        self.env.coverage.hit("axil.slverr")

    async def _quiet(self) -> None:
        await self.write("IRQ_STATUS", self.map["IRQ_STATUS"].mask("w1c"))
