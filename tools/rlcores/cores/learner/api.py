"""Training of small networks on the learner core: its integer model, or the core itself simulated bit for bit.

`Learner.step` does what PyTorch's forward, loss, backward and optimiser step do, for DQN, double DQN and DDPG, in
fixed-point numbers. Weights come and go with the names and shapes of an nn.Sequential of Linear and ReLU (the actor's
with Tanh at its end); PyTorch itself is not needed.

Arrays may be lists, NumPy arrays, or tensors on any device. Wrong input is a UserError (a ValueError) with one
sentence, raised before anything changes. Numbers that the core limits in a step are counted, and said by a CoreWarning.

Backends: "model" is exact and quick. "rtl" is the Verilated core behind its AXI ports, with the same answers; it is
built once for each set of sizes, optimiser and rounding.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base.arrays import plain
from rlcores.cores.learner import layout as learner_layout
from rlcores.cores.learner import registers as learner_registers
from rlcores.cores.learner import state as learner_state
from rlcores.cores.learner.driver import LearnerDriver
from rlcores.cores.learner.float64 import FloatNetwork
from rlcores.cores.learner.format import POLYAK_FRAC, Batch, DdpgFormats, Formats, Settings
from rlcores.cores.learner.layout import MOMENT, TARGET, WEIGHTS
from rlcores.cores.learner.model import OPTIMISERS, ROUNDINGS
from rlcores.cores.learner.model_driver import Driver, LearnerModelDriver
from rlcores.cores.learner.records import to_records
from rlcores.cores.learner.shape import ADAM, Shape, ceil_div
from rlcores.engine import configs, registers
from rlcores.errors import Tally, UserError

BACKENDS = ("model", "rtl")

# What set() changes; the settings of FloatSettings, and their meaning.
_HYPER = {
    "gamma": 0.99,
    "reward_scale": 1.0,
    "huber": 1.0,
    "double": False,
    "lag": True,
    "target_update_interval": 100,
    "tau": 0.0,
    "learning_rate": 1e-3,
    "actor_learning_rate": 1e-4,
    "momentum": 0.9,
    "adam_epsilon": 1e-8,
}


class Learner:
    """One learner: a Q network, or with `actor` DDPG's critic and actor.

    network        sizes such as (4, 64, 64, 2), or an nn.Sequential, whose weights are taken over. DDPG: the critic's,
                   state and action in, one value out
    actor          DDPG: sizes (state … action), or an nn.Sequential that ends with Tanh; actions are in -1 … 1
    backend        "model", "rtl", or a driver
    optimiser      "adam", "momentum" or "sgd"; `rounding` of its updates: "nearest", "floor" or "stochastic"
    batch_max      longest batch, 1 to 4096; a step takes any batch up to it
    formats        fractions of every tensor (default: Formats.default); rlcores.cores.learner.calibrate finds them
    parameters     Verilog parameters of the core, or the name of a configuration of configs.yaml (default: small units)
    seed           of the first weights, PyTorch's uniform ones (DDPG: last layers within 0.003, Lillicrap et al. 2016),
                   and of stochastic rounding
    others         as in learner_float.FloatSettings: rates are those of the batch's mean, huber None is the squared
                   error, tau 0 copies the weights to the target network every target_update_interval
                   steps; set() changes them

    Before the first step target networks are copies of the networks, and moments are 0.

    >>> learner = Learner((4, 8, 2), learning_rate=1e-3, seed=1)
    >>> states = np.zeros((16, 4))
    >>> td = learner.step(states, np.zeros(16, int), np.ones(16), states, np.ones(16, bool))
    >>> td.shape, learner.steps, sorted(learner.state_dict())
    ((16,), 1, ['0.bias', '0.weight', '2.bias', '2.weight'])
    """

    def __init__(
        self,
        network: Any,
        *,
        actor: Any = None,
        backend: str | Driver = "model",
        optimiser: str = "adam",
        rounding: str = "nearest",
        batch_max: int = 256,
        formats: Formats | DdpgFormats | None = None,
        parameters: Mapping[str, int | str] | str | None = None,
        seed: int = 0,
        **hyper: Any,
    ) -> None:
        """Raises UserError when an argument is not allowed, RunFailed when the core does not build."""
        self._sizes = sizes_of(network, actor)
        self._hyper = _hyper({**_HYPER, **hyper}, hyper)
        if not 0 <= seed < 2**32:
            raise UserError(f"seed is {seed}; it must be 0 to {2**32 - 1}")
        self._seed = seed
        self.driver = _driver(backend, self._sizes, optimiser, rounding, batch_max, self._hyper["tau"] > 0, parameters)
        self.shape = self.driver.shape
        self._check_shape()
        self.formats = formats or self._default_formats()
        if isinstance(self.formats, DdpgFormats) != (self.shape.actor is not None):
            kind = "DdpgFormats" if self.shape.actor else "Formats"
            raise UserError(f"formats is of type {type(self.formats).__name__}; these networks need {kind}")
        self._mirror = self.driver if isinstance(self.driver, LearnerModelDriver) else LearnerModelDriver(self.shape)
        self._updates = 0
        self._tally, self._limited = Tally(), 0
        with _plain():
            self._configure(min(64, self.shape.batch_max))
        self._start(network, actor)

    # --- networks ---

    @property
    def networks(self) -> tuple[str, ...]:
        """Names of the networks: 'network' and 'target', with an actor also 'actor' and 'actor_target'."""
        return ("network", "target", "actor", "actor_target")[: 2 * len(self._sizes)]

    def state_dict(self, network: str = "network") -> dict[str, Any]:
        """The weights of a network by PyTorch's names; float64, exact. Tensors where the program has imported torch."""
        actor, plane = self._named(network)
        matrices = self.driver.read(plane, actor)
        if not actor:
            matrices[0] = matrices[0][0][:, self._columns], matrices[0][1]
        return learner_state.to_state(matrices, self._frac(plane))

    def load_state_dict(self, state: Mapping[str, Any], network: str = "network", *, target: bool = True) -> None:
        """Set the weights of a network; tensors or arrays. target: those of its target network too.

        The optimiser's moments stay; reset_optimiser() clears them. Raises UserError, weights unchanged: names or
        shapes that are not the network's, NaN, numbers outside of sfix(27,22).
        """
        actor, plane = self._named(network)
        self._load(self._codes(state, network, plane), plane, actor)
        if plane == WEIGHTS and target:
            self._load(self._codes(state, network, TARGET), TARGET, actor)

    def reset_optimiser(self) -> None:
        """Set all moments to 0, and begin Adam's bias correction anew."""
        for actor in range(len(self._sizes)):
            for plane in learner_layout.planes(self.shape)[MOMENT:]:
                zeros = [(np.zeros(s, np.int64), np.zeros(s[0], np.int64)) for s in self._shapes(bool(actor))]
                self.driver.load(zeros, plane, bool(actor))
        self._updates = 0

    # --- training ---

    def step(
        self,
        states: ArrayLike | Batch,
        actions: ArrayLike | None = None,
        rewards: ArrayLike | None = None,
        next_states: ArrayLike | None = None,
        terminated: ArrayLike | None = None,
        weights: ArrayLike | None = None,
    ) -> np.ndarray:
        """One gradient step on B transitions, given as arrays or as one Batch; returns |TD error|, float64 (B,).

        states, next_states (B, N_s); actions (B,) whole numbers, DDPG: (B, N_a) in -1 … 1; rewards, terminated (B,);
        weights (B,) importance weights 0 … 1 (default: all 1). Raises UserError, weights unchanged.
        """
        given = (states, actions, rewards, next_states, terminated, weights)
        batch = _batch(*((getattr(states, f.name) for f in fields(Batch)) if isinstance(states, Batch) else given))
        count = len(batch)
        if not 1 <= count <= self.shape.batch_max:
            raise UserError(f"the batch has {count} transitions; this learner takes 1 to {self.shape.batch_max}")
        value = self._value_formats
        sizes = {"action_size": self.shape.action_size} if self.shape.actor else {"actions": self.shape.value.sizes[-1]}
        with _plain():
            records = to_records(batch, value.act_frac[0], self.shape.state_size, **sizes)
            self._configure(count)
        priorities = self.driver.step(records)
        self._updates += 1
        self._dirty = True
        self._count_limited()
        return priorities * 2.0 ** -value.act_frac[-1]

    def values(self, states: ArrayLike, actions: ArrayLike | None = None) -> np.ndarray:
        """Q(s), (B, actions), of states (B, N_s); DDPG: Q(s, a), (B, 1). As the core's forward pass has them.

        One state (N_s,), with one action (N_a,), gives one row without B.
        """
        model = self._fresh()
        with _plain():
            known, one = self._matrix(states, self.shape.state_size, "states")
            if self.shape.actor is None:
                found = model.q(known)
            elif actions is None:
                raise UserError("a critic values states with actions; give actions too")
            else:
                given, _ = self._matrix(actions, self.shape.action_size, "actions")
                if len(given) != len(known):
                    raise UserError(f"there are {len(given)} actions for {len(known)} states")
                found = model.q(known, given)
        return found[0] if one else found

    def act(self, states: ArrayLike) -> np.ndarray:
        """The greedy actions of states (B, N_s): int64 (B,), DDPG: float64 (B, N_a) in -1 … 1; of (N_s,) one action."""
        if self.shape.actor is None:
            return self.values(states).argmax(-1)
        with _plain():
            known, one = self._matrix(states, self.shape.state_size, "states")
            found = self._fresh().act(known)
        return found[0] if one else found

    def set(self, **hyper: Any) -> None:
        """Change settings between steps, as given to the constructor. Raises UserError, nothing changed."""
        before = self._hyper
        self._hyper = _hyper({**before, **hyper}, hyper)
        try:
            with _plain():
                self._configure(min(64, self.shape.batch_max))
        except UserError:
            self._hyper = before
            self._forget()
            raise

    @property
    def steps(self) -> int:
        """Gradient steps so far."""
        return self.driver.steps

    def saturations(self) -> dict[str, int]:
        """How often a number did not fit, by the name of the stage's counter (docs/learner_registers.md), if ever."""
        first = registers.load("learner")["SAT_IN"].address
        names = {(r.address - first) // 4: n for n, r in registers.load("learner").items() if r.address >= first}
        return {names[stage]: int(n) for stage, n in enumerate(self.driver.counters()) if n}

    def clear_saturations(self) -> None:
        """Count from 0 again."""
        self.driver.clear_counters()
        self._tally, self._limited = Tally(), 0

    # --- inside ---

    def __getstate__(self) -> dict[str, Any]:
        """For pickle and copy, of the integer model."""
        if self._mirror is not self.driver:
            raise UserError("a learner on a core cannot be pickled or copied; state_dict() has its weights")
        return dict(self.__dict__)

    def _count_limited(self) -> None:
        """Warn when numbers of the step did not fit."""
        found = self.saturations()
        now = sum(found.values())
        stages = ", ".join(f"{n} {name}" for name, n in found.items())
        self._tally.add("limited", max(now - self._limited, 0), f"numbers of the learner did not fit: {stages}")
        self._limited = now

    def _check_shape(self) -> None:
        value = np.array(learner_layout.value_columns(self.shape))
        found = {"network": (len(value), *self.shape.value.sizes[1:])}
        if self.shape.actor:
            found["actor"] = self.shape.actor.sizes
        if found != self._sizes:
            texts = [" and ".join("-".join(map(str, s)) for s in x.values()) for x in (found, self._sizes)]
            raise UserError(f"the core is built for {texts[0]}; the networks are {texts[1]}")
        self._columns = value

    def _default_formats(self) -> Formats | DdpgFormats:
        layers = self.shape.value.layers
        if self.shape.actor:
            return DdpgFormats.default(layers, self.shape.actor.layers)
        return Formats.default(layers)

    @property
    def _value_formats(self) -> Formats:
        return self.formats.value if isinstance(self.formats, DdpgFormats) else self.formats

    def _forget(self) -> None:
        self._settings: dict[int, Settings] = {}
        self._rates = {n: learner_registers.AdamRate(self._hyper[n]) for n in ("learning_rate", "actor_learning_rate")}
        self._hyper_of_settings = self._hyper

    def _configure(self, count: int) -> None:
        """Write the registers for the next step, a batch of `count`. Raises ValueError."""
        if self._hyper["tau"] and not self.shape.polyak:
            raise UserError("tau is not 0, but the core was built without averaging of target weights")
        if getattr(self, "_hyper_of_settings", None) is not self._hyper:
            self._forget()
        if count not in self._settings:
            self._settings[count] = learner_registers.settings(
                self.formats, batch=count, seed=self._seed, **self._hyper
            )
        settings = self._settings[count]
        if self.shape.optimiser == ADAM:
            # The bias correction of Adam is in the rate, which software writes before a step.
            update = self._updates + 1
            settings = replace(settings, log_rate=self._rates["learning_rate"].at(update))
            if self.shape.actor:
                settings = replace(settings, actor_log_rate=self._rates["actor_learning_rate"].at(update))
        self.driver.configure(self.formats, settings)
        if self._mirror is not self.driver:
            self._mirror.configure(self.formats, settings)

    def _start(self, network: Any, actor: Any) -> None:
        rng = np.random.default_rng(self._seed)
        given = dict(zip(self._sizes, (network, actor), strict=False))
        codes = {}
        for name, sizes in self._sizes.items():
            state = learner_state.parameters_of(given[name])
            if state is None:
                first = FloatNetwork(sizes, np.float64)
                first.initialise(rng, 3e-3 if actor is not None else None)
                state = learner_state.to_state(list(zip(first.weights, first.biases, strict=True)), frac=0)
            codes[name] = [self._codes(state, name, plane) for plane in (WEIGHTS, TARGET)]
        for name, planes in codes.items():
            for plane, matrices in zip((WEIGHTS, TARGET), planes, strict=True):
                self._load(matrices, plane, name == "actor")
        self.reset_optimiser()

    def _named(self, network: str) -> tuple[bool, int]:
        if network not in self.networks:
            raise UserError(f"there is no network '{network}'; networks: {', '.join(self.networks)}")
        return network.startswith("actor"), TARGET if network.endswith("target") else WEIGHTS

    def _frac(self, plane: int) -> int:
        return 22 + (POLYAK_FRAC if plane == TARGET and self.shape.polyak else 0)

    def _shapes(self, actor: bool) -> list[tuple[int, int]]:
        sizes = self.shape.actor.sizes if actor else self.shape.value.sizes
        return list(zip(sizes[1:], sizes[:-1], strict=True))

    def _codes(self, state: Mapping[str, Any], network: str, plane: int) -> learner_state.Matrices:
        actor = network.startswith("actor")
        frac = self._frac(plane)
        sizes = self._sizes["actor" if actor else "network"]
        matrices = learner_state.from_state(state, sizes, network, width=27 + frac - 22, frac=frac)
        if not actor:
            # The padding between state and action has weights of 0.
            first = np.zeros(self._shapes(False)[0], np.int64)
            first[:, self._columns] = matrices[0][0]
            matrices[0] = first, matrices[0][1]
        return matrices

    def _load(self, matrices: learner_state.Matrices, plane: int, actor: bool) -> None:
        self.driver.load(matrices, plane, actor)
        self._dirty = True

    def _fresh(self):
        """The integer model with the present weights."""
        if self._mirror is not self.driver and self._dirty:
            for actor in range(len(self._sizes)):
                self._mirror.load(self.driver.read(WEIGHTS, bool(actor)), WEIGHTS, bool(actor))
        self._dirty = False
        return self._mirror.model

    def _matrix(self, x: ArrayLike, columns: int, what: str) -> tuple[np.ndarray, bool]:
        """(B, columns), and whether it was one row alone."""
        x = _numbers(what, x).astype(np.float64)
        one = x.ndim == 1
        if x.ndim not in (1, 2) or x.shape[-1] != columns:
            raise UserError(f"{what} have shape {x.shape}; this learner takes (B, {columns})")
        return x.reshape(-1, columns), one


@contextmanager
def _plain() -> Iterator[None]:
    """A ValueError of the model is the user's."""
    try:
        yield
    except UserError:
        raise
    except ValueError as error:
        raise UserError(str(error)) from error


def _check_ddpg(critic: tuple[int, ...], actor: tuple[int, ...]) -> None:
    if critic[0] != actor[0] + actor[-1] or critic[-1] != 1:
        raise UserError(
            f"the critic takes {critic[0]} numbers and gives {critic[-1]}; an actor of {actor[0]} states and "
            f"{actor[-1]} actions needs {actor[0] + actor[-1]} and 1"
        )


def _hyper(all_of_them: dict[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    foreign = sorted(set(given) - set(_HYPER))
    if foreign:
        hint = "Adam's is adam_epsilon; " if foreign[0] == "epsilon" else ""
        raise UserError(f"there is no setting '{foreign[0]}'; {hint}settings: {', '.join(_HYPER)}")
    return all_of_them


def _batch(states, actions, rewards, next_states, terminated, weights) -> Batch:
    given = {"actions": actions, "rewards": rewards, "next_states": next_states, "terminated": terminated}
    for name, value in given.items():
        if value is None:
            raise UserError(f"{name} is missing; a step takes states, actions, rewards, next_states and terminated")
    arrays = {name: _numbers(name, value) for name, value in {"states": states, **given}.items()}
    if arrays["rewards"].ndim != 1:
        raise UserError(f"rewards has shape {arrays['rewards'].shape}; it must be (B,)")
    ends = arrays["terminated"]
    if not np.isin(ends, (0, 1)).all():
        raise UserError(f"terminated holds {ends[~np.isin(ends, (0, 1))][0]}; it must be true or false")
    return Batch(**arrays, weights=None if weights is None else _numbers("weights", weights))


def _numbers(name: str, given: Any) -> np.ndarray:
    array = plain(name, given)
    if array.dtype.kind not in "biuf":
        raise UserError(f"{name} is not an array of numbers, but of type {array.dtype}")
    return array


def sizes_of(network: Any, actor: Any = None) -> dict[str, tuple[int, ...]]:
    """Sizes of "network" and, with an actor, of "actor", as given to Learner. Raises UserError."""
    sizes = {"network": learner_state.sizes_of(network, "network")}
    if actor is not None:
        sizes["actor"] = learner_state.sizes_of(actor, "actor", last="Tanh")
        _check_ddpg(*sizes.values())
    return sizes


def check_names(optimiser: str, rounding: str) -> None:
    """Raises UserError when there is no such optimiser or rounding."""
    for what, name, names in (("optimiser", optimiser, OPTIMISERS), ("rounding", rounding, ROUNDINGS)):
        if name not in names:
            raise UserError(f"{what} is '{name}'; it must be one of {', '.join(names)}")


def small_parameters(
    network: tuple[int, ...],
    actor: tuple[int, ...] | None = None,
    *,
    optimiser: str = "adam",
    rounding: str = "nearest",
    batch_max: int = 256,
    polyak: bool = False,
    lanes: int = 4,
) -> dict[str, int | str]:
    """Verilog parameters of a core for these networks, with units of at most `lanes` by `lanes` multipliers.

    DDPG: network are the critic's sizes as PyTorch has them, state and action side by side.
    """
    found: dict[str, int | str] = {
        "DP": 1,
        "BATCH_MAX": batch_max,
        "RECORDS": 4,
        "OPTIMISER": OPTIMISERS.index(optimiser),
        "ROUND": ROUNDINGS.index(rounding),
        "POLYAK": int(polyak),
    }
    value_lanes = [min(n, lanes) for n in network]
    sizes = list(network)
    if actor:
        value_lanes[0] = min(actor[0], lanes)
        sizes[0] = value_lanes[0] * ceil_div(actor[0], value_lanes[0]) + actor[-1]
        # State and action come in words of the same width, in both networks.
        actor_lanes = [value_lanes[0], *(min(n, lanes) for n in actor[1:-1]), value_lanes[0]]
        found |= _network_parameters("ACTOR_", actor, actor_lanes)
    return _network_parameters("", sizes, value_lanes) | found


def _network_parameters(prefix: str, sizes, lanes) -> dict[str, str]:
    ones = "-".join("1" * (len(sizes) - 1))
    lists = {"SIZES": sizes, "LANES": lanes, "UPDATE_ROWS": lanes[1:]}
    texts = {name: "-".join(map(str, numbers)) for name, numbers in lists.items()}
    texts |= dict.fromkeys(("FORWARD", "BACKWARD", "UPDATE_COLS"), ones)
    return {prefix + name: text for name, text in texts.items()}


def _driver(backend, sizes, optimiser, rounding, batch_max, polyak, parameters) -> Driver:
    check_names(optimiser, rounding)
    if not isinstance(batch_max, int) or not 1 <= batch_max <= 4096:
        raise UserError(f"batch_max is {batch_max}; it must be a whole number, 1 to 4096")
    if not isinstance(backend, str):
        return backend
    if backend not in BACKENDS:
        raise UserError(f"backend is '{backend}'; it must be 'model' or 'rtl', or a driver")
    if isinstance(parameters, str):
        parameters = configs.load("learner", parameters)
    if parameters is None:
        parameters = small_parameters(
            *sizes.values(), optimiser=optimiser, rounding=rounding, batch_max=batch_max, polyak=polyak
        )
    with _plain():
        shape = Shape.of(parameters)
    return LearnerDriver.verilated(parameters) if backend == "rtl" else LearnerModelDriver(shape)
