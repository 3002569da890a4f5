"""Training from a prioritised replay buffer on the replay learner core: its integer model, or the core simulated.

`ReplayLearner` takes the place of a replay buffer, its sampler and the optimiser: experiences go in with add(), and
train(n) does n gradient steps, in which the core samples, reads, trains and updates priorities by itself. Networks,
settings and weights are those of rlcores.Learner.

Wrong input is a UserError (a ValueError) with one sentence, raised before anything changes.

Backends: "model" is exact and quick. "rtl" is the Verilated core behind its AXI ports with a simulated DRAM, and gives
the same numbers, bit for bit.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base.arrays import plain
from rlcores.cores.common.draws import Xoshiro128pp, splitmix64, state_of
from rlcores.cores.learner import api as learner
from rlcores.cores.learner.api import Learner
from rlcores.cores.learner.format import DdpgFormats, Formats
from rlcores.cores.learner.layout import planes
from rlcores.cores.learner.records import Records, to_records
from rlcores.cores.learner.shape import STOCHASTIC
from rlcores.cores.replay_learner.driver import ReplayLearnerDriver
from rlcores.cores.replay_learner.model_driver import Driver, MemoryFault, ReplayLearnerModelDriver
from rlcores.cores.replay_learner.records import LARGEST, initial
from rlcores.cores.sumtree import arguments as replay_input
from rlcores.engine import configs
from rlcores.errors import Tally, UserError

BACKENDS = ("model", "rtl")

_MOST_SLOTS = 1 << 24
_LEAST_LEAVES_LOG2 = 4
_PRIORITY_WIDTH = 18
_ONE = 1 << 15  # 1.0 as ufix(16,15)
_FIELDS = ("states", "actions", "rewards", "next_states", "terminated")


class ReplayLearner:
    """A replay buffer that trains: prioritised experience replay with DQN, double DQN or DDPG.

    network, actor, optimiser, rounding, formats, **hyper: as of rlcores.Learner
    backend           "model", "rtl", or a driver
    buffer_size       experiences, 1 to 2**24, any number that is not below the core's WRITES (8); first in, first out
    batch_size        experiences a gradient step, 1 to 4096
    ahead             D: batches that sampling may be ahead of the priority updates; 0 is strict, 1 hides the memory
    alpha, priority_epsilon   the priority of a TD error d is (|d| + priority_epsilon)**alpha, as of
                      rlcores.PrioritizedSampler; adam_epsilon is the optimiser's
    beta              exponent of the importance weights, which are divided by the batch's largest
    stratified        each sample of a batch from its own equal part of the total
    learning_starts   experiences below which train() does nothing (default: batch_size)
    seed              of the draws, 64 bits; its low 32 bits are those of the first weights
    parameters        Verilog parameters of the core, or the name of a configuration (default: small units)

    >>> agent = ReplayLearner((4, 8, 2), buffer_size=1024, batch_size=16, seed=1)
    >>> states = np.zeros((100, 4))
    >>> agent.add(states, np.zeros(100, int), np.ones(100), states, np.ones(100, bool))
    >>> len(agent), agent.train(5), agent.steps
    (100, 5, 5)
    """

    def __init__(
        self,
        network: Any,
        *,
        actor: Any = None,
        backend: str | Driver = "model",
        buffer_size: int = 2**14,
        batch_size: int = 64,
        ahead: int = 1,
        alpha: float = 0.6,
        beta: float = 0.4,
        priority_epsilon: float = 0.01,
        stratified: bool = True,
        learning_starts: int | None = None,
        seed: int = 0,
        optimiser: str = "adam",
        rounding: str = "nearest",
        formats: Formats | DdpgFormats | None = None,
        parameters: Mapping[str, int | str] | str | None = None,
        **hyper: Any,
    ) -> None:
        """Raises UserError when an argument is not allowed, RunFailed when the core does not build."""
        if "epsilon" in hyper:
            raise UserError("epsilon has two meanings: give priority_epsilon, of priorities, or adam_epsilon, of Adam")
        whole, fraction = replay_input.whole, replay_input.fraction
        self._capacity = whole("buffer_size", buffer_size, 1, _MOST_SLOTS)
        self._batch = whole("batch_size", batch_size, 1, 4096)
        self._ahead = whole("ahead", ahead, 0, 15)
        self._starts = whole(
            "learning_starts", self._batch if learning_starts is None else learning_starts, 1, buffer_size
        )
        seed = whole("seed", seed, 0, (1 << 64) - 1)
        self._alpha = round(fraction("alpha", alpha, 0, 1) * _ONE)
        self._beta = round(fraction("beta", beta, 0, 1) * _ONE)
        self._epsilon = replay_input.epsilon("priority_epsilon", priority_epsilon)
        if not isinstance(stratified, bool):
            raise UserError(f"stratified is {stratified!r}; it must be true or false")
        self._stratified = stratified
        learner._hyper({**learner._HYPER, **hyper}, hyper)  # before a core is built
        self.driver = _driver(
            backend, network, actor, optimiser, rounding, self._capacity, self._batch, self._ahead, parameters, hyper
        )
        self._check_driver()
        self._learner = Learner(
            network,
            actor=actor,
            backend=self.driver.learner,
            optimiser=optimiser,
            rounding=rounding,
            formats=formats,
            seed=seed & 0xFFFFFFFF,
            **hyper,
        )
        width = self.driver.tree_shape.priority_width
        scale = max(width - 10, 0)
        self._scale, self._initial = scale * 256, min(1 << scale, (1 << width) - 1)
        self._limited = Tally()
        self._steps = self._since_sync = self._given = self._filled = self._drawn = 0
        self._draws = Xoshiro128pp(state_of(seed))
        self._write_registers()
        self.driver.clear()
        self.driver.load_draws(self._draws.state)

    # --- experiences ---

    def __len__(self) -> int:
        """Experiences held."""
        return self.driver.size

    @property
    def buffer_size(self) -> int:
        """Most experiences held."""
        return self._capacity

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
        priorities (n,): |TD errors|, limited to 2048, by default the largest priority so far. Raises UserError, nothing
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

    def train(self, steps: int) -> int:
        """`steps` gradient steps; returns how many were done: 0 while there are fewer experiences than learning_starts.

        Adam's bias correction is that of the first step of a call. Raises MemoryFault when the memory answers with an
        error: steps begun by then are done, and counted in .steps.
        """
        steps = replay_input.whole("steps", steps, 0, (1 << 32) - 1)
        if not steps or self._filled < self._starts:
            return 0
        with learner._plain():
            self._learner._configure(self._batch)
        try:
            self.driver.train(steps)
        except MemoryFault as fault:
            self._trained(fault.batches)
            raise
        self._trained(steps)
        return steps

    def _trained(self, steps: int) -> None:
        self._steps += steps
        self._drawn += steps * self._batch
        self._since_sync = _since(self._since_sync, self._learner._hyper["target_update_interval"], steps)
        self._learner._updates += steps
        self._learner._dirty = True

    @property
    def steps(self) -> int:
        """Gradient steps so far."""
        return self._steps

    def set(self, *, beta: float | None = None, **hyper: Any) -> None:
        """Change settings between calls, as given to the constructor. Raises UserError, nothing changed."""
        raw = self._beta if beta is None else round(replay_input.fraction("beta", beta, 0, 1) * _ONE)
        if hyper:
            self._learner.set(**hyper)
        if raw != self._beta:
            self.driver.configure(beta=raw)
            self._beta = raw

    @property
    def beta(self) -> float:
        """Exponent of the importance weights, as the core holds it."""
        return self._beta / _ONE

    # --- networks ---

    @property
    def networks(self) -> tuple[str, ...]:
        """Names of the networks, as of Learner."""
        return self._learner.networks

    def state_dict(self, network: str = "network") -> dict[str, Any]:
        """The weights of a network by PyTorch's names; see Learner.state_dict."""
        return self._learner.state_dict(network)

    def load_state_dict(self, state: Mapping[str, Any], network: str = "network", *, target: bool = True) -> None:
        """Set the weights of a network; see Learner.load_state_dict."""
        self._learner.load_state_dict(state, network, target=target)

    def values(self, states: ArrayLike, actions: ArrayLike | None = None) -> np.ndarray:
        """Q of states (B, N_s); see Learner.values."""
        return self._learner.values(states, actions)

    def act(self, states: ArrayLike) -> np.ndarray:
        """The greedy actions of states (B, N_s); see Learner.act."""
        return self._learner.act(states)

    # --- what happened ---

    def counters(self) -> dict[str, int]:
        """The core's counters by name (docs/replay_learner.md), since the start or restore(); clocks only of "rtl"."""
        return self.driver.counters()

    def saturations(self) -> dict[str, int]:
        """How often a number of the learner did not fit; see Learner.saturations."""
        return self._learner.saturations()

    # --- checkpoints ---

    def checkpoint(self) -> dict[str, np.ndarray]:
        """All that restore() needs, as arrays: numpy.savez keeps them.

        With stochastic rounding it seeds the rounding anew, here and in what it gives: no core shows its generators.
        """
        if self._learner.shape.rounding == STOCHASTIC:
            self._seed_rounding(splitmix64(self._learner._seed << 32 | self._steps & 0xFFFFFFFF, 1)[0] & 0xFFFFFFFF)
        self._draws.skip(self._drawn)
        self._drawn = 0
        size = len(self)
        found = self._identity()
        records = self.driver.layout.unpack(self.driver.records(size), np.zeros(size, np.int64))
        found |= {name: getattr(records, name) for name in _FIELDS}
        found["priorities"] = self.driver.priorities(size)
        numbers = {
            "next": self._given % self._capacity,
            "largest": self.driver.largest,
            "filled": self._filled,
            "steps": self._steps,
            "updates": self._learner._updates,
            "since_sync": self._since_sync,
            "seed": self._learner._seed,
            "beta": self._beta,
        }
        found |= {name: np.array(value, np.int64) for name, value in numbers.items()}
        found["draws"] = np.array(self._draws.state, np.int64)
        for name, plane, actor in self._planes():
            found[name] = _flat(self.driver.learner.read(plane, actor))
        for name, value in self._learner._hyper.items():
            found[f"hyper.{name}"] = np.array(np.nan if value is None else value, np.float64)
        return found

    def restore(self, kept: Mapping[str, np.ndarray]) -> None:
        """Go on as the replay learner that gave the checkpoint would: same records, priorities, weights and draws.

        Its settings and beta are taken over. Raises UserError, nothing changed, when it is that of another network,
        buffer_size, batch_size, order or format, or is damaged.
        """
        kept = self._check(kept)
        hyper = {name: float(kept[f"hyper.{name}"]) for name in self._learner._hyper}
        for name, was in self._learner._hyper.items():
            if isinstance(was, bool | int):
                hyper[name] = type(was)(hyper[name])
        hyper["huber"] = None if np.isnan(hyper["huber"]) else hyper["huber"]
        self._learner.set(**hyper)  # raises before anything else has changed
        self._beta = int(kept["beta"])
        seed = int(kept["seed"])
        self.driver.continue_learner(int(kept["since_sync"]), seed)
        self._learner._seed = seed
        self._learner._forget()
        self._learner._updates = int(kept["updates"])
        with learner._plain():
            self._learner._configure(self._batch)
        for name, plane, actor in self._planes():
            shapes = self._learner._shapes(actor)
            self._learner._load(_matrices(kept[name], shapes), plane, actor)
        self._restore_tree(kept)
        self._steps, self._since_sync = int(kept["steps"]), int(kept["since_sync"])
        self._filled = int(kept["filled"])
        self._draws = Xoshiro128pp(kept["draws"].tolist())
        self._drawn = 0
        self.driver.load_draws(self._draws.state)
        self.driver.clear_counters()
        self._learner.clear_saturations()

    def _restore_tree(self, kept: Mapping[str, np.ndarray]) -> None:
        self._write_registers()
        self.driver.configure(initial=int(kept["largest"]))
        self.driver.clear()
        self.driver.configure(initial=self._initial)
        size, following = len(kept["priorities"]), int(kept["next"])
        first = np.full(size, LARGEST)
        rows = self.driver.layout.pack(Records(*(kept[name] for name in _FIELDS), weights=first), first)
        # Slots are taken in turn, so the oldest come first and the newest once more.
        self._given = size + following if size == self._capacity else size
        self.driver.insert(np.concatenate([rows, rows[: self._given - size]]))
        self.driver.set_priorities(kept["priorities"])

    # --- inside ---

    def _check_driver(self) -> None:
        driver = self.driver
        most = {
            "buffer_size": (self._capacity, driver.tree_shape.capacity),
            "batch_size": (self._batch, driver.learner.shape.batch_max),
            "ahead": (self._ahead, driver.ahead_max),
        }
        for name, (given, limit) in most.items():
            if given > limit:
                raise UserError(f"{name} is {given}; this core has at most {limit}")
        if self._capacity < driver.writes:
            raise UserError(
                f"buffer_size is {self._capacity}; this core has up to {driver.writes} experiences on their way, "
                "so it must be that or more"
            )

    def _write_registers(self) -> None:
        self.driver.configure(
            capacity=self._capacity,
            initial=self._initial,
            stratified=self._stratified,
            alpha=self._alpha,
            epsilon=self._epsilon,
            scale=self._scale,
            beta=self._beta,
            batch=self._batch,
            ahead=self._ahead,
            td_frac=self._td_frac,
        )

    @property
    def _td_frac(self) -> int:
        frac = self._learner._value_formats.act_frac[-1]
        if frac > 20:
            raise UserError(f"Q has fraction {frac}; the replay learner takes 20 or less")
        return frac

    def _rows(self, states, actions, rewards, next_states, terminated, priorities) -> np.ndarray:
        """Experiences as the core takes them, uint32 (n, elements). Raises UserError."""
        batch = learner._batch(states, actions, rewards, next_states, terminated, None)
        shape = self._learner.shape
        kind = {"action_size": shape.action_size} if shape.actor else {"actions": shape.value.sizes[-1]}
        with learner._plain():
            records = to_records(batch, self._learner._value_formats.act_frac[0], shape.state_size, **kind)
        if priorities is None:
            first = np.full(len(batch), LARGEST)
        else:
            replay_input.td_errors("priorities", priorities, len(batch))  # refuses what is no TD error
            sizes = np.abs(np.broadcast_to(np.asarray(plain("priorities", priorities), np.float64), len(batch)))
            _, limited = replay_input.td_errors("priorities", sizes)
            self._limited.add("priorities", limited, f"{limited} priorities are 2048 or more and were limited to that")
            first = initial(sizes, self._td_frac)
        return self.driver.layout.pack(records, first)

    def _seed_rounding(self, seed: int) -> None:
        self._learner._seed = seed
        self._learner._forget()
        with learner._plain():
            self._learner._configure(self._batch)

    def _planes(self) -> list[tuple[str, int, bool]]:
        names = ("weights", "target", "moment", "squares")
        networks = list(self._learner._sizes)
        return [
            (f"{network}.{names[plane]}", plane, network == "actor")
            for network in networks
            for plane in planes(self._learner.shape)
        ]

    def _identity(self) -> dict[str, np.ndarray]:
        """What must be the same in the replay learner that goes on."""
        shape, formats = self._learner.shape, self._learner.formats
        ddpg = isinstance(formats, DdpgFormats)
        both = [formats.value, formats.actor] if ddpg else [formats]
        fractions = [f for each in both for f in (*each.act_frac, *each.delta_frac, *each.grad_frac)]
        numbers: dict[str, Any] = {
            "network": self._learner._sizes["network"],
            "actor": self._learner._sizes.get("actor", ()),
            "buffer_size": self._capacity,
            "batch_size": self._batch,
            "ahead": self._ahead,
            "stratified": self._stratified,
            "alpha": self._alpha,
            "epsilon": self._epsilon,
            "scale": self._scale,
            "optimiser": shape.optimiser,
            "rounding": shape.rounding,
            "polyak": shape.polyak,
            "fractions": [*fractions, *(formats.pass_frac if ddpg else ())],
        }
        return {name: np.array(value, np.int64) for name, value in numbers.items()}

    def _check(self, kept: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        own = self._identity()
        numbers = ("next", "largest", "filled", "steps", "updates", "since_sync", "seed", "beta")
        hyper = [f"hyper.{name}" for name in self._learner._hyper]
        for name in (*own, *_FIELDS, "priorities", "draws", *numbers, *hyper):
            if name not in kept:
                raise UserError(f"the checkpoint has no entry '{name}'; it is not one of a replay learner")
        found = {name: np.asarray(kept[name]) for name in kept}
        for name, value in own.items():
            if not np.array_equal(found[name], value):
                raise UserError(
                    f"the checkpoint is that of a replay learner with {name} {_text(found[name])}; "
                    f"this one has {_text(value)}"
                )
        shape = self._learner.shape
        size = len(found["priorities"]) if found["priorities"].ndim == 1 else -1
        shapes = {name: (sum(n * m + n for n, m in self._learner._shapes(a)),) for name, _, a in self._planes()} | {
            "priorities": (size,),
            "states": (size, shape.state_size),
            "next_states": (size, shape.state_size),
            "actions": (size, shape.action_size) if shape.actor else (size,),
            "rewards": (size,),
            "terminated": (size,),
            "draws": (4,),
            **dict.fromkeys((*numbers, *hyper), ()),
        }
        for name, wanted in shapes.items():
            if name not in found or found[name].shape != wanted:
                raise UserError(
                    f"the checkpoint is damaged: '{name}' has shape {found[name].shape if name in found else None}; "
                    f"it must have {wanted}"
                )
        top = (1 << self.driver.tree_shape.priority_width) - 1
        limits = {
            "priorities": (0, top),
            "largest": (0, top),
            "next": (0, self._capacity - 1),
            "beta": (0, _ONE),
            "seed": (0, 2**32 - 1),
            "draws": (0, 2**32 - 1),
            "since_sync": (0, 2**32 - 1),
        }
        for name, (low, high) in limits.items():
            if found[name].size and not low <= found[name].min() <= found[name].max() <= high:
                raise UserError(f"the checkpoint is damaged: '{name}' holds numbers that are not {low} to {high}")
        if size > self._capacity or (size < self._capacity and found["next"] != size):
            raise UserError(f"the checkpoint is damaged: {size} slots are in use, but the next is {int(found['next'])}")
        return found


def _since(since: int, interval: int, steps: int) -> int:
    """Steps since the last target update, `steps` later."""
    if not interval:
        return since + steps
    first = max(interval - since, 1)  # steps up to the next one
    return since + steps if steps < first else (steps - first) % interval


def _flat(matrices) -> np.ndarray:
    return np.concatenate([np.concatenate([w.reshape(-1), b]) for w, b in matrices])


def _matrices(flat: np.ndarray, shapes: list[tuple[int, int]]):
    found, at = [], 0
    for n, m in shapes:
        found.append((flat[at : at + n * m].reshape(n, m), flat[at + n * m : at + n * m + n]))
        at += n * m + n
    return found


def _text(value: np.ndarray) -> str:
    return str(value.tolist()) if value.ndim == 0 else "-".join(map(str, value.reshape(-1).tolist())) or "none"


def small_parameters(
    network: tuple[int, ...], actor: tuple[int, ...] | None = None, *, capacity: int, ahead: int = 1, **of_learner: Any
) -> dict[str, int | str]:
    """Verilog parameters of a core for these networks and `capacity` experiences; others: learner.small_parameters."""
    leaves_log2 = max(_LEAST_LEAVES_LOG2, (capacity - 1).bit_length())
    return learner.small_parameters(network, actor, **of_learner) | {
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
    backend, network, actor, optimiser, rounding, capacity, batch, ahead, parameters, hyper: Mapping[str, Any]
) -> Driver:
    if not isinstance(backend, str):
        return backend
    if backend not in BACKENDS:
        raise UserError(f"backend is '{backend}'; it must be 'model' or 'rtl', or a driver")
    learner.check_names(optimiser, rounding)
    if isinstance(parameters, str):
        parameters = configs.load("replay_learner", parameters)
    if parameters is None:
        sizes = learner.sizes_of(network, actor)
        parameters = small_parameters(
            *sizes.values(),
            capacity=capacity,
            ahead=ahead,
            optimiser=optimiser,
            rounding=rounding,
            batch_max=batch,
            polyak=bool(hyper.get("tau", 0) > 0),
        )
    with learner._plain():
        if backend == "model":
            return ReplayLearnerModelDriver(parameters)
    return ReplayLearnerDriver.verilated(parameters)
