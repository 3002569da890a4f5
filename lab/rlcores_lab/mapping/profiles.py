"""Seconds of training and of replay management on each device: measured, read from a file, assumed, or modelled."""

import importlib.util
import json
import math
import os
import platform
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from rlcores.base import files, report, tools
from rlcores.eda import configs
from rlcores.eda.boards import Board, Clock
from rlcores.errors import UserError
from rlcores_lab.bench import peer, sumtree_peers
from rlcores_lab.mapping import fpga, steps
from rlcores_lab.mapping.workloads import CPU, FPGA, GPU, WORKLOADS, Workload

LEAVES = 1 << 20  # of the priority tree
_HERE = Path(__file__).resolve().parent
_HOWS = ("measured", "assumed", "model")

Step = Callable[[str], None]


@dataclass(frozen=True)
class Profile:
    """One device: seconds of a training step by workload and batch, and of a batch's samples and updates."""

    device: str  # cpu, gpu or fpga
    name: str  # what it is
    how: str  # measured, assumed or model
    memory_gib: float  # for experiences
    train: dict[str, dict[int, float]] = field(default_factory=dict)
    rmm: dict[int, float] = field(default_factory=dict)
    unfit: dict[str, str] = field(default_factory=dict)  # 'hopper 16384' -> why it cannot train that

    def training(self, workload: str, batch: int) -> float | None:
        """Seconds of a training step; None when the device cannot, or was not measured with this workload."""
        if f"{workload} {batch}" in self.unfit or not self.train.get(workload):
            return None
        return between(self.train[workload], batch)

    def replay(self, batch: int) -> float | None:
        """Seconds of a batch's samples and priority updates; None when not measured."""
        return between(self.rmm, batch) if self.rmm else None


def between(points: Mapping[int, float], batch: int) -> float:
    """Seconds at a batch: straight between measured ones on logarithmic axes.

    Above the longest one in proportion, below the shortest one as that.
    """
    sizes = sorted(points)
    if batch <= sizes[0]:
        return points[sizes[0]]
    if batch >= sizes[-1]:
        return points[sizes[-1]] * batch / sizes[-1]
    return math.exp(float(np.interp(math.log(batch), np.log(sizes), np.log([points[s] for s in sizes]))))


def save(profiles: Iterable[Profile], file: Path) -> None:
    """Profiles as JSON, for load(). Raises UserError when it cannot be written."""
    report.put(file, json.dumps({"profiles": [asdict(p) for p in profiles]}, indent=2) + "\n")


def load(file: Path, device: str) -> Profile:
    """The profile of a device in a file of save(). Raises UserError when there is none."""
    profiles = files.read_as(
        file, "a file of `rlcores map --save`", lambda d: [_read(e) for e in d["profiles"] if e["device"] == device]
    )
    if not profiles:
        raise UserError(f"'{file}' holds no profile of a {device}")
    return profiles[0]


def _read(entry: dict) -> Profile:
    def points(seconds_of: Mapping[str, float]) -> dict[int, float]:
        read = {int(batch): float(seconds) for batch, seconds in seconds_of.items()}
        if any(batch < 1 or not 0 < seconds < math.inf for batch, seconds in read.items()):
            raise ValueError
        return read

    if entry["how"] not in _HOWS:
        raise ValueError
    train = {name: points(seconds) for name, seconds in entry["train"].items()}
    memory = float(entry["memory_gib"])
    unfit = dict(entry.get("unfit", {}))
    return Profile(entry["device"], str(entry["name"]), entry["how"], memory, train, points(entry["rmm"]), unfit)


def cpu(
    wanted: Sequence[tuple[Workload, int]], seconds: float, step: Step = lambda what: None, seed: int = 0
) -> Profile:
    """This machine's processor, measured: the faster of NumPy and PyTorch, where installed; the tree on one thread.

    Both are timed in the processor's time, so without the turns of other programs; the profile's name has the load.
    """
    makers: dict[str, Callable] = {"NumPy": steps.numpy_step}
    if importlib.util.find_spec("torch"):
        makers["PyTorch"] = lambda workload, size, seed: steps.torch_step(workload, size, "cpu", seed)
    train: dict[str, dict[int, float]] = {}
    for workload, batch in wanted:
        step(f"processor: {workload.title}, batch {batch:,}")
        calls = [make(workload, batch, seed) for make in makers.values()]
        times = [peer.least(lambda n, call=call: call(), seconds, time.process_time) for call in calls]
        train.setdefault(workload.name, {})[batch] = min(times)
    step("processor: priority tree")
    batches = sorted({batch for _, batch in wanted})
    rmm = {}
    native = tools.have("g++")
    for batch in batches:
        # The C++ tree does one record after the other, so its time a record does not hang on the batch.
        if native and rmm:
            first = next(iter(rmm))
            rmm[batch] = rmm[first] / first * batch
            continue
        make = sumtree_peers.Native if native else sumtree_peers.NumpyTree
        cut = min(batch, 256) if native else batch
        timing = sumtree_peers.measure(make, LEAVES, cut, seed, seconds, time.process_time)
        rmm[batch] = 1e-9 * batch * (timing.sample_ns + timing.update_ns)
    with_what = f"{' or '.join(makers)}, tree in {'C++' if native else 'NumPy'}"
    # Of the last five minutes, so also of the time before the measurement.
    name = f"{_processor()}, one of {os.cpu_count()} threads, {with_what}, at a load of {os.getloadavg()[1]:.1f}"
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return Profile(CPU, name, "measured", round(memory, 1), train, rmm)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def have_gpu() -> bool:
    """Whether PyTorch is installed and finds a GPU."""
    if not importlib.util.find_spec("torch"):
        return False
    import torch

    return torch.cuda.is_available()


def gpu(
    chosen: Sequence[tuple[Workload, int]],
    seconds: float,
    step: Step = lambda what: None,
    seed: int = 0,
    device: str = "cuda",
) -> Profile:
    """The GPU that PyTorch finds, measured: steps in PyTorch, steps.TorchTree. device: PyTorch's name of it."""
    import torch

    train: dict[str, dict[int, float]] = {}
    for workload, batch in chosen:
        step(f"GPU: {workload.title}, batch {batch:,}")
        call = steps.torch_step(workload, batch, device, seed)
        train.setdefault(workload.name, {})[batch] = peer.least(lambda n, call=call: call(), seconds)
    step("GPU: priority tree")
    tree = steps.TorchTree(LEAVES, device)
    rng = np.random.default_rng(seed)
    tree.update(torch.arange(LEAVES, device=device), torch.ones(LEAVES, dtype=torch.float64, device=device))
    rmm = {}
    for batch in sorted({batch for _, batch in chosen}):
        index = torch.as_tensor(rng.choice(LEAVES, batch, replace=False), device=device)
        priority, u = (torch.as_tensor(rng.random(batch), device=device) for _ in range(2))

        def both(number: int, index=index, priority=priority, u=u) -> None:
            tree.sample(u)
            tree.update(index, priority)
            if device != "cpu":
                torch.cuda.synchronize()

        rmm[batch] = peer.least(both, seconds)
    if device == "cpu":
        return Profile(GPU, "PyTorch on the processor", "measured", 0.0, train, rmm)
    properties = torch.cuda.get_device_properties(device)
    return Profile(GPU, properties.name, "measured", round(properties.total_memory / 2**30, 1), train, rmm)


def assumed_gpus() -> dict[str, dict]:
    """The GPUs of gpus.yaml, by name."""
    return files.read_yaml(_HERE / "gpus.yaml", "a list of GPUs")


def assumed_gpu(name: str, wanted: Sequence[tuple[Workload, int]]) -> Profile:
    """A GPU of gpus.yaml: operations times the time to start one, and arithmetic at a share of the peak.

    Raises UserError listing them when there is none of that name.
    """
    known = assumed_gpus()
    if name not in known:
        raise UserError(f"there is no GPU profile '{name}': neither a file nor one of {', '.join(known)}")
    g = known[name]
    start, rate = 1e-6 * g["operation_us"], 1e12 * g["tflops"] * g["efficiency"]
    train: dict[str, dict[int, float]] = {}
    for workload, batch in wanted:
        work = 2 * workload.step_macs() * batch / rate
        train.setdefault(workload.name, {})[batch] = operations(workload) * start + work
    rmm = {batch: sum(assumed_replay(g, batch)) for batch in sorted({batch for _, batch in wanted})}
    return Profile(GPU, g["title"], "assumed", float(g["memory_gib"]), train, rmm)


def assumed_replay(g: dict, batch: int) -> tuple[float, float]:
    """Seconds of a batch's samples and of its updates on a GPU of gpus.yaml.

    A level of the sample gathers 16 sums a record and does seven operations, one of the update does four.
    """
    levels = math.ceil(math.log(LEAVES, 16))
    moved = batch * levels * 16 * 8 * 4 / (1e9 * g["gb_per_s"] * g["efficiency"])
    return tuple(count * levels * 1e-6 * g["operation_us"] + moved for count in (7, 4))


def operations(workload: Workload) -> int:
    """Operations that PyTorch starts for a training step: two a layer forward, four a layer back, loss and update."""
    update, loss = 12, 15
    value = len(workload.convs) + len(workload.sizes) - 1
    count = 2 * value * 2 + 4 * value + loss + 2 * update
    if workload.actor_sizes:
        actor = len(workload.actor_sizes) - 1
        count += 2 * actor * 2 + 4 * actor + (2 + 2) * value + 2 * update
    return count


def on_board(board: Board, wanted: Sequence[tuple[Workload, int]], clock: Clock, dsp: int | None = None) -> Profile:
    """A board at a clock, by the cycle models: the learner that fits it for each batch, and one sum tree."""
    train: dict[str, dict[int, float]] = {}
    unfit: dict[str, str] = {}
    budget = board.learner_dsp if dsp is None else dsp
    for workload, batch in wanted:
        why = fpga.unfit(workload, batch)
        design = None if why else fpga.learner(workload, batch, budget)
        if design is None:
            unfit[f"{workload.name} {batch}"] = why or f"no learner of it fits into {budget:,} DSP slices"
        else:
            train.setdefault(workload.name, {})[batch] = 1e-6 * design.clocks(batch) / clock.mhz
    tree = configs.load("sumtree", board.name)
    batches = sorted({batch for _, batch in wanted})
    rmm = {batch: 1e-6 * fpga.tree_clocks(tree, batch) / clock.mhz for batch in batches}
    name = f"{board.name} at {clock}, learner of at most {budget:,} DSP slices"
    return Profile(FPGA, name, "model", board.memory_gib, train, rmm, unfit)


def every(names: Sequence[str], batches: Sequence[int] = ()) -> list[tuple[Workload, int]]:
    """(workload, batch) of these workloads: the batches given, or those of Table 4.3."""
    return [(WORKLOADS[n], b) for n in names for b in (batches or WORKLOADS[n].batches)]
