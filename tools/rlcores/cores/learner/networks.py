"""Networks on a learner core, and the settings they are trained with: what Learner and ReplayLearner share."""

import copy
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import cache
from numbers import Real
from types import MappingProxyType
from typing import Any, Unpack, cast

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base import states
from rlcores.base.arguments import check_int
from rlcores.base.attributes import Guarded
from rlcores.base.naming import nearest
from rlcores.base.threads import alone
from rlcores.cores.common.draws import splitmix64
from rlcores.cores.learner import layout as learner_layout
from rlcores.cores.learner import records
from rlcores.cores.learner import registers as learner_registers
from rlcores.cores.learner import state as learner_state
from rlcores.cores.learner.driver import Driver
from rlcores.cores.learner.float64 import FloatNetwork
from rlcores.cores.learner.format import (
    POLYAK_FRAC,
    WEIGHT_FRAC,
    WEIGHT_WIDTH,
    DdpgFormats,
    LearnerFormats,
    LearnerSettings,
)
from rlcores.cores.learner.layout import MOMENT, TARGET, WEIGHTS, Matrices, flatten, numbers, plane_range, split
from rlcores.cores.learner.loss_settings import OPTIONAL, LossOptions, LossSettings
from rlcores.cores.learner.model_driver import LearnerModelDriver
from rlcores.cores.learner.optimisers import ADAM, ADAMW, ALL, MOMENTUM, OPTIMISERS
from rlcores.cores.learner.optimisers.slot import GRADIENT_MAX, NEAREST, STOCHASTIC, WEIGHT_MAX
from rlcores.cores.learner.parameters import sizes_of
from rlcores.cores.learner.policy import Policy
from rlcores.eda import registers
from rlcores.errors import UserError, WarningCounter, user_errors


class LearnerOptions(LossOptions, total=False):
    """Settings that set() changes, with the meaning that they have in FloatSettings."""

    lag: bool
    target_update_interval: int
    tau: float
    learning_rate: float
    actor_learning_rate: float
    momentum: float
    adam_epsilon: float
    weight_decay: float


# What others call some of them.
_ALIASES = {"epsilon": "adam_epsilon", "lr": "learning_rate", "discount": "gamma",
            "target_network_frequency": "target_update_interval"}  # fmt: skip

# Their defaults.
HYPER_DEFAULTS = {
    **asdict(LossSettings()),
    "lag": True,
    "target_update_interval": 100,
    "tau": 0.0,
    "learning_rate": 1e-3,
    "actor_learning_rate": 1e-4,
    "momentum": 0.9,
    "adam_epsilon": 1e-8,
    "weight_decay": 0.0,
}
_COUNTS = ("steps", "updates", "since_sync", "seed")
_PLANES = ("weights", "target", "moment", "squares")


class Networks(Guarded):
    """The networks of one learner core: weights, settings, formats, and how far training has come.

    Who trains calls configure() before gradient steps and advance() after them.
    """

    _known_hyper: dict[str, Any] | None = None  # what the registers were made from

    def __init__(
        self,
        driver: Driver,
        network: Any,
        actor: Any = None,
        *,
        formats: LearnerFormats | DdpgFormats | None = None,
        seed: int = 0,
        hyper: Mapping[str, Any] | None = None,
    ) -> None:
        """Arguments as of Learner. Raises UserError when one is not allowed, or not what the core was built for."""
        self.sizes = sizes_of(network, actor)
        self.seed = checked_seed(seed)
        self.driver, self.shape = driver, driver.shape
        self._hyper = settings_of({**ALL[self.shape.optimiser].defaults, **(hyper or {})})
        self._check_shape()
        self.formats = formats or self._default_formats()
        kind = DdpgFormats if self.shape.actor else LearnerFormats
        if not isinstance(self.formats, kind):
            raise UserError(f"formats is of type {type(self.formats).__name__}; these networks need {kind.__name__}")
        self._mirror = driver if isinstance(driver, LearnerModelDriver) else LearnerModelDriver(self.shape)
        self.steps = self.updates = self.since_sync = 0
        self._tally, self._saturated = WarningCounter(), 0
        self.lost = records.Lost(self.value_formats.act_frac[0])
        with user_errors():
            self.configure(min(64, self.shape.batch_max))
        self._start(network, actor)

    @property
    def hyper(self) -> Mapping[str, Any]:
        """The settings as they are now, by the names of set(), which changes them."""
        return MappingProxyType(self._hyper)

    # --- networks ---

    @property
    def networks(self) -> tuple[str, ...]:
        """Names of the networks: 'network' and 'target', with an actor also 'actor' and 'actor_target'."""
        return ("network", "target", "actor", "actor_target")[: 2 * len(self.sizes)]

    @alone
    def weights(self, network: str = "network") -> dict[str, Any]:
        """The weights of a network by PyTorch's names; float64, exact. Tensors where the program has imported torch."""
        number, plane = self._named(network)
        matrices = self.driver.read(plane, number)
        if number == 0:
            matrices[0] = matrices[0][0][:, self._columns], matrices[0][1]
        return learner_state.to_state(matrices, self._frac(plane))

    @alone
    def load_weights(self, state: Mapping[str, Any], network: str = "network", *, target: bool = True) -> None:
        """Set the weights of a network; tensors or arrays. target: those of its target network too.

        The optimiser's moments stay; reset_optimiser() clears them. Raises UserError, weights unchanged: names or
        shapes that are not the network's, NaN, numbers outside of sfix(27,22).
        """
        number, plane = self._named(network)
        self._load(self._codes(state, network, plane), plane, number)
        if plane == WEIGHTS and target:
            self._load(self._codes(state, network, TARGET), TARGET, number)

    @alone
    def reset_optimiser(self) -> None:
        """Set all moments to 0, and restart Adam's bias correction."""
        for number in range(len(self.sizes)):
            for plane in learner_layout.planes(self.shape)[MOMENT:]:
                sizes = self._core_sizes(number)
                self.driver.load(split(np.zeros(numbers(sizes), np.int64), sizes), plane, number)
        self.updates = 0

    @alone
    def values(self, states: ArrayLike, actions: ArrayLike | None = None) -> np.ndarray:
        """Q(s), (B, actions), of states (B, N_s); DDPG: Q(s, a), (B, 1). As the core's forward pass has them.

        One state (N_s,), with one action (N_a,), gives one row without B.
        """
        model = self._fresh()
        with user_errors():
            known, one = self._matrix(states, self.shape.state_size, "states")
            if self.shape.actor is None:
                values = model.q(known)
            elif actions is None:
                raise UserError("a critic values states with actions; give actions too")
            else:
                action_rows, _ = self._matrix(actions, self.shape.action_size, "actions")
                if len(action_rows) != len(known):
                    raise UserError(f"there are {len(action_rows)} actions for {len(known)} states")
                values = model.q(known, action_rows)
        return values[0] if one else values

    @alone
    def act(self, states: ArrayLike) -> np.ndarray:
        """The greedy actions of states (B, N_s): int64 (B,), DDPG: float64 (B, N_a) in -1 … 1; of (N_s,) one action."""
        if self.shape.actor is None:
            return self.values(states).argmax(-1)
        with user_errors():
            known, one = self._matrix(states, self.shape.state_size, "states")
            actions = self._fresh().act(known)
        return actions[0] if one else actions

    @alone
    def policy(self) -> Policy:
        """The greedy policy of the present weights, to act with elsewhere: it has the same bits there."""
        actor = self.shape.actor is not None
        formats = self.formats.actor if isinstance(self.formats, DdpgFormats) else self.formats
        sizes = self.sizes["actor" if actor else "network"]
        return Policy(sizes, formats, flatten(self.driver.read(WEIGHTS, len(self.sizes) - 1)), actor)

    @alone
    def set(self, **hyper: Unpack[LearnerOptions]) -> None:
        """Change settings between steps, as given to the constructor. Raises UserError, nothing changed."""
        before = self._hyper
        self._hyper = settings_of({**before, **hyper})
        try:
            with user_errors():
                self.configure(min(64, self.shape.batch_max))
        except UserError:
            self._hyper = before
            self._forget()
            raise

    @alone
    def saturations(self) -> dict[str, int]:
        """How often a number did not fit, by the name of the stage's counter (docs/learner_registers.md), if ever."""
        return {_stages()[stage]: int(n) for stage, n in enumerate(self.driver.counters()) if n}

    @alone
    def clear_saturations(self) -> None:
        """Count from 0 again."""
        self.driver.clear_counters()
        self._tally, self._saturated = WarningCounter(), 0
        self.lost = records.Lost(self.value_formats.act_frac[0])

    # --- for the trainers ---

    def configure(self, count: int) -> None:
        """Write the registers for the next step, a batch of `count`. Raises ValueError."""
        if self._hyper["tau"] and not self.shape.polyak:
            raise UserError("tau is not 0, but the core was built without averaging of target weights")
        if self._known_hyper is not self._hyper:
            for name, why in foreign_settings(OPTIMISERS[self.shape.optimiser], self.shape.actor is not None).items():
                if self._hyper[name] != HYPER_DEFAULTS[name]:
                    raise UserError(f"{name} is {self._hyper[name]:g}, but {why}")
            self._forget()
        settings = self._settings.get(count)
        if settings is None:
            settings = learner_registers.settings(self.formats, batch=count, seed=self.seed, **self._hyper)
            self._settings[count] = settings
            self._look_at_rates(count)
        if self._rates:
            update = self.updates + 1
            rates = [rate.at(update) for rate in self._rates]
            if rates != self._log_rates.get(count):
                settings = self._settings[count] = settings.at_rates(*rates)
                self._log_rates[count] = rates
        self.driver.configure(self.formats, settings)
        if self._mirror is not self.driver:
            self._mirror.configure(self.formats, settings)

    def _look_at_rates(self, count: int) -> None:
        settings = ALL[self.shape.optimiser].settings
        if self.shape.rounding != NEAREST:
            return
        networks = learner_registers.of_networks(self.formats)
        for name, formats in zip(("learning_rate", "actor_learning_rate"), networks, strict=False):
            rate, most = self._hyper[name], learner_registers.CLIP
            if "log_rate" not in settings:  # the core's gradients, and sums of them, are those of the whole batch
                rate, most = rate / count, GRADIENT_MAX * 2.0 ** -min(formats.grad_frac[1:])
            self._say_still(name, rate, most)
            if "decay" in settings:
                part, largest = self._hyper[name] * self._hyper["weight_decay"], WEIGHT_MAX * 2.0**-WEIGHT_FRAC
                self._say_still("weight_decay", part, largest)

    def _say_still(self, name: str, rate: float, most: float) -> None:
        if learner_registers.still(rate, most):
            still = f"{name} is {self._hyper[name]:g}: {learner_registers.STILL}"
            self._tally.add(name, 1, f"{still}; rounding='stochastic' moves it now and then")

    @alone
    def advance(self, steps: int) -> None:
        """This many gradient steps were done with what configure() wrote."""
        self._advance(steps)

    def _advance(self, steps: int) -> None:
        since = _since(self.since_sync, self._hyper["target_update_interval"], steps)
        # In one go and past Guarded: every gradient step comes here.
        vars(self).update(since_sync=since, steps=self.steps + steps, updates=self.updates + steps, _dirty=True)

    @property
    def value_formats(self) -> LearnerFormats:
        """Fractions of the value network."""
        return self.formats.value if isinstance(self.formats, DdpgFormats) else self.formats

    def _core_sizes(self, number: int) -> tuple[int, ...]:
        """Of the core's own network, in which padding stands between state and action."""
        return self.shape.networks[number].sizes

    # --- state ---

    @alone
    def state_dict(self) -> dict[str, np.ndarray]:
        """Everything that load_state_dict() needs to resume identically, as arrays: numpy.savez keeps them.

        Weights, targets and moments, settings, counts and seed. With stochastic rounding it draws a new seed for it,
        here and in what it gives: no core shows its generators.
        """
        if self.shape.rounding == STOCHASTIC:
            self._reseed(splitmix64(self.seed << 32 | self.updates & 0xFFFFFFFF, 1)[0] & 0xFFFFFFFF)
        state = self._identity()
        state |= {name: np.array(getattr(self, name), np.int64) for name in _COUNTS}
        state |= {name: flatten(self.driver.read(plane, number)) for name, plane, number in self._planes()}
        for name, value in self._hyper.items():
            state[f"hyper.{name}"] = np.array(np.nan if value is None else value, np.float64)
        return state

    @alone
    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on as the networks that gave the state would.

        Raises UserError, nothing changed, when it is that of other networks or formats, or is damaged.
        """
        self.take(self.checked(state, "a learner"))

    def checked(self, state: Mapping[str, Any], what: str) -> dict[str, np.ndarray]:
        """The arrays of a state of these networks. Raises UserError, which says what it should be of."""
        shapes = {name: (numbers(self._core_sizes(number)),) for name, _, number in self._planes()}
        settings = {f"hyper.{name}": name for name in self._hyper}
        shapes |= dict.fromkeys((*_COUNTS, *settings), ())
        limits = dict.fromkeys(_COUNTS, (0, 2**32 - 1))
        limits |= {n: plane_range(plane, self.shape.optimiser, self.shape.polyak) for n, plane, _ in self._planes()}
        arrays = states.checked(state, what, self._identity(), shapes, limits, settings)
        for entry, name in settings.items():
            if not (np.isfinite(arrays[entry]) or (name in OPTIONAL and np.isnan(arrays[entry]))):
                raise UserError(f"the state is damaged: '{entry}' is {arrays[entry]}; it must be a finite number")
        return arrays

    def take(self, state: Mapping[str, np.ndarray], continue_from: Callable[[int, int], None] | None = None) -> None:
        """Set everything to what checked() has found. continue_from: see Driver; another one than the driver's own."""
        hyper = {name: float(state[f"hyper.{name}"]) for name in self._hyper}
        for name, was in self._hyper.items():
            if isinstance(was, bool | int):
                hyper[name] = type(was)(hyper[name])
        hyper |= {name: None for name in OPTIONAL if np.isnan(hyper[name])}
        self.set(**cast(LearnerOptions, hyper))  # raises before anything else has changed
        self.steps, self.updates, self.since_sync, seed = (int(state[name]) for name in _COUNTS)
        (continue_from or self.driver.continue_from)(self.since_sync, seed)
        self._reseed(seed)
        for name, plane, number in self._planes():
            self._load(split(state[name], self._core_sizes(number)), plane, number)
        self.clear_saturations()

    def _reseed(self, seed: int) -> None:
        self.seed = seed
        self._forget()
        with user_errors():
            self.configure(min(64, self.shape.batch_max))

    def _planes(self) -> list[tuple[str, int, int]]:
        """Name, plane and number of the network of all that the core holds."""
        return [
            (f"{network}.{_PLANES[plane]}", plane, number)
            for number, network in enumerate(self.sizes)
            for plane in learner_layout.planes(self.shape)
        ]

    def _identity(self) -> dict[str, np.ndarray]:
        """What must be the same in networks that resume from a state."""
        formats, ddpg = self.formats, isinstance(self.formats, DdpgFormats)
        both = [formats.value, formats.actor] if ddpg else [formats]
        fractions = [f for each in both for f in (*each.act_frac, *each.delta_frac, *each.grad_frac)]
        numbers_of: dict[str, Any] = {
            "network": self.sizes["network"],
            "actor": self.sizes.get("actor", ()),
            "optimiser": self.shape.optimiser,
            "rounding": self.shape.rounding,
            "polyak": self.shape.polyak,
            "fractions": [*fractions, *(formats.pass_frac if ddpg else ())],
        }
        return {name: np.array(value, np.int64) for name, value in numbers_of.items()}

    # --- inside ---

    def __copy__(self) -> "Networks":
        return copy.deepcopy(self)

    @alone
    def __getstate__(self) -> dict[str, Any]:
        """For pickle and copy, of the integer model."""
        if self._mirror is not self.driver:
            raise UserError("a learner on a core cannot be pickled or copied; state_dict() has all of it")
        return dict(self.__dict__)

    def _count_saturated(self) -> None:
        """Warn when numbers of the step did not fit."""
        now = int(self.driver.counters().sum())
        if now == self._saturated:
            return
        self._tally.add("saturated", max(now - self._saturated, 0), self._stages_said)
        self._saturated = now

    def _stages_said(self) -> str:
        stages = ", ".join(f"{n} {name}" for name, n in self.saturations().items())
        return f"numbers of the learner did not fit: {stages}"

    def _check_shape(self) -> None:
        value = np.array(learner_layout.value_columns(self.shape))
        sizes = {"network": (len(value), *self.shape.value.sizes[1:])}
        if self.shape.actor:
            sizes["actor"] = self.shape.actor.sizes
        if sizes != self.sizes:
            texts = [" and ".join("-".join(map(str, s)) for s in x.values()) for x in (sizes, self.sizes)]
            raise UserError(f"the core is built for {texts[0]}; the networks are {texts[1]}")
        self._columns = value

    def _default_formats(self) -> LearnerFormats | DdpgFormats:
        layers = self.shape.value.layers
        if self.shape.actor:
            return DdpgFormats.default(layers, self.shape.actor.layers)
        return LearnerFormats.default(layers)

    def _forget(self) -> None:
        self._settings: dict[int, LearnerSettings] = {}
        self._log_rates: dict[int, list[int]] = {}  # of these settings
        # The bias correction of Adam is in the rate, which software writes before a step.
        corrected = "log_rate" in ALL[self.shape.optimiser].settings
        names = ("learning_rate", "actor_learning_rate")[: len(self.sizes) if corrected else 0]
        self._rates = [learner_registers.AdamRate(self._hyper[name]) for name in names]
        self._known_hyper = self._hyper

    def _start(self, network: Any, actor: Any) -> None:
        rng = np.random.default_rng(self.seed)
        initial = dict(zip(self.sizes, (network, actor), strict=False))
        codes = {}
        for name, sizes in self.sizes.items():
            state = learner_state.parameters_of(initial[name])
            if state is None:
                first = FloatNetwork(sizes, np.float64)
                first.initialise(rng, 3e-3 if actor is not None else None)
                state = learner_state.to_state(first.matrices(), frac=0)
            codes[name] = [self._codes(state, name, plane) for plane in (WEIGHTS, TARGET)]
        for number, planes in enumerate(codes.values()):
            for plane, matrices in zip((WEIGHTS, TARGET), planes, strict=True):
                self._load(matrices, plane, number)
        self.reset_optimiser()

    def _named(self, network: str) -> tuple[int, int]:
        if network not in self.networks:
            raise UserError(f"there is no network '{network}'; networks: {', '.join(self.networks)}")
        return int(network.startswith("actor")), TARGET if network.endswith("target") else WEIGHTS

    def _frac(self, plane: int) -> int:
        return WEIGHT_FRAC + (POLYAK_FRAC if plane == TARGET and self.shape.polyak else 0)

    def _codes(self, state: Mapping[str, Any], network: str, plane: int) -> Matrices:
        actor = network.startswith("actor")
        frac = self._frac(plane)
        sizes = self.sizes["actor" if actor else "network"]
        matrices = learner_state.from_state(state, sizes, network, width=WEIGHT_WIDTH + frac - WEIGHT_FRAC, frac=frac)
        if not actor:
            # The padding between state and action has weights of 0.
            first = np.zeros((len(matrices[0][0]), self.shape.value.sizes[0]), np.int64)
            first[:, self._columns] = matrices[0][0]
            matrices[0] = first, matrices[0][1]
        return matrices

    def _load(self, matrices: Matrices, plane: int, number: int) -> None:
        self.driver.load(matrices, plane, number)
        self._dirty = True

    def _fresh(self):
        """The integer model with the present weights."""
        if self._mirror is not self.driver and self._dirty:
            for number in range(len(self.sizes)):
                self._mirror.load(self.driver.read(WEIGHTS, number), WEIGHTS, number)
        self._dirty = False
        return self._mirror.model

    def _matrix(self, x: ArrayLike, columns: int, what: str) -> tuple[np.ndarray, bool]:
        """(B, columns), and whether it was one row alone."""
        x = records.numbers(what, x).astype(np.float64)
        one = x.ndim == 1
        if x.ndim not in (1, 2) or x.shape[-1] != columns:
            raise UserError(f"{what} have shape {x.shape}; this learner takes (B, {columns})")
        return x.reshape(-1, columns), one


def settings_of(overrides: Mapping[str, Any]) -> dict[str, Any]:
    """All settings, with these in place of their defaults. Raises UserError where there is none of a name."""
    foreign = sorted(set(overrides) - set(HYPER_DEFAULTS))
    if foreign:
        alias = _ALIASES.get(foreign[0])
        hint = f"; did you mean '{alias}'" if alias else nearest(foreign[0], HYPER_DEFAULTS)
        raise UserError(f"there is no setting '{foreign[0]}'{hint}; settings: {', '.join(HYPER_DEFAULTS)}")
    for name, value in overrides.items():
        number = isinstance(value, Real | np.bool_) and abs(value) < np.inf
        if not number and not (value is None and name in OPTIONAL):
            raise UserError(f"{name} is {value!r}; it must be a finite number")
        if value is not None and abs(value) > 2**62:
            raise UserError(f"{name} is {value:g}; no register of the core holds that")
        if name == "reward_scale" and value == 0:
            raise UserError("reward_scale is 0, which would make every reward 0; it must be above 0")
        if name == "target_update_interval" and value % 1:
            raise UserError(f"target_update_interval is {value}; it must be a whole number")
    return {**HYPER_DEFAULTS, **overrides}


@cache
def foreign_settings(optimiser: str, actor: bool) -> dict[str, str]:
    """Settings that such a learner does not have, which stay at their defaults, and why.

    >>> sorted(foreign_settings("sgd", actor=False))
    ['actor_learning_rate', 'adam_epsilon', 'lag', 'momentum', 'weight_decay']
    """
    one = ALL[OPTIMISERS.index(optimiser)]
    owners = {"momentum": ("momentum", MOMENTUM), "adam_epsilon": ("log_eps", ADAM), "weight_decay": ("decay", ADAMW)}
    foreign = {
        name: f"{one.title} has none; {ALL[owner].title} has it"
        for name, (register, owner) in owners.items()
        if register not in one.settings
    }
    if actor:
        return foreign | {"double": "it is of DQN, and there is an actor"}
    return foreign | dict.fromkeys(("actor_learning_rate", "lag"), "there is no actor")


@cache
def _stages() -> dict[int, str]:
    """Names of the counters of saturations, by their places."""
    by_name = registers.load("learner")
    first = by_name["SAT_IN"].address
    return {(r.address - first) // 4: name for name, r in by_name.items() if r.address >= first}


def checked_seed(seed: int) -> int:
    """A seed of the first weights. Raises UserError unless it has 32 bits."""
    return check_int("seed", seed, 0, 2**32 - 1)


def _since(since: int, interval: int, steps: int) -> int:
    """Steps since the last target update, `steps` later."""
    if not interval:
        return since + steps
    first = max(interval - since, 1)  # steps up to the next one
    return since + steps if steps < first else (steps - first) % interval
