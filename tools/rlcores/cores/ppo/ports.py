"""The configuration ports of rlc_ppo, by name, from formats and settings."""

from rlcores.cores.common.draws import state_of
from rlcores.cores.common.log2exp2 import log2_fixed
from rlcores.cores.learner.registers import pack_fractions
from rlcores.cores.ppo.settings import Formats, Settings

_SIGNED = {"log_eps": 20, "log_clip": 20, "norm": 28, "rate": 28}  # bits of those that may be negative


def ports(formats: Formats, settings: Settings, columns: int, todo: int = 0) -> dict[str, int]:
    """All cfg_* ports as unsigned numbers. columns: DP of the core; todo: iterations of a run, 0: until `halt`.

    >>> from rlcores.cores.ppo.settings import registers
    >>> from rlcores.cores.learner.format import Formats as Network
    >>> made = Formats(Network((14, 16), (0, 12), (0, 18)), Network((14, 16), (0, 12), (0, 18)))
    >>> ports(made, registers(made, gaussian=False), columns=5)["cfg_waves"]
    410
    """
    s, batch = settings, settings.batch
    found = {
        "seed": sum(word << 32 * i for i, word in enumerate(state_of(s.seed))),
        "todo": todo,
        "iterations": s.falls,
        "steps": s.steps,
        "epochs": s.epochs,
        "batch": batch,
        "batch_bits": (batch - 1).bit_length(),
        "batch_log": int(log2_fixed(batch)) - int(log2_fixed(batch - 1)),
        "waves": -(-batch // columns),
        "logs_frac": formats.logs,
    }
    for prefix, network in (("actor_", formats.actor), ("", formats.critic)):
        if network is not None:
            found[f"{prefix}act_frac"] = pack_fractions(network.act_frac, 5)
            found[f"{prefix}delta_frac"] = pack_fractions(network.delta_frac, 5)
            found[f"{prefix}grad_frac"] = pack_fractions(network.grad_frac, 6)
    for name in ("gamma", "gamma_lambda", "reward_scale", "clip", "entropy", "value", "value_clip", *_SIGNED):
        found[name] = getattr(s, name) & ((1 << _SIGNED.get(name, 32)) - 1)
    return {f"cfg_{name}": value for name, value in found.items()}
