"""Training from a prioritised replay buffer in the replay learner core's integers, or on the simulated core.

`ReplayLearner` takes the place of a replay buffer, its sampler and the optimiser: experiences go in with add(), and
train(n) does n gradient steps, in which the core samples, reads, trains and updates priorities by itself. Networks,
settings and weights are those of rlcores.Learner.

Wrong input is a UserError (a ValueError) with one sentence, raised before anything changes.

Backends: "native" learns in C++, "model" is NumPy, to be read. "rtl" is the Verilated core behind its AXI ports with a
simulated DRAM. All give the same numbers, bit for bit.
"""

import copy
from collections.abc import Callable, Mapping
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base import limits, states
from rlcores.base.arguments import check_backend, check_bool, check_float, check_int
from rlcores.base.arrays import plain
from rlcores.base.attributes import Guarded
from rlcores.base.naming import backend_of
from rlcores.base.states import add_prefix, strip_prefix
from rlcores.base.threads import alone
from rlcores.cores.common.draws import Xoshiro128pp, state_of
from rlcores.cores.learner import parameters as learner_parameters
from rlcores.cores.learner.format import DdpgFormats, LearnerFormats
from rlcores.cores.learner.networks import LearnerOptions, Networks, settings_of
from rlcores.cores.learner.policy import Policy
from rlcores.cores.learner.records import Records
from rlcores.cores.replay_learner.driver import Driver, ReplayLearnerDriver
from rlcores.cores.replay_learner.model import MemoryFault, ReplayLearnerModelDriver
from rlcores.cores.replay_learner.records import DELTA_MAX, LARGEST, initial
from rlcores.cores.sumtree import arguments as replay_input
from rlcores.cores.sumtree.maths import POWER_ONE
from rlcores.cores.sumtree.settings import ReplaySettings
from rlcores.eda import configs
from rlcores.errors import UserError, WarningCounter, user_errors

BACKENDS = ("native", "model", "rtl")

_MOST_AHEAD = 1 << 16  # of the integers; a core has its AHEAD_MAX
_LEAST_LEAVES_LOG2 = 4
_PRIORITY_WIDTH = 18
_FIXED = ("ahead", "stratified", "alpha", "epsilon", "scale")  # registers that a state must agree about
_FIELDS = ("states", "actions", "rewards", "next_states", "terminated")


class ReplayLearner(Guarded):
    """A replay buffer that trains: prioritised experience replay with DQN, double DQN or DDPG.

    network, actor, optimiser, rounding, formats, **hyper: as of rlcores.Learner
    backend           "native", "model", "rtl", or a driver, or what makes one of Verilog parameters; all give the same
                      bits
    buffer_size       experiences, 1 to 2**24, any number that is not below the core's WRITES (8); first in, first out
    batch_size        experiences a gradient step, 1 to 16384
    ahead             D: batches that sampling may be ahead of the priority updates; 0 is strict, 1 hides the memory
    relaxed           False: a call of train() ends with all its updates. True: the last `ahead` batches wait for theirs
                      until later calls, or settle(), so that D counts over the whole run (Zhang 2022, section 4.3.1)
    alpha, priority_epsilon   the priority of a TD error d is (|d| + priority_epsilon)**alpha, as of
                      rlcores.PrioritizedSampler; adam_epsilon is the optimiser's
    beta              exponent of the importance weights, which are divided by the batch's largest
    stratified        each sample of a batch from its own equal part of the total
    learning_starts   experiences below which train() does nothing (default: batch_size)
    seed              of the draws, 64 bits, its low 32 bits those of the first weights; None: from the system's entropy
    config            Verilog parameters of the core, or the name of a configuration (default: small units)

    >>> agent = ReplayLearner((4, 8, 2), buffer_size=1024, batch_size=16, seed=1)
    >>> states = np.zeros((100, 4))
    >>> agent.add(states, np.zeros(100, int), np.ones(100), states, np.ones(100, bool))
    >>> len(agent), agent.train(5), agent.steps
    (100, 5, 5)
    """

    _what = "a replay learner"  # in messages of its state

    def __init__(
        self,
        network: Any,
        *,
        actor: Any = None,
        backend: str | Driver | Callable[[Mapping[str, int | str]], Driver] = "native",
        buffer_size: int = 2**14,
        batch_size: int = 64,
        ahead: int = 1,
        relaxed: bool = False,
        alpha: float = 0.6,
        beta: float = 0.4,
        priority_epsilon: float = 1e-6,
        stratified: bool = True,
        learning_starts: int | None = None,
        seed: int | None = None,
        optimiser: str = "adam",
        rounding: str = "nearest",
        formats: LearnerFormats | DdpgFormats | None = None,
        config: Mapping[str, int | str] | str | None = None,
        **hyper: Unpack[LearnerOptions],
    ) -> None:
        """Raises UserError when an argument is not allowed, RunFailed when the core does not build."""
        if "epsilon" in hyper:
            raise UserError("epsilon has two meanings: give priority_epsilon, of priorities, or adam_epsilon, of Adam")
        settings = ReplaySettings.within(
            {"batch_size": (1, limits.BATCH), "alpha": (0.0, 1.0)},
            buffer_size=buffer_size,
            alpha=alpha,
            beta=beta,
            priority_epsilon=priority_epsilon,
            batch_size=batch_size,
            stratified=stratified,
            seed=seed,
        )
        self._settings = settings
        self._capacity, self._batch, self._stratified = settings.buffer_size, settings.batch_size, settings.stratified
        self._ahead = check_int("ahead", ahead, 0, _MOST_AHEAD)
        self._relaxed = check_bool("relaxed", relaxed)
        self._starts = check_int(
            "learning_starts", self._batch if learning_starts is None else learning_starts, 1, buffer_size
        )
        self._alpha, self._beta = settings.alpha_code, settings.beta_code
        self._epsilon = replay_input.epsilon("priority_epsilon", settings.priority_epsilon)
        settings_of(hyper)  # before a core is built
        self.driver = _driver(
            backend, network, actor, optimiser, rounding, self._capacity, self._batch, self._ahead, config, hyper
        )
        self._check_driver()
        if self._relaxed and not isinstance(self.driver, ReplayLearnerModelDriver):
            raise UserError(
                "relaxed=True is of the backends 'native' and 'model': a replay learner on a core ends each call with "
                "its updates; the agent core keeps them from block to block"
            )
        learner = self.driver.learner
        self._networks = Networks(
            learner, network, actor, formats=formats, seed=settings.first_seed & 0xFFFFFFFF, hyper=hyper
        )
        width = self.driver.tree_shape.priority_width
        scale = max(width - 10, 0)
        self._scale, self._initial = scale * 256, min(1 << scale, (1 << width) - 1)
        self._saturated = WarningCounter()
        self._given = self._filled = self._drawn = 0
        self._draws = Xoshiro128pp(state_of(settings.first_seed))
        self._write_registers()
        self.driver.clear()
        self.driver.load_draws(self._draws.state)

    # --- experiences ---

    def __len__(self) -> int:
        """Experiences held."""
        return int(self.driver.size)

    def __repr__(self) -> str:
        sizes = "-".join(map(str, self._networks.shape.value.sizes))
        held = f"{len(self):,} of {self._capacity:,} experiences"
        return f"{type(self).__name__}({sizes}, {held}, {self.steps:,} steps, {backend_of(self.driver)})"

    @property
    def buffer_size(self) -> int:
        """Most experiences held."""
        return self._capacity

    @property
    def settings(self) -> ReplaySettings:
        """The settings as they are now, frozen; the seed is that of the draws."""
        return self._settings.but(beta=self.beta)

    @alone
    def add(
        self,
        states: ArrayLike,
        actions: ArrayLike,
        rewards: ArrayLike,
        next_states: ArrayLike,
        terminated: ArrayLike,
        priorities: ArrayLike | None = None,
    ) -> None:
        """Keep n experiences; the oldest ones go when there is no room. Returns when all can be sampled.

        states, next_states (n, N_s); actions (n,) whole numbers, DDPG: (n, N_a) in -1 … 1; rewards, terminated (n,);
        priorities (n,): |TD errors|, clipped to 2048, by default the largest priority so far. Raises UserError, nothing
        kept, and MemoryFault when the memory refuses some of them; the others are kept then.
        """
        rows = self._rows(states, actions, rewards, next_states, terminated, priorities)
        before = self.driver.filled
        try:
            self.driver.insert(rows)
        finally:
            self._given += len(rows)
            self._filled += (self.driver.filled - before) % 2**32

    # --- training ---

    @alone
    def train(self, steps: int) -> int:
        """`steps` gradient steps; returns how many were done: 0 while there are fewer experiences than learning_starts.

        Adam's bias correction is that of the first step of a call. Raises MemoryFault when the memory answers with an
        error: steps begun by then are done, and counted in .steps.
        """
        steps = check_int("steps", steps, 0, (1 << 32) - 1)
        if not steps or self._filled < self._starts:
            return 0
        self._prepare()
        try:
            self.driver.train(steps)
        except MemoryFault as fault:
            self._trained(fault.batches)
            raise
        self._trained(steps)
        return steps

    @alone
    def settle(self) -> None:
        """The priority updates of a relaxed loop that wait, in turn; else nothing waits between two calls."""
        if isinstance(self.driver, ReplayLearnerModelDriver) and self._relaxed:
            self.driver.settle()

    def _prepare(self) -> None:
        """Write the settings of the next gradient step, for an agent core that starts it."""
        with user_errors():
            self._networks.configure(self._batch)

    def _record_progress(self, experiences: int, steps: int) -> None:
        """Count what an agent around the core has done since _prepare(): experiences stored, and gradient steps."""
        self._given += experiences
        self._filled += experiences
        self._trained(steps)

    def _trained(self, steps: int) -> None:
        self._drawn += steps * self._batch
        self._networks.advance(steps)

    @property
    def steps(self) -> int:
        """Gradient steps so far."""
        return self._networks.steps

    @alone
    def set(self, *, beta: float | None = None, **hyper: Unpack[LearnerOptions]) -> None:
        """Change settings between calls, as given to the constructor. Raises UserError, nothing changed."""
        raw = self._beta if beta is None else round(check_float("beta", beta, 0, 1) * POWER_ONE)
        if hyper:
            self._networks.set(**hyper)
        if raw != self._beta:
            self.driver.configure(beta=raw)
            self._beta = raw

    @property
    def beta(self) -> float:
        """Exponent of the importance weights, as the core holds it."""
        return self._beta / POWER_ONE

    # --- networks ---

    @property
    def networks(self) -> tuple[str, ...]:
        """Names of the networks, as of Learner."""
        return self._networks.networks

    @alone
    def weights(self, network: str = "network") -> dict[str, Any]:
        """The weights of a network by PyTorch's names; see Learner.weights."""
        return self._networks.weights(network)

    @alone
    def load_weights(self, state: Mapping[str, Any], network: str = "network", *, target: bool = True) -> None:
        """Set the weights of a network; see Learner.load_weights."""
        self._networks.load_weights(state, network, target=target)

    @alone
    def values(self, states: ArrayLike, actions: ArrayLike | None = None) -> np.ndarray:
        """Q of states (B, N_s); see Learner.values."""
        return self._networks.values(states, actions)

    @alone
    def act(self, states: ArrayLike) -> np.ndarray:
        """The greedy actions of states (B, N_s); see Learner.act."""
        return self._networks.act(states)

    def policy(self) -> Policy:
        """The greedy policy of the present weights, to act with elsewhere; see Learner.policy."""
        return self._networks.policy()

    # --- what happened ---

    @alone
    def counters(self) -> dict[str, int]:
        """The core's counters by name (docs/replay_learner.md), since start or load_state_dict(); clocks of "rtl"."""
        return self.driver.counters()

    @alone
    def saturations(self) -> dict[str, int]:
        """How often a number of the learner did not fit; see Learner.saturations."""
        return self._networks.saturations()

    # --- state ---

    @alone
    def state_dict(self) -> dict[str, np.ndarray]:
        """Everything that load_state_dict() needs to resume identically, as arrays: numpy.savez keeps them.

        Experiences, priorities, draws, and what Learner.state_dict gives; stochastic rounding as there.
        """
        self._draws.skip(self._drawn)
        self._drawn = 0
        numbers = {"filled": self._filled, "beta": self._beta, "draws": self._draws.state}
        counts = {name: np.array(value, np.int64) for name, value in numbers.items()}
        return self._identity() | self._networks.state_dict() | self._held() | counts

    def _held(self) -> dict[str, np.ndarray]:
        """Of state_dict(), the experiences."""
        size = len(self)
        records = self.driver.layout.unpack(self.driver.records(size), np.zeros(size, np.int64))
        experiences = {name: getattr(records, name) for name in _FIELDS} | {"priorities": self.driver.priorities(size)}
        if isinstance(self.driver, ReplayLearnerModelDriver) and self._relaxed:
            experiences |= add_prefix("pending", self.driver.save_pending())
        numbers = {"next": self._given % self._capacity, "largest": self.driver.largest}
        return experiences | {name: np.array(value, np.int64) for name, value in numbers.items()}

    @alone
    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on as the replay learner that gave the state would: same records, priorities, weights and draws.

        Its settings and beta are taken over. Raises UserError, nothing changed, when it is that of another network,
        buffer_size, batch_size, order or format, or is damaged.
        """
        checked = self._checked(state)
        self._networks.take(checked, self.driver.continue_from)
        self._beta = int(checked["beta"])
        with user_errors():
            self._networks.configure(self._batch)
        self._write_registers()
        self._restore_held(checked)
        self._filled = int(checked["filled"])
        self._draws = Xoshiro128pp(checked["draws"].tolist())
        self._drawn = 0
        self.driver.load_draws(self._draws.state)
        self.driver.clear_counters()

    def _restore_held(self, kept: Mapping[str, np.ndarray]) -> None:
        self.driver.configure(initial=int(kept["largest"]))
        self.driver.clear()
        self.driver.configure(initial=self._initial)
        size, following = len(kept["priorities"]), int(kept["next"])
        first = np.full(size, LARGEST)
        records = Records(**{name: kept[name] for name in _FIELDS}, weights=first)
        rows = self.driver.layout.pack(records, first)
        # Slots are taken in turn, so the oldest come first and the newest once more.
        self._given = size + following if size == self._capacity else size
        self.driver.insert(np.concatenate([rows, rows[: self._given - size]]))
        self.driver.set_priorities(kept["priorities"])
        if isinstance(self.driver, ReplayLearnerModelDriver) and self._relaxed:
            self.driver.load_pending(strip_prefix(kept, "pending"))

    @alone
    def __getstate__(self) -> dict[str, Any]:
        """For pickle and copy, of the native engine and the model. Raises UserError when it runs on a core."""
        if not isinstance(self.driver, ReplayLearnerModelDriver):
            raise UserError("a replay learner on a core cannot be pickled or copied; state_dict() has all of it")
        return dict(self.__dict__)

    def __copy__(self) -> "ReplayLearner":
        return copy.deepcopy(self)

    # --- inside ---

    def _check_driver(self) -> None:
        driver = self.driver
        most = {
            "buffer_size": (self._capacity, driver.tree_shape.capacity),
            "batch_size": (self._batch, driver.learner.shape.batch_max),
            "ahead": (self._ahead, driver.ahead_max),
        }
        for name, (value, limit) in most.items():
            if value > limit:
                raise UserError(f"{name} is {value}; this core has at most {limit}")
        if self._capacity < driver.writes:
            raise UserError(
                f"buffer_size is {self._capacity}; this core has up to {driver.writes} experiences on their way, "
                "so it must be that or more"
            )

    def _write_registers(self) -> None:
        own = {name: getattr(self, f"_{name}") for name in (*_FIXED, "capacity", "initial", "beta", "batch", "td_frac")}
        self.driver.configure(**own, relaxed=self._relaxed or None)

    @property
    def _td_frac(self) -> int:
        frac = self._networks.value_formats.act_frac[-1]
        if frac > 20:
            raise UserError(f"Q has fraction {frac}; the replay learner takes 20 or less")
        return frac

    def _rows(
        self,
        states: ArrayLike,
        actions: ArrayLike,
        rewards: ArrayLike,
        next_states: ArrayLike,
        terminated: ArrayLike,
        priorities: ArrayLike | None,
    ) -> np.ndarray:
        """Experiences as the core takes them, uint32 (n, elements). Raises UserError."""
        first = None
        if priorities is not None:
            count = len(plain("rewards", rewards))
            replay_input.td_errors("priorities", priorities, count)  # refuses what is no TD error
            sizes = np.abs(np.broadcast_to(np.asarray(plain("priorities", priorities), np.float64), count))
            _, saturated = replay_input.td_codes("priorities", sizes)
            self._saturated.add(
                "priorities", saturated, f"{saturated} priorities are 2048 or more and were clipped to that"
            )
            first = initial(sizes, self._td_frac)
        arrays = states, actions, rewards, next_states, terminated
        networks = self._networks
        return self.driver.layout.rows(*arrays, networks.value_formats.act_frac[0], first, networks.lost)

    def _identity(self) -> dict[str, np.ndarray]:
        """What must be the same in the replay learner that resumes, beside its networks."""
        numbers = {"buffer_size": self._capacity, "batch_size": self._batch}
        numbers |= {name: getattr(self, f"_{name}") for name in (*_FIXED, "relaxed")}
        return {name: np.array(value, np.int64) for name, value in numbers.items()}

    def _checked(self, state: Mapping[str, Any]) -> dict[str, np.ndarray]:
        state = {"relaxed": 0} | dict(self._networks.checked(state, self._what))  # states from before it have none
        shapes, limits = self._expected(state)
        shapes |= {"draws": (4,), "filled": (), "beta": ()}
        limits |= {"beta": (0, POWER_ONE), "filled": (0, 2**63 - 1), "draws": (0, 2**32 - 1)}
        checked = states.checked(state, self._what, self._identity(), shapes, limits)
        self._check_held(checked)
        return checked

    def _expected(self, state: Mapping[str, Any]) -> tuple[dict[str, tuple[int, ...]], dict[str, tuple[int, int]]]:
        """Shapes and limits of what _held() gave."""
        shape, top = self._networks.shape, (1 << self.driver.tree_shape.priority_width) - 1
        size = np.shape(state.get("priorities", ()))[:1] or (-1,)
        shapes = {
            "priorities": size,
            "states": (*size, shape.state_size),
            "next_states": (*size, shape.state_size),
            "actions": (*size, shape.action_size) if shape.actor else size,
            "rewards": size,
            "terminated": size,
            **dict.fromkeys(("next", "largest"), ()),
        }
        limits = {"priorities": (0, top), "largest": (0, top), "next": (0, self._capacity - 1)}
        if self._relaxed:
            waiting = np.shape(state.get("pending.index", ()))[:1] or (-1,)
            shapes |= {f"pending.{name}": waiting for name in ("index", "stale", "errors")}
            shapes["pending.sizes"] = np.shape(state.get("pending.sizes", ()))[:1] or (-1,)
            limits |= {"pending.index": (0, max(0, size[0] - 1)), "pending.stale": (0, 1)}
            limits |= {"pending.errors": (0, DELTA_MAX), "pending.sizes": (0, self._batch)}
        return shapes, limits

    def _check_held(self, state: Mapping[str, np.ndarray]) -> None:
        size, following = len(state["priorities"]), int(state["next"])
        if size > self._capacity or (size < self._capacity and following != size):
            raise UserError(f"the state is damaged: {size} slots are in use, but the next is {following}")
        if self._relaxed:
            sizes, waiting = state["pending.sizes"], len(state["pending.index"])
            if len(sizes) > self._ahead or sizes.sum() != waiting:
                raise UserError(f"the state is damaged: {len(sizes)} batches of {waiting} updates wait")


def small_parameters(
    network: tuple[int, ...], actor: tuple[int, ...] | None = None, *, capacity: int, ahead: int = 1, **of_learner: Any
) -> dict[str, int | str]:
    """Verilog parameters of a core for these networks and `capacity` experiences; others: as of a learner."""
    leaves_log2 = max(_LEAST_LEAVES_LOG2, (capacity - 1).bit_length())
    return learner_parameters.small_parameters(network, actor, **of_learner) | {
        "LEAVES_LOG2": leaves_log2,
        "RADIX_LOG2": 4,
        "CAPACITY": 1 << leaves_log2,
        "PRIORITY_WIDTH": _PRIORITY_WIDTH,
        "DRAW_WIDTH": 32,
        "GENERATION_WIDTH": 8,
        "DATA_WIDTH": 128,
        "ADDR_WIDTH": 34,
        "READS": 16,
        "WRITES": 8,
        "AHEAD_MAX": max(4, ahead),
    }


def _driver(
    backend: str | Driver | Callable[[Mapping[str, int | str]], Driver],
    network: Any,
    actor: Any,
    optimiser: str,
    rounding: str,
    capacity: int,
    batch: int,
    ahead: int,
    config: Mapping[str, int | str] | str | None,
    hyper: Mapping[str, Any],
) -> Driver:
    if not callable(backend):
        check_backend(backend, BACKENDS, "tree_shape", "a driver")
        if not isinstance(backend, str):
            return backend
    learner_parameters.check_names(optimiser, rounding)
    parameters = configs.load("replay_learner", config) if isinstance(config, str) else config
    if parameters is None:
        sizes = learner_parameters.sizes_of(network, actor)
        parameters = small_parameters(
            *sizes.values(),
            capacity=capacity,
            ahead=ahead,
            optimiser=optimiser,
            rounding=rounding,
            batch_max=batch,
            polyak=bool(hyper.get("tau", 0) > 0),
        )
    with user_errors():
        if callable(backend):
            return backend(parameters)
        if backend == "native":
            from rlcores.cores.replay_learner.native import ReplayLearnerNativeDriver

            return ReplayLearnerNativeDriver(parameters)
        if backend == "model":
            return ReplayLearnerModelDriver(parameters)
    return ReplayLearnerDriver.verilated(parameters)
