"""Resources of the PPO core: DSP slices by part, LUTs, flip-flops and memory of its largest parts."""

from collections.abc import Mapping

from rlcores.cores.env import area as env_area
from rlcores.cores.learner import area as learner_area
from rlcores.cores.ppo.shape import Shape
from rlcores.engine.estimate.memory import block
from rlcores.engine.estimate.part import Counts, of

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


_OBSERVATION = 18  # bits of a number
_RECORD = 27 + 27 + 28 + 8  # log-probability, value, reward or advantage with its end, action


def total(parameters: Mapping[str, int | str]) -> Counts:
    """Resources of `rlc_ppo_axi`, or with ENV of `rlc_ppo_env`. Raises ValueError for a shape that cannot be built.

    LUTs, flip-flops and memory are those of the tensor units, the rollout and the environments alone: heads, loss, loop
    and registers were not synthesised yet, so that these three are too low.
    """
    shape = Shape.of(parameters)
    shape.check()
    units = [
        learner_area.module(kind, given)
        for net in shape.networks.values()
        for name, kind, given, _ in learner_area.units(shape.learner(net))
        if name[:2] in ("FW", "BW", "WA", "WU")
    ]
    record = _RECORD + _OBSERVATION * shape.actor.sizes[0]
    rollout = of(block(record, shape.records))
    found = learner_area.add(*units, rollout.counts) | {"dsp": dsp(shape)}
    return learner_area.add(found, env_area.total(parameters)) if "ENV" in parameters else found
