"""Zhang's (2022) mapping (section 4.4.2): learner and replay management onto devices, then the storage.

Every pair of devices is tried; of those that reach the best throughput, the one with fewest devices and least data
moved is taken, as section 4.5.4 does. The actors are on the CPU, so it is in use anyway.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rlcores.errors import UserError
from rlcores_lab.mapping.profiles import Profile
from rlcores_lab.mapping.workloads import CPU, DEVICES, GPU, Workload

EQUAL = 0.01  # throughputs that differ by less count as the same


@dataclass(frozen=True)
class Option:
    """Learner and RMM on two devices, or on one."""

    learner: str
    rmm: str
    seconds: float  # a gradient step

    @property
    def devices(self) -> set[str]:
        """Those in use, the actors' among them."""
        return {CPU, self.learner, self.rmm}


@dataclass(frozen=True)
class DeviceMapping:
    """What was chosen for one workload and batch."""

    workload: Workload
    batch: int
    chosen: Option
    storage: str
    traffic: int  # bytes between devices a gradient step
    options: tuple[Option, ...]  # all, best first
    train: dict[str, float | None]  # device -> seconds
    rmm: dict[str, float | None]

    @property
    def bound(self) -> str:
        """'learner' or 'rmm': what a gradient step waits for."""
        c = self.chosen
        return "learner" if self.train[c.learner] >= self.rmm[c.rmm] else "rmm"


def step_seconds(learner: str, rmm: str, train: float, replay: float) -> float:
    """A gradient step: both go on at the same time, but on a GPU, whose resources they share, one after the other."""
    return train + replay if learner == rmm == GPU else max(train, replay)


def traffic(workload: Workload, batch: int, actors: int, storage: str, learner: str, rmm: str) -> int:
    """Bytes that a gradient step moves to and from the storage: indices, records, and what the actors insert."""
    moved = (rmm != storage) * batch * 4
    moved += (learner != storage) * batch * workload.experience_bytes
    return moved + (storage != CPU) * actors * workload.experience_bytes


def choose(
    workload: Workload, batch: int, profiles: Mapping[str, Profile], actors: int = 16, capacity: int = 1_000_000
) -> DeviceMapping:
    """The mapping for one batch. capacity: experiences that the storage holds.

    Raises UserError when no device can train it, or none has the memory.
    """
    train = {d: p.training(workload.name, batch) for d, p in profiles.items()}
    rmm = {d: p.replay(batch) for d, p in profiles.items()}
    options = [
        Option(a, b, step_seconds(a, b, train[a], rmm[b]))
        for a in profiles
        for b in profiles
        if train[a] is not None and rmm[b] is not None
    ]
    if not options:
        raise UserError(f"no device was profiled with {workload.title} at batch {batch:,}")
    best = min(option.seconds for option in options)

    def placed(option: Option) -> tuple[int, str]:
        return storage(workload, batch, profiles, actors, capacity, option)

    equal = [o for o in options if o.seconds <= best * (1 + EQUAL)]
    chosen = min(equal, key=lambda o: (len(o.devices), placed(o)[0], o.seconds, _order(o)))
    moved, where = placed(chosen)
    ranked = sorted(options, key=lambda o: (o.seconds, len(o.devices), _order(o)))
    return DeviceMapping(workload, batch, chosen, where, moved, tuple(ranked), train, rmm)


def storage(
    workload: Workload, batch: int, profiles: Mapping[str, Profile], actors: int, capacity: int, option: Option
) -> tuple[int, str]:
    """(bytes per step, device) of the storage that moves least, among the devices in use that can hold it."""
    needed = gib(workload, capacity)
    able = [d for d in DEVICES if d in option.devices and d in profiles and profiles[d].memory_gib >= needed]
    if not able:
        have = ", ".join(f"{d} {profiles[d].memory_gib:g}" for d in DEVICES if d in option.devices and d in profiles)
        raise UserError(
            f"{capacity:,} experiences of {workload.title} take {needed:.3g} GiB; there are only {have}: "
            "ask for fewer with --buffer-size"
        )
    moved = {d: traffic(workload, batch, actors, d, option.learner, option.rmm) for d in able}
    # Of equal ones the learner's device.
    where = min(able, key=lambda d: (moved[d], d != option.learner))
    return moved[where], where


def gib(workload: Workload, capacity: int) -> float:
    """What `capacity` experiences take."""
    return capacity * workload.stored_bytes / 2**30


def _order(option: Option) -> Sequence[int]:
    return DEVICES.index(option.learner), DEVICES.index(option.rmm)
