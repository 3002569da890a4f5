"""The cores in Stable-Baselines3: buffers, and DQN, SAC, TD3, DDPG, and sb3-contrib's QR-DQN with prioritised replay.

One mixin serves them all. It runs the gradient steps of the installed version as they are written there, and puts its
own loss functions in the place of those that they call: these multiply each sample's loss by its importance weight,
and note its TD error, which goes back to the buffer.
"""

from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any

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
    from stable_baselines3.common.off_policy_algorithm import OffPolicyAlgorithm
    from torch.nn import functional

    _MISSING = None
except ImportError as error:
    if TYPE_CHECKING:
        raise  # a type checker has tools/typings
    else:
        DDPG = DQN = SAC = TD3 = OffPolicyAlgorithm = object
        _MISSING = error
try:
    from sb3_contrib import QRDQN

    _MISSING_CONTRIB = None
except ImportError as error:
    if TYPE_CHECKING:
        raise
    else:
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

    def __init__(self, buffer: PrioritizedReplayBuffer | PrioritizedDictReplayBuffer) -> None:
        self._buffer = buffer
        self._samples: PrioritizedSamples | None = None
        self._errors: list[torch.Tensor] = []  # of the samples, one a critic
        self.unheard = 0  # batches without TD errors

    def __getattr__(self, name: str) -> Any:
        """Anything else is the buffer's."""
        return getattr(self._buffer, name)

    def sample(self, *args: Any, **kwargs: Any) -> PrioritizedSamples:
        """The buffer's next batch; the TD errors of the one before go back."""
        self.give_back()
        samples = self._samples = self._buffer.sample(*args, **kwargs)
        return samples

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

    def weigh(self, samples: PrioritizedSamples, each: "torch.Tensor", errors: "torch.Tensor") -> "torch.Tensor":
        """The mean of losses (n, …) times the samples' weights; notes errors (n,)."""
        self._errors.append(errors.detach().abs())
        return (samples.weights.reshape(-1, *(1,) * (each.ndim - 1)) * each).mean()

    def loss(self, real: "Callable[..., torch.Tensor]") -> "Callable[..., torch.Tensor]":
        """A loss of torch.nn.functional, weighted where it is one of the samples."""

        def weighted(current: torch.Tensor, target: torch.Tensor, *args: Any, **kwargs: Any) -> torch.Tensor:
            samples = self._samples_of(current)
            if args or kwargs.get("reduction", "mean") != "mean" or samples is None:
                return real(current, target, *args, **kwargs)
            each = real(current, target, **kwargs | {"reduction": "none"})
            return self.weigh(samples, each, (target - current).flatten(1).mean(dim=1))

        return weighted

    def quantile_loss(self, real: "Callable[..., torch.Tensor]") -> "Callable[..., torch.Tensor]":
        """sb3-contrib's quantile_huber_loss, likewise; an error is that of the mean of the quantiles."""

        def weighted(current: torch.Tensor, target: torch.Tensor, *args: Any, **kwargs: Any) -> torch.Tensor:
            def of_one(one: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
                return real(one[None], wanted[None], **kwargs)

            samples = self._samples_of(current)
            if args or kwargs.get("cum_prob") is not None or samples is None:
                return real(current, target, *args, **kwargs)
            each = torch.func.vmap(of_one)(current, target)
            return self.weigh(samples, each, target.flatten(1).mean(dim=1) - current.flatten(1).mean(dim=1))

        return weighted

    def _samples_of(self, current: "torch.Tensor") -> PrioritizedSamples | None:
        """The samples that predictions are of."""
        samples = self._samples
        if samples is None or current.ndim <= 1 or len(current) != len(samples.weights):
            return None
        return samples


class _Functional:
    """torch.nn.functional with other losses."""

    def __init__(self, steps: _Steps) -> None:
        for name in _LOSSES:
            setattr(self, name, steps.loss(getattr(functional, name)))

    def __getattr__(self, name: str) -> Any:
        return getattr(functional, name)


class Prioritized(Guarded, OffPolicyAlgorithm):
    """Prioritised replay for an off-policy algorithm: `class PrioritizedSAC(Prioritized, SAC)`.

    replay_buffer_kwargs go to PrioritizedReplayBuffer, and n_steps too. beta goes from the buffer's own to 1 over the
    training, as Schaul et al. (2016) anneal it. The priority of a transition is the mean of its critics' TD errors.
    All else is the algorithm's.
    """

    replay_buffer: Any  # one of ours; while train() runs, what stands for it

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
        steps: int = getattr(self, "n_steps", 1)
        if steps > 1:  # SB3 gives them to its own buffer only
            self.replay_buffer_kwargs = {"n_steps": steps, "gamma": self.gamma} | self.replay_buffer_kwargs
            self.n_steps = 1
        super()._setup_model()
        self.n_steps = steps

    def train(self, *args: Any, **kwargs: Any) -> None:
        """Gradient steps as the algorithm takes them, each sample's loss times its weight.

        Raises UserError for a buffer without priorities, as load_replay_buffer() may have brought one.
        """
        buffer = self.replay_buffer
        if not isinstance(buffer, PrioritizedReplayBuffer | PrioritizedDictReplayBuffer):
            raise UserError(f"replay_buffer is a {type(buffer).__name__}; it must be a PrioritizedReplayBuffer")
        first = buffer._options["beta"]
        buffer.beta = min(max(1 - (1 - first) * self._current_progress_remaining, 0.0), 1.0)
        steps = _Steps(buffer)
        method: Any = super().train
        written = method.__func__
        assert isinstance(written, FunctionType), "gradient steps are a function of Python"
        names = written.__globals__
        own: dict[str, Any] = {"F": _Functional(steps)} if names.get("F") is functional else {}
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
