"""PPO core, its DSP slices by part."""

from rlcores.cores.ppo.shape import Shape

_LANE = 2  # of the weight update: the clipped gradient, and its square
# Parts that no shape changes. A product of two numbers of more than 18 bits is two slices.
_FIXED = {
    "loss": 11,  # rlc_ppo_loss, or rlc_ppo_gaussian
    "collect": 2,  # reward's scale, gamma times the value of a cut-off episode's last observation
    "statistics": 6,  # rlc_ppo_scale and rlc_ppo_standardise
    "norm and rate": 3,  # rlc_ppo_norm and rlc_ppo_rate
    "permutation": 6,  # rlc_ppo_permute
}
_ROW = 2  # rlc_ppo_gae
_ACT = 4  # rlc_ppo_act
_ACT_GAUSSIAN = 8
_DEVIATIONS = 3  # rlc_ppo_deviations


def parts(shape: Shape) -> dict[str, int]:
    """DSP slices of the parts of a core, without its environments."""
    lanes = sum(net.update_lanes(n) for net in shape.networks.values() for n in range(1, net.layers + 1))
    return {
        "tensor units": sum(shape.macs().values()),
        "weight update": lanes * _LANE,
        "gae": shape.gae_rows * _ROW,
        "acting": _ACT_GAUSSIAN if shape.gaussian else _ACT,
        "log-deviations": _DEVIATIONS * shape.gaussian,
        **_FIXED,
    }


def dsp(shape: Shape) -> int:
    """DSP slices of a core, without its environments."""
    return sum(parts(shape).values())
