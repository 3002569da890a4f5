"""The learner's registers from real hyper-parameters, back, and packed as the core's configuration ports have them."""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Unpack

from rlcores.cores.learner.format import (
    ACT_WIDTH,
    OPTIMISER_SETTINGS,
    WEIGHT_FRAC,
    DdpgFormats,
    LearnerFormats,
    LearnerSettings,
    NetworkSettings,
)
from rlcores.cores.learner.loss_settings import LossOptions, codes, factor
from rlcores.cores.learner.optimisers.adam import log_rate, log_register
from rlcores.cores.learner.optimisers.adamw import decay_of
from rlcores.cores.learner.optimisers.slot import Betas
from rlcores.cores.learner.optimisers.slot import packed as pack_settings
from rlcores.cores.learner.update import RATE_MAX
from rlcores.cores.learner.words import FRACTIONS, NETWORKS
from rlcores.eda.registers import load

# Adam's ratio |m| / sqrt(v) cannot exceed 7.3 with betas 0.9 and 0.999 (Cauchy-Schwarz), so this limits nothing but
# what the least sqrt(v) lets through.
CLIP = 8.0


STILL = f"a weight, in steps of 2**-{WEIGHT_FRAC}, does not move by so little"


def still(rate: float, most: float = CLIP) -> bool:
    """Whether no weight moves at this rate, rounded to nearest. most: the most that a rate is multiplied by.

    >>> still(1e-9), still(1e-6), still(0.0)
    (True, False, False)
    """
    return 0 < rate * most < 2.0 ** -(WEIGHT_FRAC + 1)


def settings(
    formats: LearnerFormats | DdpgFormats,
    *,
    batch: int = 64,
    lag: bool = True,
    target_update_interval: int = 0,
    tau: float = 0.0,
    learning_rate: float = 1e-3,
    momentum: float = 0.9,
    adam_epsilon: float = 1e-8,
    clip: float = CLIP,
    weight_decay: float = 0.0,
    actor_learning_rate: float = 1e-4,
    seed: int = 0,
    **loss: Unpack[LossOptions],
) -> LearnerSettings:
    """Registers from real numbers. Rates, the loss and adam_epsilon are of the batch's mean loss, as in learner_float.

    The core sums over the batch: SGD's rate is divided by it, Adam's epsilon multiplied. Adam's rates are those of
    many steps; adam_rate() has the bias correction of the first ones. Raises ValueError where a register cannot hold a
    number.
    """
    value = formats.value if isinstance(formats, DdpgFormats) else formats
    for rate in (learning_rate, actor_learning_rate):
        if not (math.isfinite(rate) and rate >= 0):
            raise ValueError(f"the learning rate is {rate}; it must be a number of 0 or more")
    registers = {
        "batch": batch,
        **codes(loss, value.act_frac[-1]),
        "lag": lag,
        "sync_interval": _interval(target_update_interval),
        "tau": min(factor("tau", tau), RATE_MAX),
        "momentum": min(factor("momentum", momentum), RATE_MAX),
        "log_eps": log_register(adam_epsilon * batch, 4096 - 2**19),
        "log_clip": log_register(clip),
        "networks": [
            NetworkSettings(*rate_of(each / batch, own.grad_frac[1:]), log_rate(each), decay_of(each * weight_decay))
            for each, own in zip((learning_rate, actor_learning_rate), of_networks(formats), strict=False)
        ],
        "seed": seed,
    }
    if not (math.isfinite(weight_decay) and weight_decay >= 0):
        raise ValueError(f"weight_decay is {weight_decay}; it must be 0 or more")
    if adam_epsilon < 0:
        raise ValueError(f"adam_epsilon is {adam_epsilon}; it must be 0 or more")
    if isinstance(formats, DdpgFormats):
        if formats.pass_frac[-1] >= ACT_WIDTH:
            raise ValueError(f"the pass begins with fraction {formats.pass_frac[-1]}; -1.0 fits up to {ACT_WIDTH - 1}")
        registers["pass_delta"] = -(1 << formats.pass_frac[-1])
    registers["networks"] += [NetworkSettings()] * (len(NETWORKS) - len(registers["networks"]))
    return LearnerSettings(**registers)


def _interval(steps: int) -> int:
    if not 0 <= steps < 2**32:
        raise ValueError(f"target_update_interval is {steps}; the register holds 0 to {2**32 - 1}")
    return steps


def rate_of(rate: float, grad_frac: Sequence[int]) -> tuple[int, int]:
    """Mantissa and exponent of a rate on the batch's sum, rate = mantissa / 2**exponent, as many bits as there are.

    grad_frac: of the layers; the exponent is clipped to what their shifts allow. Raises ValueError.
    """
    if not (math.isfinite(rate) and rate >= 0):
        raise ValueError(f"the learning rate is {rate}; it must be a number of 0 or more")
    least = max(0, WEIGHT_FRAC - min(grad_frac))
    most = min(63, 63 + WEIGHT_FRAC - max(grad_frac))
    exponent = most if rate == 0 else 16 - math.floor(math.log2(rate))
    exponent = min(max(exponent, least), most)
    mantissa = math.floor(rate * 2**exponent + 0.5)
    if mantissa > RATE_MAX and exponent > least:
        exponent -= 1
        mantissa = math.floor(rate * 2**exponent + 0.5)
    if mantissa > RATE_MAX:
        most = RATE_MAX / 2**least
        raise ValueError(f"the learning rate on the batch's sum is {rate:g}; the core has at most {most:g}")
    return mantissa, exponent


_BETAS = Betas()


class AdamRate:
    """Register log_rate of every step: bias correction is folded into the rate, and fades after some thousand steps."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self.settled = log_rate(rate)
        # From here on the correction is below a hundredth of the register's last place.
        self._last = math.ceil(math.log(1e-5) / math.log(max(_BETAS.beta1, _BETAS.beta2)))

    def at(self, step: int) -> int:
        """The register of step number 1, 2, ..."""
        return self.settled if step > self._last else _log_rate(self._rate, step)


@lru_cache(maxsize=16)  # networks of an algorithm ask for the same one, one after the other
def _log_rate(rate: float, step: int) -> int:
    return log_rate(rate, step, _BETAS)


def pack_fractions(fractions: Sequence[int], bits: int) -> int:
    """Fractions of layers 0, 1, ... side by side, `bits` each."""
    return sum(f << (bits * layer) for layer, f in enumerate(fractions))


def fractions(formats: LearnerFormats) -> dict[str, int]:
    """The three registers of a network's fractions, by name."""
    bits = {"act_frac": 5, "delta_frac": 5, "grad_frac": 6}
    return {name: pack_fractions(getattr(formats, name), each) for name, each in bits.items()}


def words(formats: LearnerFormats | DdpgFormats, registers: LearnerSettings) -> dict[str, int]:
    """What stands in the registers of the networks that there are, by name in small letters, without signs.

    double and lag are bits of CONTROL.
    """
    values = _of_core(formats, registers)
    for number, own in enumerate(of_networks(formats)):
        settings = fractions(own) | vars(registers.networks[number])
        values |= {f"net{number}_{name}": value for name, value in settings.items()}
    return _unsigned(values)


def _of_core(formats: LearnerFormats | DdpgFormats, registers: LearnerSettings) -> dict[str, int]:
    """What is in no network; the way of the actor's gradient only where there is an actor."""
    values: dict[str, int] = {name: value for name, value in vars(registers).items() if name != "networks"}
    if isinstance(formats, DdpgFormats):
        values["pass_frac"] = pack_fractions(formats.pass_frac, 5)
    else:
        del values["pass_delta"]
    return values


def _unsigned(values: Mapping[str, int]) -> dict[str, int]:
    known = load("learner")
    return {
        name: int(value) & (known[name.upper()].mask("rw") if name.upper() in known else 1)
        for name, value in values.items()
    }


def ports(formats: LearnerFormats | DdpgFormats, registers: LearnerSettings) -> dict[str, int]:
    """All cfg_* ports of rlc_learner by name, as unsigned numbers: those of the networks stand side by side."""
    values = {"pass_delta": 0, "pass_frac": 0} | _unsigned(_of_core(formats, registers))
    shared = {name: values.pop(name) for name in OPTIMISER_SETTINGS if name in values}
    networks = of_networks(formats)
    values["fracs"] = pack_networks(networks)
    values["optimisers"] = sum(
        pack_settings(shared | vars(own)) << sum(OPTIMISER_SETTINGS.values()) * number
        for number, own in enumerate(registers.networks[: len(networks)])
    )
    return {f"cfg_{name}": value for name, value in values.items()}


def pack_networks(networks: Iterable[LearnerFormats]) -> int:
    """The fractions of networks side by side, the first one's lowest, each as words.FRACTIONS has them."""
    return sum(
        FRACTIONS.pack(**{name.removesuffix("_frac"): value for name, value in fractions(own).items()})
        << FRACTIONS.bits * number
        for number, own in enumerate(networks)
    )


def of_networks(formats: LearnerFormats | DdpgFormats) -> list[LearnerFormats]:
    """The fractions of each network, in the order of words.NETWORKS."""
    return [formats.value, formats.actor] if isinstance(formats, DdpgFormats) else [formats]
