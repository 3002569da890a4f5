"""The integer model behind the learner's pins: registers, beats of records and host streams as numbers."""

from collections.abc import Mapping, Sequence

import numpy as np

from rlcores.cores.learner import words as words_of
from rlcores.cores.learner.format import (
    OF_A_NETWORK,
    OPTIMISER_SETTINGS,
    DdpgFormats,
    LearnerFormats,
    LearnerSettings,
    NetworkSettings,
    equal_networks,
)
from rlcores.cores.learner.layout import WeightLayout
from rlcores.cores.learner.loss_settings import LossRegisters
from rlcores.cores.learner.loss_settings import bits as loss_bits
from rlcores.cores.learner.model import DdpgLearner, ValueLearner
from rlcores.cores.learner.network import NetworkModel
from rlcores.cores.learner.optimisers.slot import unpacked
from rlcores.cores.learner.records import Records
from rlcores.cores.learner.shape import LearnerShape
from rlcores.cores.learner.words import NETWORKS

# Ports cfg_* that are one number each, with their bits; negative: two's complement.
REGISTERS = {
    **{name: loss_bits(name) for name in LossRegisters.__annotations__},
    **{"batch": 16, "lag": 1, "sync_interval": 32, "tau": 17, "seed": 32, "pass_delta": -18},
}
# Of the optimiser's settings, those with a sign.
SIGNED = ("log_rate", "log_eps", "log_clip")
# A network's numbers of fraction bits, with the bits of one.
FRACTIONS = {"act": 5, "delta": 5, "grad": 6}
PORTS = (*REGISTERS, "pass_frac", "fracs", "optimisers")
_OPTIMISER = sum(OPTIMISER_SETTINGS.values())


def optimisers_of(ports: Mapping[str, int], count: int) -> list[dict[str, int]]:
    """The optimiser's settings of each of `count` networks that cfg_* ports hold."""
    words = [ports["optimisers"] >> _OPTIMISER * network & (1 << _OPTIMISER) - 1 for network in range(count)]
    every = [
        {name: x - (x >> 19 << 20) if name in SIGNED else x for name, x in unpacked(word).items()} for word in words
    ]
    for one in every:
        assert all(one[name] == every[0][name] for name in one if name not in OF_A_NETWORK)
    return every


def formats_of(shape: LearnerShape, ports: Mapping[str, int]) -> LearnerFormats | DdpgFormats:
    """The fractions that cfg_* ports hold. Raises ValueError where the core has no such shift."""

    def split(word: int, bits: int, layers: int, first: int = 0) -> tuple[int, ...]:
        fractions = [word >> bits * layer & (1 << bits) - 1 for layer in range(layers + 1)]
        return tuple([0] * first + fractions[first:])

    def formats(network: int, layers: int) -> LearnerFormats:
        words = words_of.FRACTIONS.unpack(ports["fracs"] >> words_of.FRACTIONS.bits * network)
        return LearnerFormats(*(split(words[name], bits, layers, name != "act") for name, bits in FRACTIONS.items()))

    value = formats(0, shape.value.layers)
    if shape.actor is None:
        return value
    through = split(ports["pass_frac"], 5, shape.value.layers)
    return DdpgFormats(value, formats(1, shape.actor.layers), through)


def settings_of(shape: LearnerShape, ports: Mapping[str, int]) -> LearnerSettings:
    """The other registers that cfg_* ports hold."""
    values = {}
    for name, bits in REGISTERS.items():
        value = ports[name]
        values[name] = value - (1 << -bits) if bits < 0 and value >> -bits - 1 else value
    every = optimisers_of(ports, len(shape.networks))
    networks = [NetworkSettings(**{name: one[name] for name in OF_A_NETWORK}) for one in every]
    networks += [NetworkSettings()] * (len(NETWORKS) - len(networks))
    shared = {name: value for name, value in every[0].items() if name not in OF_A_NETWORK}
    return LearnerSettings(networks=networks, **values, **shared)


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
        self.learner = self._build(formats, LearnerSettings(networks=equal_networks(rate_exp=30)))

    def _build(self, formats: LearnerFormats | DdpgFormats, settings: LearnerSettings) -> ValueLearner | DdpgLearner:
        return (DdpgLearner if self.shape.actor else ValueLearner)(self.shape, formats, settings)

    def networks(self) -> list[NetworkModel]:
        """The value network, and the actor where there is one."""
        return [self.learner.network] + ([self.learner.actor] if self.shape.actor else [])

    def configure(self, ports: Mapping[str, int]) -> None:
        """Registers as the cfg_* ports have them. New fractions want a seed() before the next stochastic rounding."""
        formats, settings = formats_of(self.shape, ports), settings_of(self.shape, ports)
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
