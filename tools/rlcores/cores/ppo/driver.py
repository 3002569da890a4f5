"""Driver of the PPO core behind its AXI wrapper, with its environments inside or on the host. Numbers stay raw."""

from collections.abc import Mapping

import numpy as np

from rlcores.buses.bus import StreamsBus, Window
from rlcores.cores.common.driver import CoreDriver, register, simulated
from rlcores.cores.env import beats
from rlcores.cores.env.driver import EnvDriver
from rlcores.cores.env.physics import REWARD_FRACTION
from rlcores.cores.learner.driver import network_of
from rlcores.cores.learner.layout import MOMENT, SQUARES, WEIGHTS, WeightLayout, flatten
from rlcores.cores.learner.model_driver import check_range
from rlcores.cores.ppo.model import COUNTERS, Environments, Ppo, Rollout
from rlcores.cores.ppo.registers import planes, registers, rollout_words
from rlcores.cores.ppo.settings import PpoFormats, PpoSettings
from rlcores.cores.ppo.shape import PpoShape
from rlcores.cores.ppo.words import NETWORKS
from rlcores.errors import RunFailed, UserError

ENV = 0x1000  # where the registers of the environments begin in rlc_ppo_env
KEPT = 128  # episodes whose returns the core keeps
PLANES = {"weights": WEIGHTS, "moment": MOMENT, "squares": SQUARES}
_NETWORKS = "actor", "critic"


class PpoError(RunFailed):
    """The core is not what was expected, or refused a register's value."""


class _Inside(EnvDriver):
    """Environments whose streams lead to PPO."""

    def abort(self) -> None:
        self._command("abort")
        self._until_idle("stale")


class PpoDriver(CoreDriver):
    """One PPO core behind a bus.

    shape: what it was built for; its epochs and minibatches say nothing. environments: the driver of those inside, None
    for rlc_ppo_axi.

    >>> core = PpoDriver.verilated("tiny")  # doctest: +SKIP
    >>> core.adopt(learner)                 # doctest: +SKIP
    >>> core.begin(seed=1)                  # doctest: +SKIP
    >>> core.run(10)[:, 0].mean()           # doctest: +SKIP
    21.4
    """

    CORE, WHAT, ERROR, REFUSALS = "ppo", "PPO core", PpoError, ("CONFIG", "BUSY", "FORMAT", "HOST")

    def __init__(self, bus: StreamsBus, inside: bool = True) -> None:
        """Find the core and end what it does; its weights stay. inside: it is rlc_ppo_env.

        Raises PpoError when another core answers.
        """
        super().__init__(bus)
        with self._shape_of_core():
            critic, actor = (
                network_of(self, f"SHAPE{number}_", self._field("PARAM0", f"layers{number}"))
                for number in range(len(NETWORKS))
            )
        if actor is None or critic is None:
            raise PpoError("the PPO core says that a network of it has no layers")
        columns, envs = self._field("PARAM0", "dp"), self._field("PARAM1", "n_envs")
        gaussian, record_bits = bool(self._field("PARAM0", "gaussian")), self._field("PARAM0", "record_bits")
        steps, ways = self._field("PARAM2", "steps"), {"gaussian": gaussian, "record_bits": record_bits}
        self.shape = PpoShape(actor, critic, columns, envs, steps, **ways)
        self._logs = actor.sizes[-1] if gaussian else 0
        self.batch_max = self._field("PARAM1", "batch_max")
        self._layouts = {name: WeightLayout(net) for name, net in self.shape.networks.items()}
        self._seed: int | None = None
        self._before = 0  # episodes that had ended when the last run began
        self.abort()
        self.environments = _Inside(Window(bus, ENV)) if inside else None
        self.write_register("IRQ_ENABLE", self._mask("IRQ_ENABLE", "done"))
        self.clear_flags()

    @classmethod
    def verilated(
        cls, parameters: str | Mapping[str, int | str], *, inside: bool = True, limit: int = 500_000_000
    ) -> "PpoDriver":
        """The RTL with these Verilog parameters, or of a configuration: of rlc_ppo_env, or of rlc_ppo_axi.

        limit: see VerilatedBus.
        """
        return cls(simulated("ppo_env" if inside else "ppo", parameters, limit=limit), inside)

    # --- settings and weights ---

    def configure(self, formats: PpoFormats, settings: PpoSettings) -> None:
        """Set all registers. Raises UserError for settings that the core was not built for, PpoError while it runs."""
        self._idle("the settings stay")
        shape = self.shape
        for what, number, built in (
            ("environments", settings.envs, shape.environments),
            ("layers of the actor", formats.actor.layers, shape.actor.layers),
            ("layers of the critic", formats.critic.layers if formats.critic else 0, shape.critic.layers),
            ("bits of a record's codes", settings.record_bits, shape.record_bits),
        ):
            if number != built:
                raise UserError(f"the settings are of {number} {what}; the core was built for {built}")
        for what, number, most in (
            ("steps of a rollout", settings.steps, shape.steps),
            ("samples of a minibatch", settings.batch, self.batch_max),
        ):
            if number > most:
                raise UserError(f"the settings have {number} {what}; the core was built for at most {most}")
        for name, value in registers(formats, settings, shape.columns).items():
            self.write_register(name, value)
        if not self.status("formats_fit"):
            raise UserError("the fractions of the layers do not fit together: two stages need an impossible shift")

    def adopt(self, learner: Ppo) -> None:
        """Settings, weights and moments of a learner; Adam's correction of bias restarts.

        Raises UserError when the core was not built for it, PpoError while it runs.
        """
        if learner.shared:
            raise UserError("the core has an actor and a critic of their own, no shared trunk")
        if learner.gaussian != self.shape.gaussian:
            has = "a Gaussian" if self.shape.gaussian else "a discrete"
            raise UserError(f"the core was built with {has} policy; the learner has another kind")
        for name in _NETWORKS:
            sizes, built = getattr(learner, name).sizes, self.shape.networks[name].sizes
            if sizes != built:
                raise UserError(f"the {name} has sizes {list(sizes)}; the core was built for {list(built)}")
        self.configure(learner.formats, learner.settings)
        for name, plane, words in planes(learner, self._layouts):
            self._load(name, plane, words)
        self._command("fresh")

    def show(self, learner: Ppo) -> None:
        """Copy weights, moments and counters into a learner of the same networks; its generators stay as they are."""
        for name in _NETWORKS:
            for number, plane in enumerate(PLANES.values()):
                words = self._read(name, plane)
                getattr(learner, name).set_matrices(self._layouts[name].from_stream(words[: self._beats(name)]), plane)
                if name == "actor" and self._logs:
                    learner.logs[number] = words[-self._logs :]
        learner.counters[:] = self.counters()
        learner.iterations = self.iterations
        learner.updates = learner.iterations * learner.settings.epochs * learner.settings.minibatches

    def state_dict(self) -> dict[str, np.ndarray]:
        """Weights and moments, int64: "actor.weights", "critic.squares" .. as flat vectors, W row by row then b.

        A Gaussian policy's log-deviations and their moments stand behind the actor's. Raises PpoError while it runs.
        """
        state = {}
        for network in _NETWORKS:
            for name, plane in PLANES.items():
                words = self._read(network, plane)
                flat = flatten(self._layouts[network].from_stream(words[: self._beats(network)]))
                state[f"{network}.{name}"] = np.concatenate([flat, words[len(words) - self._more(network) :]])
        return state

    def load_state_dict(self, state: Mapping[str, np.ndarray]) -> None:
        """Set what state_dict() gave; Adam's correction of bias restarts.

        Raises UserError: a name is missing, a shape or a number does not fit; PpoError while the core runs.
        """
        names = [f"{network}.{name}" for network in _NETWORKS for name in PLANES]
        if wrong := sorted(set(names) ^ set(state)):
            raise UserError(f"a state of the core has {', '.join(names)}; '{wrong[0]}' is too much or missing")
        words_of_plane = {}
        for place in names:
            network, name = place.split(".")
            layout, more, flat = self._layouts[network], self._more(network), np.asarray(state[place], np.int64)
            if flat.shape != (layout.count + more,):
                raise UserError(f"{place} has shape {flat.shape}; the core's is ({layout.count + more},)")
            parts = [layout.to_stream(layout.matrices(flat[: layout.count])), np.zeros(more, np.int64)]
            words_of_plane[network, PLANES[name]] = np.concatenate([*parts, flat[layout.count :]])
        for (network, plane), words in words_of_plane.items():
            self._load(network, plane, words)
        self._command("fresh")

    def _more(self, network: str) -> int:
        """Log-deviations behind a network's plane; as many zeros are between them."""
        return self._logs if network == "actor" else 0

    def _beats(self, network: str) -> int:
        return self._layouts[network].beats

    def _load(self, network: str, plane: int, words: np.ndarray) -> None:
        check_range(self.shape.learner(self.shape.networks[network]), plane, words)
        self._host("load", network, plane, "the weights were not loaded")
        self.bus.transfer({"s_axis_load": words.view(np.uint64).reshape(-1, 1)}, {})
        self._until_idle("host")

    def _read(self, network: str, plane: int) -> np.ndarray:
        self._host("read", network, plane, "the weights were not read")
        count = self._beats(network) + 2 * self._more(network)
        taken = self.bus.transfer({}, {"m_axis_read": count})["m_axis_read"]
        self._until_idle("host")
        return taken[:, 0].view(np.int64)

    def _host(self, command: str, network: str, plane: int, otherwise: str) -> None:
        self._idle(otherwise)
        self.write_register("HOST", plane | NETWORKS.index(network) << 2)
        self._command(command)

    def _idle(self, otherwise: str) -> None:
        if self.running:
            raise PpoError(f"the PPO core is running: {otherwise}")

    # --- runs ---

    @property
    def running(self) -> bool:
        """Whether a run goes on."""
        return bool(self.status("running"))

    iterations = register("ITERATION", "Done since begin().")

    def begin(self, seed: int = 0) -> None:
        """Let the next run() be a new one: generators and episodes restart. seed: of environments inside."""
        self._seed = seed

    def start(self, iterations: int = 0) -> None:
        """Begin a run of this many iterations (0: until halt()) in the environments inside, and return at once.

        Raises PpoError when there is no run that could go on.
        """
        self._command_run(iterations)
        if self._seed is not None and self.environments is not None:
            self.environments.begin(self._seed)
        self._seed = None

    def halt(self) -> None:
        """End the run behind the present iteration."""
        self._command("halt")

    def wait(self) -> None:
        """Return when the run is over."""
        self.bus.wait_irq()
        self._forget_irq()

    def abort(self) -> None:
        """Back to idle from wherever it is; the next run must be a new one."""
        self._put("COMMAND", self._mask("COMMAND", "abort"))
        self._until_idle("aborting", "running", "host")
        self._take_left("read", "act")
        self._forget_irq()

    def run(self, iterations: int = 1, environments: Environments | None = None) -> np.ndarray:
        """Run this many iterations; returns the episodes that ended in them, as ended() has them.

        environments: those outside, which answer all at once, as HostEnvs does; the settings have lockstep then. Raises
        PpoError, and UserError when there are no environments or lockstep is 0.
        """
        if self.environments is not None:
            self.start(iterations)
        elif environments is None:
            raise UserError("the core has no environments inside; run() takes some")
        elif not self.read_register("LOCKSTEP"):
            raise UserError("environments outside answer all at once; the learner that is adopted must have lockstep=1")
        else:
            new, seed, self._seed = self._seed is not None, self._seed, None
            self._command_run(iterations, new)
            self._play(environments, iterations, seed)
        self.wait()
        return self.ended()

    def train(self, rollout: Rollout) -> None:
        """An iteration on a rollout that was played elsewhere with the core's weights, as Ppo.collect() gives it.

        All rollouts of a run are played elsewhere, or none; begin() makes a new one. Raises UserError for a rollout of
        another shape, and PpoError.

        >>> core.begin()                                             # doctest: +SKIP
        >>> rollout, seen = learner.collect(environments, seen)      # doctest: +SKIP
        >>> core.train(rollout)                                      # doctest: +SKIP
        >>> core.show(learner)                                       # doctest: +SKIP
        """
        shape = self.read_register("STEPS"), self.shape.environments, self.shape.actor.sizes[0]
        if rollout.observations.shape != shape:
            raise UserError(f"the rollout has observations {rollout.observations.shape}; the core takes {shape}")
        new, self._seed = self._seed is not None, None
        self._command_run(1, new, elsewhere=True)
        words = rollout_words(rollout, self.read_register("GAMMA"), cut=self.shape.record_bits > 0)
        places = range(beats.axis_words(shape[-1]))
        packed = np.array([[word >> 64 * place & 2**64 - 1 for place in places] for word in words], np.uint64)
        self.bus.transfer({"s_axis_env": packed}, {})
        self.wait()

    def _command_run(self, iterations: int, new: bool | None = None, elsewhere: bool = False) -> None:
        new = self._seed is not None if new is None else new
        if not new and not self.status("resumes"):
            raise PpoError("there is no run that could go on; begin() makes a new one")
        if new:
            self.write_register("EXTERNAL_ROLLOUT", int(elsewhere))
        elif self.read_register("EXTERNAL_ROLLOUT") != elsewhere:
            raise PpoError("this run began with rollouts of another kind; begin() makes a new one")
        self._before = 0 if new else self.read_register("EPISODES")
        self.write_register("TODO", iterations)
        self._forget_irq()
        self._command("start" if new else "resume")

    def _play(self, environments: Environments, iterations: int, seed: int | None) -> None:
        count = self.shape.environments
        sent = {} if seed is None else {"s_axis_env": beats.pack(environments.start(seed))}
        for _ in range(iterations * self.read_register("STEPS")):
            taken = self.bus.transfer(sent, {"m_axis_act": count})["m_axis_act"]
            actions = taken[:, 0].astype(np.int64)
            if self._logs:
                actions = beats.unpack_actions(taken, self._logs)
                actions = actions[:, 0] if self._logs == 1 else actions
            sent = {"s_axis_env": beats.pack(environments.step(actions))}
        self.bus.transfer(sent, {})

    # --- what happened ---

    clocks = register("CLOCKS", "Clocks of runs, modulo 2^32.")

    def ended(self) -> np.ndarray:
        """Returns and lengths of the episodes that ended in the last run, float64 (E, 2), in their order.

        Of more than 128 the first ones are NaN. Only while no run goes on.
        """
        count = (self.read_register("EPISODES") - self._before) % 2**32
        episodes = np.full((count, 2), np.nan)
        for back in range(min(count, KEPT)):
            self._put("EPISODE", back)
            word = self._joined("EPISODE_LOW", "EPISODE_HIGH", 48)
            episodes[count - 1 - back] = word * 2.0**-REWARD_FRACTION, self.read_register("EPISODE_LENGTH")
        return episodes

    def returns(self) -> tuple[int, float]:
        """Episodes that ended since begin(), and the sum of their returns, as of the last iteration's end."""
        word = self._joined("RETURNS_LOW", "RETURNS_HIGH", 64)
        return self.read_register("EPISODES"), word * 2.0**-REWARD_FRACTION

    def counters(self) -> np.ndarray:
        """Saturations as Ppo.counters, int64 (41,); those of sums count words, not numbers."""
        first = self._map["SAT_NONE"].address
        return np.array([self.bus.read(first + 4 * stage) for stage in range(COUNTERS)], np.int64)

    def clear_counters(self) -> None:
        """Set counters and clocks to 0."""
        self._command("clear_counters")
