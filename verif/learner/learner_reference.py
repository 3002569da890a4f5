"""The integer model behind the learner's pins: registers, beats of records and host streams as numbers."""

from collections.abc import Mapping, Sequence

import numpy as np

from rlcores.cores.learner.format import OF_A_NETWORK, DdpgFormats, LearnerFormats, LearnerSettings
from rlcores.cores.learner.layout import WeightLayout
from rlcores.cores.learner.loss_settings import LossRegisters
from rlcores.cores.learner.loss_settings import bits as loss_bits
from rlcores.cores.learner.model import DdpgLearner, ValueLearner
from rlcores.cores.learner.network import NetworkModel
from rlcores.cores.learner.optimisers.slot import unpacked
from rlcores.cores.learner.records import Records
from rlcores.cores.learner.shape import LearnerShape

# Ports cfg_* that are one number each, with their bits; negative: two's complement.
REGISTERS = {
    **{name: loss_bits(name) for name in LossRegisters.__annotations__},
    **{"batch": 16, "lag": 1, "sync_interval": 32, "tau": 17, "seed": 32, "actor_delta": -18},
}
# Of the optimiser's settings, which stand side by side in two ports, those with a sign.
SIGNED = ("log_rate", "log_eps", "log_clip")
# Ports that hold a fraction for each layer, with the bits of one.
FRACTIONS = {
    **{"act_frac": 5, "delta_frac": 5, "grad_frac": 6, "actor_act_frac": 5, "actor_delta_frac": 5},
    **{"actor_grad_frac": 6, "pass_frac": 5},
}
PORTS = (*REGISTERS, *FRACTIONS, "optimiser", "actor_optimiser")


def optimiser_of(ports: Mapping[str, int]) -> dict[str, int]:
    """The optimiser's settings that cfg_* ports hold: those of the value network, and the actor's own."""
    values = unpacked(ports["optimiser"])
    actor = unpacked(ports["actor_optimiser"])
    assert all(actor[name] == values[name] for name in values if name not in OF_A_NETWORK)
    values |= {f"actor_{name}": actor[name] for name in OF_A_NETWORK}
    signed = {name for name in values if name.removeprefix("actor_") in SIGNED}
    return {name: x - (x >> 19 << 20) if name in signed else x for name, x in values.items()}


def formats_of(shape: LearnerShape, ports: Mapping[str, int]) -> LearnerFormats | DdpgFormats:
    """The fractions that cfg_* ports hold. Raises ValueError where the core has no such shift."""

    def split(name: str, layers: int, first: int = 0) -> tuple[int, ...]:
        bits = FRACTIONS[name]
        fractions = [ports[name] >> bits * layer & (1 << bits) - 1 for layer in range(layers + 1)]
        return tuple([0] * first + fractions[first:])

    def formats(prefix: str, layers: int) -> LearnerFormats:
        names = (("act_frac", 0), ("delta_frac", 1), ("grad_frac", 1))
        return LearnerFormats(*(split(prefix + name, layers, first) for name, first in names))

    value = formats("", shape.value.layers)
    if shape.actor is None:
        return value
    return DdpgFormats(value, formats("actor_", shape.actor.layers), split("pass_frac", shape.value.layers))


def settings_of(ports: Mapping[str, int]) -> LearnerSettings:
    """The other registers that cfg_* ports hold."""
    values = {}
    for name, bits in REGISTERS.items():
        value = ports[name]
        values[name] = value - (1 << -bits) if bits < 0 and value >> -bits - 1 else value
    return LearnerSettings(**values, **optimiser_of(ports))


def records_of(shape: LearnerShape, beats: Sequence[int]) -> Records:
    """Records from the beats of the stream, in order."""
    lanes = shape.value.lanes[0]
    words = np.array([beat >> 32 * lane & 0xFFFFFFFF for beat in beats for lane in range(lanes)], np.int64)
    words = words.reshape(-1, shape.record_beats * lanes)
    signed = words.astype(np.uint32).astype(np.int32).astype(np.int64)
    starts, at = [], 0
    for size in (3, shape.state_size, *((shape.action_size,) if shape.actor else ()), shape.state_size):
        starts.append(slice(at, at + size))
        at += -(-size // lanes) * lanes
    info = starts[0].start
    actions = signed[:, starts[2]] if shape.actor else words[:, info] & 0x7FFFFFFF
    return Records(
        states=signed[:, starts[1]],
        actions=actions,
        rewards=signed[:, info + 1],
        next_states=signed[:, starts[-1]],
        terminated=(words[:, info] >> 31).astype(bool),
        weights=signed[:, info + 2],
    )


class Reference:
    """What a core holds and answers. `learner` is the model with the registers of the last configure()."""

    def __init__(self, shape: LearnerShape) -> None:
        self.shape = shape
        networks = [shape.value] if shape.actor is None else [shape.value, shape.actor]
        self.layouts = [WeightLayout(network) for network in networks]
        layers = [network.layers for network in networks]
        formats = LearnerFormats.default(*layers) if len(layers) == 1 else DdpgFormats.default(*layers)
        self.learner = self._build(formats, LearnerSettings(rate_exp=30, actor_rate_exp=30))

    def _build(self, formats: LearnerFormats | DdpgFormats, settings: LearnerSettings) -> ValueLearner | DdpgLearner:
        return (DdpgLearner if self.shape.actor else ValueLearner)(self.shape, formats, settings)

    def networks(self) -> list[NetworkModel]:
        """The value network, and the actor where there is one."""
        return [self.learner.network] + ([self.learner.actor] if self.shape.actor else [])

    def configure(self, ports: Mapping[str, int]) -> None:
        """Registers as the cfg_* ports have them. New fractions want a seed() before the next stochastic rounding."""
        formats, settings = formats_of(self.shape, ports), settings_of(ports)
        if formats == self.learner.formats:
            self.learner.settings = settings
            return
        before, old = self.learner, self.networks()
        self.learner = self._build(formats, settings)
        for name in ("steps", "since_sync", "counters"):
            setattr(self.learner, name, getattr(before, name))
        for network, one in zip(self.networks(), old, strict=True):
            for plane in range(4):
                network.set_flat(one.planes[plane].copy(), plane)

    def seed(self, seed: int) -> None:
        """The generators of the stochastic rounding start anew."""
        self.learner.seed(seed)

    def reset(self) -> None:
        """rst: counters and steps are 0; weights stay."""
        self.learner.steps = self.learner.since_sync = 0
        self.learner.counters[:] = 0
        self.seed(0)

    def load(self, actor: int, plane: int, words: Sequence[int]) -> None:
        """A plane from the words of a host stream, signed."""
        self.networks()[actor].set_matrices(self.layouts[actor].from_stream(np.array(words, np.int64)), plane)

    def words(self, actor: int, plane: int) -> list[int]:
        """A plane as the host reads it, signed."""
        return self.layouts[actor].to_stream(self.networks()[actor].matrices(plane)).tolist()

    def step(self, records: Records) -> list[int]:
        """One step; the priorities as they leave, the last one with TLAST."""
        return self.learner.step_records(records).tolist()
