"""Rooflines of the three devices (Meng et al. 2022, Figure 11): what arithmetic and memory allow, and what is reached.

An operation is a multiplication or an addition. Bytes are those that a step must move through the device's own DRAM:
the learner's a batch of experiences and its weights, read for each pass and written once; the RMM's the lines of the
tree that samples and updates touch. On the FPGA weights and tree are on the chip, so of the learner only the
experiences are left, and the roof of the RMM is the on-chip memory. A processor has the tree in its cache.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rlcores.eda.boards import Board, Clock
from rlcores_lab.bench import peer
from rlcores_lab.mapping import profiles
from rlcores_lab.mapping.profiles import LEAVES, Profile
from rlcores_lab.mapping.workloads import CPU, FPGA, GPU, Workload

_FANOUT, _SUM_BYTES = 16, 8
_CHANNELS = {"u200": 4}  # of DDR4-2400, 19.2 GB/s each
_CHANNEL = 19.2e9
_RMM = {CPU: "cache", GPU: "DRAM", FPGA: "on-chip"}  # where the tree is
_WEIGHT_PASSES = 4  # forward, target's forward, backward, update


@dataclass(frozen=True)
class Roof:
    """A device: operations a second, and bytes a second of each memory by name."""

    device: str
    title: str
    how: str
    peak: float
    memories: dict[str, float]


@dataclass(frozen=True)
class Point:
    """What a primitive reaches: operations a byte of that memory, operations a second."""

    device: str
    what: str  # learner or RMM
    workload: str
    batch: int
    memory: str
    intensity: float
    reached: float


def processor(seconds: float) -> Roof:
    """This machine on one thread, measured: float32 products of matrices, and copies of 8 MiB and of 128 MiB."""
    a, b = (np.random.default_rng(n).random((768, 768), np.float32) for n in range(2))
    out = np.empty_like(a)
    product = peer.least(lambda n: np.matmul(a, b, out=out), seconds)
    memories = {}
    for name, size in (("cache", 1 << 19), ("DRAM", 1 << 23)):
        one, other = np.ones(size), np.empty(size)
        took = peer.least(lambda n, one=one, other=other: np.copyto(other, one), seconds)
        memories[name] = 2 * one.nbytes / took
    return Roof(CPU, "CPU, one thread", "measured", 2 * 768**3 / product, memories)


def graphics(name: str) -> Roof:
    """A GPU of gpus.yaml: the vendor's peaks."""
    g = profiles.assumed_gpus()[name]
    return Roof(GPU, f"{g['title']} (assumed)", "assumed", 1e12 * g["tflops"], {"DRAM": 1e9 * g["gb_per_s"]})


def board(of: Board, clock: Clock) -> Roof:
    """A board at its clock: all multipliers of the learner, both ports of all memories, 72 bits each."""
    hertz = 1e6 * clock.mhz
    memories = {"on-chip": (of.resources["bram36"] + of.resources.get("uram", 0)) * 2 * 9 * hertz}
    if of.name in _CHANNELS:
        memories["DRAM"] = _CHANNELS[of.name] * _CHANNEL
    return Roof(FPGA, f"{of.title} at {clock.mhz:g} MHz", "model", 2 * of.learner_dsp * hertz, memories)


def points(chosen: list[tuple[Workload, int]], by_device: Mapping[str, Profile]) -> list[Point]:
    """Learner and RMM of each workload and batch on each device that was profiled with them."""
    result = []
    for device, profile in by_device.items():
        for workload, batch in chosen:
            if seconds := profile.training(workload.name, batch):
                work = 2.0 * workload.step_macs() * batch
                moved = float(batch * workload.experience_bytes)
                if device != FPGA:
                    moved += _WEIGHT_PASSES * 4 * weights(workload)
                at = device, "learner", workload.name, batch, "DRAM"
                result.append(Point(*at, work / moved, work / seconds))
        for batch in sorted({batch for _, batch in chosen}):
            if seconds := profile.replay(batch):
                levels = math.ceil(math.log(LEAVES, _FANOUT))
                # A sample adds and compares a line of sums on each level, an update adds to one number.
                work, moved = batch * levels * (2.0 * _FANOUT + 1), batch * levels * (_FANOUT + 2.0) * _SUM_BYTES
                at = device, "RMM", "", batch, _RMM[device]
                result.append(Point(*at, work / moved, work / seconds))
    return result


def weights(workload: Workload) -> int:
    """Numbers of all networks that learn."""
    shapes = workload.conv_shapes()
    conv = sum(c.channels * (shapes[n][0] * c.kernel**2 + 1) for n, c in enumerate(workload.convs))
    dense = sum((i + 1) * o for sizes in (workload.sizes, workload.actor_sizes) for i, o in pairwise(sizes))
    return conv + dense


def share(point: Point, roofs: Mapping[str, Roof]) -> float:
    """Of what the roof above a point allows."""
    roof = roofs[point.device]
    limit = min(roof.peak, roof.memories.get(point.memory, math.inf) * point.intensity)
    return point.reached / limit
