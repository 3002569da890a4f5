"""The cores in Stable-Baselines3: buffers, and DQN, SAC, TD3, DDPG, and sb3-contrib's QR-DQN with prioritised replay.

One mixin serves them all. It runs the gradient steps of the installed version as they are written there, and puts its
own loss functions in the place of those that they call: these multiply each sample's loss by its importance weight,
and note its TD error, which goes back to the buffer.
"""

from collections.abc import Callable
from types import FunctionType
from typing import Any

from rlcores.base.attributes import Guarded
from rlcores.base.naming import described
from rlcores.errors import UserError, warn
from rlcores.integrations import require_library
from rlcores.integrations.sb3_buffers import (
    GaeRolloutBuffer,
    PrioritizedReplayBuffer,
    PrioritizedSamples,
    ServerReplayBuffer,
)
from rlcores.integrations.sb3_stored import HerReplayBuffer, PrioritizedDictReplayBuffer

try:
    import torch
    from stable_baselines3 import DDPG, DQN, SAC, TD3
    from torch.nn import functional

    _MISSING = None
except ImportError as error:
    DDPG = DQN = SAC = TD3 = object
    _MISSING = error
try:
    from sb3_contrib import QRDQN

    _MISSING_CONTRIB = None
except ImportError as error:
    QRDQN = object
    _MISSING_CONTRIB = error

__all__ = (
    "GaeRolloutBuffer",
    "HerReplayBuffer",
    "Prioritized",
    "PrioritizedDDPG",
    "PrioritizedDQN",
    "PrioritizedDictReplayBuffer",
    "PrioritizedQRDQN",
    "PrioritizedReplayBuffer",
    "PrioritizedSAC",
    "PrioritizedSamples",
    "PrioritizedTD3",
    "ServerReplayBuffer",
)

_LOSSES = ("smooth_l1_loss", "mse_loss", "huber_loss", "l1_loss")


class _Steps:
    """A buffer to sample from and loss functions to call, for the gradient steps of an algorithm."""

    def __init__(self, buffer: PrioritizedReplayBuffer) -> None:
        self._buffer, self._samples = buffer, None
        self._errors: list[torch.Tensor] = []  # of the samples, one a critic
        self.unheard = 0  # batches without TD errors

    def __getattr__(self, name: str) -> Any:
        """Anything else is the buffer's."""
        return getattr(self._buffer, name)

    def sample(self, *args: Any, **kwargs: Any) -> Any:
        """The buffer's next batch; the TD errors of the one before go back."""
        self.give_back()
        self._samples = self._buffer.sample(*args, **kwargs)
        return self._samples

    def give_back(self) -> None:
        """Priorities of the last batch, from the mean of the critics' TD errors."""
        samples, self._samples = self._samples, None
        if samples is None:
            return
        if self._errors:
            self._buffer.update_priorities(samples, torch.stack(self._errors).mean(dim=0))
        else:
            self.unheard += 1
        self._errors = []

    def weigh(self, each: Any, errors: Any) -> Any:
        """The mean of losses (n, …) times their weights; notes errors (n,)."""
        self._errors.append(errors.detach().abs())
        weights = self._samples.weights
        return (weights.reshape(-1, *(1,) * (each.ndim - 1)) * each).mean()

    def loss(self, real: Callable) -> Callable:
        """A loss of torch.nn.functional, weighted where it is one of the samples."""

        def weighted(current: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
            if args or kwargs.get("reduction", "mean") != "mean" or not self._of_samples(current):
                return real(current, target, *args, **kwargs)
            each = real(current, target, **kwargs | {"reduction": "none"})
            return self.weigh(each, (target - current).flatten(1).mean(dim=1))

        return weighted

    def quantile_loss(self, real: Callable) -> Callable:
        """sb3-contrib's quantile_huber_loss, likewise; an error is that of the mean of the quantiles."""

        def weighted(current: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
            if args or kwargs.get("cum_prob") is not None or not self._of_samples(current):
                return real(current, target, *args, **kwargs)
            each = torch.func.vmap(lambda one, wanted: real(one[None], wanted[None], **kwargs))(current, target)
            return self.weigh(each, target.flatten(1).mean(dim=1) - current.flatten(1).mean(dim=1))

        return weighted

    def _of_samples(self, current: Any) -> bool:
        return self._samples is not None and current.ndim > 1 and len(current) == len(self._samples.weights)


class _Functional:
    """torch.nn.functional with other losses."""

    def __init__(self, steps: _Steps) -> None:
        for name in _LOSSES:
            setattr(self, name, steps.loss(getattr(functional, name)))

    def __getattr__(self, name: str) -> Any:
        return getattr(functional, name)


class Prioritized(Guarded):
    """Prioritised replay for an off-policy algorithm: `class PrioritizedSAC(Prioritized, SAC)`.

    replay_buffer_kwargs go to PrioritizedReplayBuffer, and n_steps too. beta goes from the buffer's own to 1 over the
    training, as Schaul et al. (2016) anneal it. The priority of a transition is the mean of its critics' TD errors.
    All else is the algorithm's.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """As the algorithm. Raises UserError for a buffer without priorities."""
        require_library("stable-baselines3", _MISSING)
        super().__init__(*args, **kwargs)

    def __repr__(self) -> str:
        return described(self, f"{self.num_timesteps:,} steps", repr(self.replay_buffer))

    def _setup_model(self) -> None:
        usual = PrioritizedDictReplayBuffer if hasattr(self.observation_space, "spaces") else PrioritizedReplayBuffer
        buffer_class = self.replay_buffer_class or usual
        if not issubclass(buffer_class, PrioritizedReplayBuffer | PrioritizedDictReplayBuffer):
            raise UserError(f"replay_buffer_class is {buffer_class.__name__}; it must be a PrioritizedReplayBuffer")
        self.replay_buffer_class = buffer_class
        steps = getattr(self, "n_steps", 1)
        if steps > 1:  # SB3 gives them to its own buffer only
            self.replay_buffer_kwargs = {"n_steps": steps, "gamma": self.gamma} | self.replay_buffer_kwargs
            self.n_steps = 1
        super()._setup_model()
        self.n_steps = steps

    def train(self, *args: Any, **kwargs: Any) -> None:
        """Gradient steps as the algorithm takes them, each sample's loss times its weight."""
        buffer = self.replay_buffer
        first = buffer._options["beta"]
        buffer.beta = min(max(1 - (1 - first) * self._current_progress_remaining, 0.0), 1.0)
        steps = _Steps(buffer)
        written = super().train.__func__
        names = written.__globals__
        own = {"F": _Functional(steps)} if names.get("F") is functional else {}
        if "quantile_huber_loss" in names:
            own["quantile_huber_loss"] = steps.quantile_loss(names["quantile_huber_loss"])
        train = FunctionType(written.__code__, names | own, written.__name__, written.__defaults__, written.__closure__)
        train.__kwdefaults__ = written.__kwdefaults__
        self.replay_buffer = steps
        try:
            train(self, *args, **kwargs)
            steps.give_back()
        finally:
            self.replay_buffer = buffer
        self.logger.record("train/beta", buffer.beta)
        if steps.unheard and not getattr(self, "_said", False):
            self._said = True
            warn(f"{written.__qualname__} has a loss that {type(self).__name__} does not know: no priority was updated")


class PrioritizedDQN(Prioritized, DQN):
    """SB3's DQN with prioritised replay; see Prioritized."""


class PrioritizedSAC(Prioritized, SAC):
    """SB3's SAC with prioritised replay; see Prioritized."""


class PrioritizedTD3(Prioritized, TD3):
    """SB3's TD3 with prioritised replay; see Prioritized."""


class PrioritizedDDPG(Prioritized, DDPG):
    """SB3's DDPG with prioritised replay; see Prioritized."""


class PrioritizedQRDQN(Prioritized, QRDQN):
    """sb3-contrib's QRDQN with prioritised replay; see Prioritized."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """As QRDQN. Raises RunFailed when sb3-contrib cannot be imported."""
        require_library("sb3-contrib", _MISSING_CONTRIB)
        super().__init__(*args, **kwargs)
