"""Driver of the agent core with its environments. Numbers stay raw; a run is that of AgentModel, bit for bit.

The replay learner inside keeps its own driver, over the lower window of the core's registers.
"""

from rlcores.buses.bus import MemoryBus, Window
from rlcores.cores.agent.model import CONTINUOUS, Schedule
from rlcores.cores.common.driver import CoreDriver, register
from rlcores.cores.env import environments
from rlcores.cores.policy.head import HeadSettings
from rlcores.cores.replay_learner.driver import ReplayLearnerDriver
from rlcores.errors import RunFailed

AGENT = 0x4000  # where the agent's own registers begin
_COUNTERS = {"steps": "STEPS", "blocks": "BLOCKS_DONE", "episodes": "EPISODES", "terminated": "TERMINATED"}


class AgentError(RunFailed):
    """The core is not what was expected, or refused what was asked."""


class AgentDriver(CoreDriver):
    """One agent core behind a bus with a memory, with the calls of AgentModel.

    loop: the driver of the replay learner inside; experiences come from the environments alone. Weights that it loads
    are those that act. schedule, epsilon_first, epsilon_end, epsilon_fall and act_frac may change between runs, and so
    may, where actions are numbers, settings (noise and scale), log_deviation and shift.
    """

    CORE, WHAT, ERROR, REFUSALS = "agent", "agent core", AgentError, ("CONFIG", "BUSY")

    def __init__(self, bus: MemoryBus, base: int = 0) -> None:
        """Find the core and halt it; its weights must be loaded. base: where experiences begin in the memory, bytes.

        Raises AgentError or ReplayLearnerError when another core answers.
        """
        super().__init__(Window(bus, AGENT))
        self.memory_bus = bus
        self.loop = ReplayLearnerDriver(bus, base)
        self.n_envs = self._field("PARAM0", "n_envs")
        with self._shape_of_core():
            self.physics = environments.of_core(self._field("PARAM0", "env"), self.n_envs)
        self.halt()
        self.schedule = Schedule()
        self.epsilon_first = self.epsilon_end = self.epsilon_fall = 0
        self.act_frac: tuple[int, ...] = ()
        self.settings, self.log_deviation, self.shift = HeadSettings() if self.physics.actions else CONTINUOUS, 0, 1
        self._steps = 0
        self.clear_flags()
        self._command("clear_counters")

    time_limit = register("TIME_LIMIT")
    epsilon = register("EPSILON_NOW")

    @property
    def counters(self) -> dict[str, int]:
        """As AgentModel.counters, without `published`; modulo 2^32."""
        return {name: self.read_register(register) for name, register in _COUNTERS.items()}

    @property
    def returned(self) -> int:
        """As AgentModel.returned."""
        return self._joined("RETURNS_LOW", "RETURNS_HIGH", 64)

    def take_returns(self) -> list[int]:
        """As AgentModel.take_returns; at most 64 of a run, those that ended first."""
        returns = []
        while self.status("ended"):
            returns.append(self._joined("ENDED_LOW", "ENDED_HIGH", 64))
            self._command("next")
        return returns

    def halt(self) -> None:
        """Back to idle from wherever the core is: the loop's abort, no episode, and no weights to act with."""
        self.write_register("HALT", 1)
        self.loop.abort()
        self.write_register("HALT", 0)

    def begin(self, state: tuple[int, ...], acting: tuple[int, ...]) -> None:
        """As AgentModel.begin; epsilon is epsilon_first again."""
        for name, words in (("SEED", state), ("ACT_SEED", acting)):
            for place, word in enumerate(words):
                self.write_register(f"{name}{place}", word)
        self.configure()
        self._command("again")

    def configure(self) -> None:
        """Write the settings of a run, as begin() and run() do. log_deviation counts with the next weights."""
        schedule = self.schedule
        for name, value in (
            ("TRAIN_FREQ", schedule.train_freq),
            ("GRADIENT_STEPS", schedule.gradient_steps),
            ("STARTS", schedule.learning_starts),
            ("SCHEDULE", schedule.lag),
            ("ACT_FRAC", sum(frac << 5 * place for place, frac in enumerate(self.act_frac))),
            ("EPSILON", self.epsilon_first),
            ("EPSILON_END", self.epsilon_end),
            ("EPSILON_FALL", self.epsilon_fall),
            ("ACTION", self.settings.noise << 24 | self.shift << 17 | self.settings.scale),
            ("LOG_STD", self.log_deviation & (1 << 27) - 1),
        ):
            if self.read_register(name) != value:
                self.write_register(name, value)

    def run(self, blocks: int) -> None:
        """As AgentModel.run. Raises MemoryFault when the memory answered with an error."""
        self.launch(blocks)
        self.finish()

    def launch(self, blocks: int) -> None:
        """Begin a run, and return at once."""
        self.configure()
        self.write_register("BLOCKS", blocks)
        self._steps = self.schedule.gradient_steps * self.schedule.training_blocks(blocks)
        self._command("start")
        if self._steps:
            self.loop.start(self._steps)

    def finish(self) -> None:
        """Return when the run is over. Raises MemoryFault when the memory answered with an error."""
        if self._steps:
            self.loop.wait()
        idle = self._mask("STATUS", "idle")
        self._until(lambda status: bool(status & idle), moving="STEPS")
        fault = self.loop.fault()
        if fault:
            raise fault
