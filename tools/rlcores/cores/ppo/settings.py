"""PPO's registers and formats, and the registers that real numbers stand for."""

import math
from dataclasses import dataclass, fields

from rlcores.base import limits
from rlcores.base.arguments import held, ranged
from rlcores.cores.common.log2exp2 import LOG2_FRACTION
from rlcores.cores.common.vanished import kept
from rlcores.cores.learner import format as learner_format
from rlcores.cores.learner.optimisers.adam import log_register
from rlcores.cores.learner.registers import STILL, still
from rlcores.cores.policy.density import OUT_FRAC
from rlcores.cores.ppo import norm
from rlcores.cores.ppo.gae import FACTOR_FRAC
from rlcores.cores.ppo.head import COEFFICIENT_FRAC, RATIO_FRAC
from rlcores.cores.ppo.records import BITS
from rlcores.errors import warn

ENTROPY_FRAC = 20
CLIP_STEP, _MOST_STEP = 6803, 10.0  # of Adam: the greatest |m| / sqrt(v), as log_clip and as a number


@dataclass(frozen=True)
class PpoFormats:
    """Fractions of the networks, as the learner's, and of the log-deviations' gradient.

    critic None: a shared trunk. The last activation of both has 16 fraction bits. Raises ValueError.
    """

    actor: learner_format.LearnerFormats
    critic: learner_format.LearnerFormats | None
    logs: int = 18

    def __post_init__(self) -> None:
        for name, network in (("actor", self.actor), ("critic", self.critic)):
            if network is not None and network.act_frac[-1] != OUT_FRAC:
                raise ValueError(f"the {name}'s output has fraction {network.act_frac[-1]}; PPO's is {OUT_FRAC}")
        if self.critic is not None and self.critic.act_frac[0] != self.actor.act_frac[0]:
            raise ValueError("the input has another fraction in the critic than in the actor")
        if not 10 <= self.logs <= 20:
            raise ValueError(f"the gradient of log-deviations has fraction {self.logs}; it is 10 to 20")

    def least(self, gaussian: bool) -> int:
        """The least fraction of a gradient."""
        networks = [network for network in (self.actor, self.critic) if network is not None]
        return min([self.logs] * gaussian + [f for network in networks for f in network.grad_frac[1:]])


@dataclass(frozen=True)
class PpoSettings:
    """The registers, as integers; registers() makes them from real numbers. Raises ValueError.

    envs N, steps T; N * T / minibatches is B. gamma, gamma_lambda, reward_scale, value: 17 fraction bits. clip,
    entropy: 20. value_clip: 16, 0 is none. norm: log2 of the squared limit, 20 fraction bits. rate: log2(rate * 2**22),
    20 fraction bits; log_eps, log_clip: as the learner's. falls: iterations over which the rate falls, 0: never.
    lockstep: 1 where environments answer all N actions at once; it only changes what is counted of empty columns.
    record_bits: what the core was built with, of rewards and values in the rollout's memory; 0: 27, as they are.
    """

    envs: int = ranged(64, 1, 1024)
    steps: int = ranged(128, 1, 4096)
    epochs: int = ranged(4, 1, 255)
    minibatches: int = ranged(4, 1, 4096)
    gamma: int = ranged(129761, 0, 1 << FACTOR_FRAC)
    gamma_lambda: int = ranged(123273, 0, 1 << FACTOR_FRAC)
    reward_scale: int = ranged(1 << FACTOR_FRAC, 0, 1 << FACTOR_FRAC)
    clip: int = ranged(209715, 0, (1 << RATIO_FRAC) - 1)
    entropy: int = ranged(0, 0, (1 << 17) - 1)
    value: int = ranged(1 << (COEFFICIENT_FRAC - 1), 0, 1 << COEFFICIENT_FRAC)
    value_clip: int = ranged(0, 0, (1 << 26) - 1)
    norm: int = ranged((1 << 26) - 1, -(1 << 26), (1 << 26) - 1)
    rate: int = ranged(0, -(1 << 26), (1 << 26) - 1)
    falls: int = ranged(0, 0, 2**32 - 1)
    log_eps: int = ranged(-(2**17), 4096 - 2**19, 2**19 - 92160 - 1)
    log_clip: int = ranged(CLIP_STEP, -(2**19), 2**19 - 1)
    seed: int = ranged(0, 0, 2**32 - 1)
    lockstep: int = ranged(0, 0, 1)
    record_bits: int = ranged(0, 0, BITS[-1])

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool) or not isinstance(value, int):
                raise ValueError(f"{field.name} is {value}; the register takes a whole number")
        held(self)
        if 0 < self.record_bits < BITS[0]:
            raise ValueError(f"record_bits is {self.record_bits}; it is 0 or {BITS[0]} to {BITS[-1]}")
        if self.envs * self.steps % self.minibatches:
            raise ValueError(f"a rollout of {self.envs * self.steps} steps has no {self.minibatches} equal minibatches")
        if not 2 <= self.batch <= limits.MINIBATCH:
            raise ValueError(f"a minibatch would have {self.batch} samples; it has 2 to {limits.MINIBATCH}")

    @property
    def batch(self) -> int:
        """B, samples of a minibatch."""
        return self.envs * self.steps // self.minibatches


def _code(name: str, x: float, frac: int, unit: float = 1) -> int:
    return kept(name, x, round(x * unit * 2**frac), frac)


def registers(
    formats: PpoFormats,
    *,
    gaussian: bool,
    envs: int = 64,
    steps: int = 128,
    epochs: int = 4,
    minibatches: int = 4,
    gamma: float = 0.99,
    gae_lambda: float = 0.95,
    reward_scale: float = 1.0,
    clip: float = 0.2,
    entropy: float = 0.01,
    value: float = 0.5,
    value_clip: float | None = None,
    norm_limit: float | None = 0.5,
    learning_rate: float = 2.5e-4,
    adam_epsilon: float = 1e-5,
    falls: int = 0,
    seed: int = 0,
    lockstep: int = 0,
    record_bits: int = 0,
) -> PpoSettings:
    """Registers of PPO with these settings, as in CleanRL. Raises ValueError where one does not fit its register."""
    batch = envs * steps // minibatches
    greatest = (1 << 26) - 1
    if still(learning_rate, _MOST_STEP):
        warn(f"learning_rate is {learning_rate:g}: {STILL}")
    return PpoSettings(
        envs=envs,
        steps=steps,
        epochs=epochs,
        minibatches=minibatches,
        gamma=_code("gamma", gamma, FACTOR_FRAC),
        gamma_lambda=_code("gamma * gae_lambda", gamma * gae_lambda, FACTOR_FRAC),
        reward_scale=_code("reward_scale", reward_scale, FACTOR_FRAC),
        clip=_code("clip", clip, RATIO_FRAC),
        entropy=_code("entropy", entropy, ENTROPY_FRAC, 1 if gaussian else math.log(2)),
        value=_code("value", value, COEFFICIENT_FRAC),
        value_clip=_code("value_clip", value_clip or 0.0, OUT_FRAC),
        norm=norm.register(norm_limit, batch, formats.least(gaussian)) if norm_limit else greatest,
        rate=round(math.log2(learning_rate * 2**learner_format.WEIGHT_FRAC) * 2**LOG2_FRACTION),
        falls=falls,
        log_eps=log_register(adam_epsilon * batch),
        seed=seed,
        lockstep=lockstep,
        record_bits=record_bits,
    )
