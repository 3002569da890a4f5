"""What the environments of cores share: the test, the ports and what is joined to them; software on AXI registers."""

import random

import cocotb
from pyuvm import ConfigDB, uvm_agent, uvm_component, uvm_env, uvm_sequence, uvm_test
from uvm_axil import SLVERR, AxilAgent, AxilItem
from uvm_axis import AxisSinkAgent, AxisSourceAgent
from uvm_bench import Listener, One, clock_number, seeded, start
from uvm_coverage import Coverage
from uvm_scoreboard import Scoreboard

from rlcores.eda import declared, registers


class Predictor(uvm_component):
    """Follows the wires with the model and tells the scoreboard what must be seen.

    Its method `on_NAME` gets what the monitor of that name publishes.
    """

    def build_phase(self) -> None:
        self.dut = self.cdb_get("DUT")
        self.scoreboard: Scoreboard = self.cdb_get("SCOREBOARD")

    def begin(self) -> None:
        """The core is out of its first reset."""

    @property
    def waiting(self) -> int:
        """What must come and has not."""
        return self.scoreboard.waiting


class CoreEnv(uvm_env):
    """The agents of a core by name, scoreboard, predictor, coverage."""

    coverage: Coverage
    predictor_type: type[Predictor]
    channels: tuple[str, ...] = ()  # of the scoreboard, on each of which something must have been compared

    def build_phase(self) -> None:
        ConfigDB().set(None, "*", "DUT", cocotb.top)
        self.sources: dict[str, uvm_agent] = {}
        self.sinks: dict[str, uvm_agent] = {}
        self.others: dict[str, uvm_component] = {}  # agents and monitors of what is no stream
        self.build_ports()
        self.scoreboard = Scoreboard("scoreboard", self)
        ConfigDB().set(None, "*", "SCOREBOARD", self.scoreboard)
        self.predictor = self.predictor_type("predictor", self)

    def build_ports(self) -> None:
        """Make the agents."""
        raise NotImplementedError

    @property
    def streams(self) -> dict[str, uvm_agent]:
        """Sources and sinks."""
        return self.sources | self.sinks

    def connect_phase(self) -> None:
        for name, one in (self.streams | self.others).items():
            if call := getattr(self.predictor, f"on_{name}", None):
                getattr(one, "monitor", one).ap.connect(Listener(f"on_{name}", self, call))
        unheard = {call for call in dir(self.predictor) if call.startswith("on_")}
        unheard -= {f"on_{name}" for name in self.streams | self.others}
        assert not unheard, f"no monitor has the name for {', '.join(sorted(unheard))} of the predictor"

    def check_phase(self) -> None:
        assert not self.predictor.waiting, f"{self.predictor.waiting} answers never came"
        for name, agent in self.streams.items():
            self.coverage.hit(f"stall.{name}", agent.monitor.stalls)
        self.coverage.write()
        for channel in self.channels:
            assert self.scoreboard.compared[channel], f"{channel}: nothing was compared"
        self.logger.info(f"transcript {self.scoreboard.digest()} at clock {clock_number()}")


class CoreTest(uvm_test):
    """Starts the core and runs one sequence on its environment."""

    environment: type[CoreEnv]
    sequence: type[uvm_sequence]

    def build_phase(self) -> None:
        self.env = self.environment("env", self)

    async def run_phase(self) -> None:
        self.raise_objection()
        await start(cocotb.top)
        self.env.predictor.begin()
        await self.sequence(self.env, seeded(self.sequence.__name__)).start()
        self.drop_objection()


class AxiEnv(CoreEnv):
    """Agents on the registers `s_axil` and on every stream of the core's declaration."""

    core: str

    def build_ports(self) -> None:
        streams = declared.fact(self.core, "instance")["streams"]
        ConfigDB().set(self, "s_axil.*", "PREFIX", "s_axil")
        for name, width in streams.items():
            # A stream of several elements a beat says {how many: their width}.
            (bits,) = width.values() if isinstance(width, dict) else (len(getattr(cocotb.top, f"{name}_tdata")),)
            ConfigDB().set(self, f"{name}.*", "PREFIX", name)
            ConfigDB().set(self, f"{name}.*", "WORD_BITS", bits)
        self.axil = self.others["s_axil"] = AxilAgent("s_axil", self)
        self.sources = {name: AxisSourceAgent(name, self) for name in streams if name.startswith("s_")}
        self.sinks = {name: AxisSinkAgent(name, self) for name in streams if name.startswith("m_")}

    def check_phase(self) -> None:
        for channel, clocks in self.axil.stalls().items():
            self.coverage.hit(f"stall.s_axil.{channel}", clocks)
        super().check_phase()


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

    async def access(self, item: AxilItem) -> AxilItem:
        """An access, to its answer unless it is posted."""
        await One(item).start(self.env.axil.sequencer)
        return item

    async def write(self, name: str, value: int, posted: bool = False) -> None:
        await self.access(AxilItem(True, self.map[name].address, value, posted=posted))

    async def read(self, name: str) -> int:
        return (await self.access(AxilItem(False, self.map[name].address))).data

    async def glance(self, name: str) -> None:
        """Read a register; the next access does not wait for the answer."""
        await self.access(AxilItem(False, self.map[name].address, posted=True))

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
            await self.glance("ID")
        beyond = await self.access(AxilItem(False, max(r.address for r in self.map.values()) + 4))
        assert beyond.response == SLVERR
        self.env.coverage.hit("axil.slverr")

    async def _quiet(self) -> None:
        await self.write("IRQ_STATUS", self.map["IRQ_STATUS"].mask("w1c"))
