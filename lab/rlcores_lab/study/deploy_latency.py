"""Latency of deployed networks, counted in RTL: the folder's own bench under Verilator (docs/deploy_study.md).

Weights are random, for clocks do not depend on them. The bench fails unless every answer is right and comes in the
clock that the model says, so a kept result is one that was counted.
"""

import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from rlcores.base import report, tools
from rlcores.cores.mlp import cycles
from rlcores.deploy import folder, formats, sizing
from rlcores.deploy.network import Head, Layer, Policy, straight
from rlcores.errors import RunFailed
from rlcores_lab.study import runs

KEPT = Path(__file__).with_name("deploy_latency.jsonl")
MHZ = 200.0
OBSERVATIONS = 24


@dataclass(frozen=True)
class Case:
    """A network and the latency that it is sized for, in microseconds."""

    name: str
    sizes: tuple[int, ...]
    kinds: tuple[str, ...]
    limit_us: float
    argmax: bool = False


CASES = (
    Case("cartpole", (4, 64, 64, 2), ("tanh", "tanh", "identity"), 0.3, True),
    Case("robot", (17, 256, 256, 6), ("relu", "relu", "tanh"), 1.5),
    Case("locomotion", (48, 512, 256, 128, 12), ("elu", "elu", "elu", "identity"), 5.0),
)
BY_NAME = {case.name: case for case in CASES}


@dataclass
class Counted:
    """A network's latency in RTL."""

    name: str
    network: str
    activations: str
    limit_us: float
    multiplier: str
    array: str
    multipliers: int  # of the array and of the activation units
    clocks: int
    latency_us: float  # at 200 MHz, which no vendor tool has met
    observations: int
    sets_taken: int
    seconds: float = 0.0
    commit: str = ""


def policy(case: Case, seed: int = 1) -> Policy:
    """A policy of random weights."""
    rng = np.random.default_rng(seed)
    layers = tuple(
        Layer(rng.normal(size=(outputs, inputs)) / np.sqrt(inputs), rng.normal(size=outputs) * 0.1, kind)
        for inputs, outputs, kind in zip(case.sizes, case.sizes[1:], case.kinds, strict=False)
    )
    head = Head("argmax") if case.argmax else straight(case.sizes[-1])
    return Policy(layers, head, source=f"random weights, seed {seed}")


def count(case: Case, multiplier: str, bits: int = 8) -> Counted:
    """Size a case for 200 MHz, simulate its folder, and say how many clocks an answer took.

    Raises RunFailed if an answer is wrong or comes in another clock than the model's.
    """
    began = time.process_time()
    x = np.random.default_rng(2).normal(size=(OBSERVATIONS, case.sizes[0]))
    widths = {"weight_width": bits, "act_width": bits}
    loose = formats.quantise(policy(case), x, **widths)
    sized = sizing.size(loose.shape, latency=case.limit_us * 1e-6, multiplier=multiplier)
    array = sized.shape
    quantised = formats.quantise(
        policy(case), x, rows=array.rows, cols=array.cols, acts=array.acts, multiplier=multiplier, **widths
    )
    with TemporaryDirectory() as temporary:
        there = Path(temporary) / "policy"
        folder.write(quantised, sizing.Sized(quantised.shape, sized.clock), x, there)
        done = subprocess.run(
            ["make", "-C", there / "bench", "verilator"],
            env=tools.env() | {"CXXFLAGS": "-std=c++20"}, capture_output=True, text=True,
        )  # fmt: skip
    line = next((line for line in done.stdout.splitlines() if "RTL:" in line or "FAILED" in line), "")
    if done.returncode or "RTL:" not in line:
        raise RunFailed(f"{case.name}: the RTL's bench failed: {line or (done.stdout + done.stderr)[-300:]}")
    numbers = [int(word) for word in line.split("RTL:")[1].split() if word.isdigit()]
    clocks = cycles.answer(quantised.shape)
    return Counted(
        case.name, "-".join(map(str, case.sizes)), " ".join(case.kinds), case.limit_us, multiplier,
        f"{array.rows}x{array.cols}/{array.acts}", cycles.dsps(quantised.shape), clocks, clocks / MHZ, *numbers[:2],
        round(time.process_time() - began, 1), runs.commit(),
    )  # fmt: skip


def all_of(names: list[str], done: Callable[[Counted], object], file: Path | None = KEPT) -> list[Counted]:
    """Cases with a multiplier per product and with two products per multiplier; counted and kept anew."""
    counted = []
    for name in names:
        for multiplier in ("one", "pair"):
            counted.append(count(BY_NAME[name], multiplier))
            if file is not None:
                runs.add(file, counted[-1])
            done(counted[-1])
    return counted


def kept(file: Path = KEPT) -> list[Counted]:
    """The last result that is kept of each case and multiplier."""
    by = {(run.name, run.multiplier): run for run in runs.lines(file, Counted)}
    return [by[case.name, kind] for case in CASES for kind in ("one", "pair") if (case.name, kind) in by]


def figures(runs: list[Counted]) -> list[report.Figure]:
    """Latency and multipliers of each."""
    figure, result = report.Figure, []
    for run in runs:
        name = f"deploy.{run.name}.{run.multiplier}"
        result += [
            figure(f"{name}.latency_ns", round(run.latency_us * 1000, 1), "ns", "measured"),
            figure(f"{name}.clocks", run.clocks, "clocks", "measured"),
            figure(f"{name}.multipliers", run.multipliers, "multipliers", "model"),
        ]
    return result


def table(runs: list[Counted]) -> list[tuple[str, ...]]:
    """A header and a row for each."""
    rows = [("network", "activations", "array", "multipliers", "clocks", "µs at 200 MHz", "wanted", "answers")]
    for run in runs:
        kinds = " ".join(dict.fromkeys(run.activations.split()))
        array = run.array + (", two products each" if run.multiplier == "pair" else "")
        rows.append((
            run.network, kinds, array, str(run.multipliers), str(run.clocks), f"{run.latency_us:.3f}",
            f"{run.limit_us:g}", str(run.observations),
        ))  # fmt: skip
    return rows
