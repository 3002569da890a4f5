"""Training of small networks in the learner core's integers: in C++, in NumPy, or on the simulated core.

`Learner.step` does what PyTorch's forward, loss, backward and optimiser step do, for DQN, double DQN and DDPG, in
fixed-point numbers. Weights come and go with the names and shapes of an nn.Sequential of Linear and ReLU (the actor's
with Tanh at its end); PyTorch itself is not needed.

Arrays may be lists, NumPy arrays, or tensors on any device. Wrong input is a UserError (a ValueError) with one
sentence, raised before anything changes. A CoreWarning counts numbers that the core limits, and rewards that become 0.

Backends: "native" is the model's integers in C++, "model" is NumPy, to be read. "rtl" is the Verilated core behind its
AXI ports, with the same answers; it is built once for each set of sizes, optimiser and rounding.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base import limits
from rlcores.base.arguments import check_backend, check_int
from rlcores.base.naming import backend_of
from rlcores.base.threads import alone
from rlcores.cores.learner.driver import Driver, LearnerDriver
from rlcores.cores.learner.format import DdpgFormats, LearnerBatch, LearnerFormats
from rlcores.cores.learner.model_driver import LearnerModelDriver
from rlcores.cores.learner.networks import LearnerOptions, Networks, checked_seed, settings_of
from rlcores.cores.learner.parameters import check_names, sizes_of, small_parameters
from rlcores.cores.learner.records import batch_of, to_records
from rlcores.cores.learner.shape import LearnerShape
from rlcores.eda import configs, declared
from rlcores.errors import UserError, user_errors

BACKENDS = ("native", "model", "rtl")


class Learner(Networks):
    """One learner: a Q network, or with `actor` DDPG's critic and actor.

    network        sizes such as (4, 64, 64, 2), or an nn.Sequential, whose weights are taken over. DDPG: the critic's,
                   state and action in, one value out
    actor          DDPG: sizes (state … action), or an nn.Sequential that ends with Tanh; actions are in -1 … 1
    backend        "native", "model", "rtl", or a driver; all give the same bits
    optimiser      "adam", "adamw", "momentum" or "sgd"; `rounding` of its updates: "nearest", "floor" or "stochastic"
    batch_max      longest batch, 1 to 16384; a step takes any batch up to it
    formats        fractions of every tensor (default: LearnerFormats.default); see rlcores.cores.learner.calibrate
    config         name in configs.yaml, or Verilog parameters of the core (default: small units)
    seed           of the first weights, PyTorch's uniform ones (DDPG: last layers within 0.003, Lillicrap et al. 2016),
                   and of stochastic rounding
    others         as in learner_float.FloatSettings: rates are those of the batch's mean, huber None is the squared
                   error, weight_decay is AdamW's (0.01 unless given), tau 0 copies the weights to the target network
                   every target_update_interval steps; set() changes them

    Before the first step target networks are copies of the networks, and moments are 0.

    >>> learner = Learner((4, 8, 2), learning_rate=1e-3, seed=1)
    >>> states = np.zeros((16, 4))
    >>> td = learner.step(states, np.zeros(16, int), np.ones(16), states, np.ones(16, bool))
    >>> td.shape, learner.steps, sorted(learner.weights())
    ((16,), 1, ['0.bias', '0.weight', '2.bias', '2.weight'])
    """

    def __init__(
        self,
        network: Any,
        *,
        actor: Any = None,
        backend: str | Driver = "native",
        optimiser: str = "adam",
        rounding: str = "nearest",
        batch_max: int = 256,
        formats: LearnerFormats | DdpgFormats | None = None,
        config: Mapping[str, int | str] | str | None = None,
        seed: int = 0,
        **hyper: Unpack[LearnerOptions],
    ) -> None:
        """Raises UserError when an argument is not allowed, RunFailed when the core does not build."""
        sizes, tau = sizes_of(network, actor), settings_of(hyper)["tau"]
        checked_seed(seed)
        driver = _driver(backend, sizes, optimiser, rounding, batch_max, tau > 0, config)
        super().__init__(driver, network, actor, formats=formats, seed=seed, hyper=hyper)

    def __repr__(self) -> str:
        sizes = "-".join(map(str, self.shape.value.sizes))
        actor = f", actor {'-'.join(map(str, self.shape.actor.sizes))}" if self.shape.actor else ""
        return f"{type(self).__name__}({sizes}{actor}, {self.steps:,} steps, {backend_of(self.driver)})"

    @alone
    def step(
        self,
        states: ArrayLike | LearnerBatch,
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
        inputs: tuple[Any, ...] = (states, actions, rewards, next_states, terminated, weights)
        if isinstance(states, LearnerBatch):
            inputs = tuple(getattr(states, f.name) for f in fields(LearnerBatch))
        errors = self._quick_step(inputs)
        return self._step(inputs) if errors is None else errors

    def _quick_step(self, inputs: tuple[Any, ...]) -> np.ndarray | None:
        """The step in one call of the engine, of plain arrays; None, nothing done, where something needs a look."""
        driver: Any = self.driver
        rewards = inputs[2]
        if not hasattr(driver, "step_arrays") or type(rewards) is not np.ndarray or rewards.ndim != 1:
            return None
        count = len(rewards)
        if not 1 <= count <= self.shape.batch_max:
            return None
        with user_errors():
            self.configure(count)
        errors: np.ndarray | None = driver.step_arrays(inputs)
        if errors is not None:
            self._advance(1)
            if driver.saturated():
                self._count_saturated()
            if driver.model.lost:
                self.lost.rewards.count(rewards, int(np.count_nonzero(rewards)) - driver.model.lost)
        return errors

    def _step(self, inputs: tuple[Any, ...]) -> np.ndarray:
        batch = batch_of(*inputs)
        count = len(batch)
        if not 1 <= count <= self.shape.batch_max:
            raise UserError(f"the batch has {count} transitions; this learner takes 1 to {self.shape.batch_max}")
        value = self.value_formats
        with user_errors():
            records = to_records(batch, value.act_frac[0], self.shape)
            self.configure(count)
        priorities = self.driver.step(records)
        self.advance(1)
        self._count_saturated()
        self.lost.see(batch, records)
        return np.asarray(priorities * 2.0 ** -value.act_frac[-1])


def _driver(
    backend: str | Driver,
    sizes: Mapping[str, Any],
    optimiser: str,
    rounding: str,
    batch_max: int,
    polyak: bool,
    config: Mapping[str, int | str] | str | None,
) -> Driver:
    check_names(optimiser, rounding)
    check_int("batch_max", batch_max, 1, limits.BATCH)
    check_backend(backend, BACKENDS, "shape", "a driver")
    if not isinstance(backend, str):
        return backend
    if isinstance(config, str):
        parameters = configs.load("learner", config)
    elif config is None:
        parameters = small_parameters(
            *sizes.values(), optimiser=optimiser, rounding=rounding, batch_max=batch_max, polyak=polyak
        )
    else:
        parameters = declared.completed("learner", config)
    with user_errors():
        shape = LearnerShape.of(parameters)
    if backend == "native":
        from rlcores.cores.learner.native import LearnerNativeDriver

        return LearnerNativeDriver(shape)
    return LearnerDriver.verilated(parameters) if backend == "rtl" else LearnerModelDriver(shape)
