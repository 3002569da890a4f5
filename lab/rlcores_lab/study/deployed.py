"""Real policy files on model, native engine, C99 reference and RTL: the same bits (docs/deploy_study.md).

Each file of `policies` is imported unmodified and compared with its library, brought to integers by the observations
that it met, and asked for its action at many observations: near those that it met, far beyond them, and at the ends of
the integers. Widths and array change from file to file. A result is kept, and not made twice for the same file and
Verilog.
"""

import ctypes
import hashlib
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from rlcores.base import report, tools
from rlcores.cores.mlp import cycles
from rlcores.cores.mlp.model import MlpModel
from rlcores.cores.mlp.native import NativeMlp
from rlcores.deploy import folder, formats, imported, sizing, verilog
from rlcores.deploy.formats import Quantised
from rlcores.eda import boards
from rlcores.errors import RunFailed
from rlcores_lab.study import policies, runs

COUNT, RTL_COUNT = 1_000_000, 10_000
KEPT = Path(__file__).with_name("deployed.jsonl")
WIDTHS = ((8, 8), (12, 12), (16, 16), (4, 8), (18, 18), (6, 6), (8, 16))  # of weights, of the numbers between layers
ARRAYS = ((8, 8, 8), (8, 8, 2), (16, 4, 4), (4, 16, 1), (8, 16, 4))  # rows, columns, results per clock
_CHUNK = 1 << 15

# Rows of doubles through the three functions of the reference.
_MANY = """
#include "policy.h"
void many(const double *given, long rows, int32_t *integers, int32_t *answers, double *actions) {
    for (long r = 0; r < rows; r++) {
        policy_observe(given + r * POLICY_INPUTS, integers + r * POLICY_INPUTS);
        policy_run(integers + r * POLICY_INPUTS, answers + r * POLICY_ACTIONS);
        policy_act(answers + r * POLICY_ACTIONS, actions + r * POLICY_ACTIONS);
    }
}
"""


@dataclass
class Equal:
    """What was compared of a file. Counts are observations; wrong: those that differed anywhere; refused: a reason."""

    name: str
    file: str = ""  # its SHA-256
    library: str = ""
    network: str = ""
    activations: str = ""
    head: str = ""
    normalised: bool = False
    weight_width: int = 0
    act_width: int = 0
    array: str = ""
    clocks: int = 0
    imported_error: float = (
        0.0  # of the float64 import against the library's actions, of their span; share for an index
    )
    quantised_error: float = 0.0  # of the integers against float64, on what it met: likewise
    native: int = 0
    c99: int = 0
    rtl: int = 0
    sets_taken: int = 0
    wrong: int = 0
    answers: str = ""  # SHA-256 of the model's answers, first 16 digits
    refused: str = ""
    seconds: float = 0.0
    commit: str = ""
    design: str = ""  # fingerprint of the Verilog; '' in results of before it was kept


def design() -> str:
    """A fingerprint of the Verilog that deployed folders have."""
    return runs.fingerprint([file.read_text() for file in verilog.sources(("rlc_mlp",))])


def observations(recorded: policies.Made, count: int, seed: int = 1) -> np.ndarray:
    """Observations float64 [count, inputs]: about those that were met, one in eight far off, one in 64 at the ends."""
    rng = np.random.default_rng(seed)
    met = recorded.observations.astype(np.float64).reshape(len(recorded.observations), -1)
    spread = met.std(axis=0) + 1e-3
    result = met[rng.integers(len(met), size=count)] + rng.normal(size=(count, met.shape[1])) * spread * 0.3
    far = rng.random(count) < 1 / 8
    result[far] = met.mean(axis=0) + rng.normal(size=(int(far.sum()), met.shape[1])) * spread * 8
    ends = rng.random(count) < 1 / 64
    result[ends] = rng.choice([-1e9, 0.0, 1e9], size=(int(ends.sum()), met.shape[1]))
    return result


def one(name: str, there: Path, count: int = COUNT, rtl_count: int = RTL_COUNT, file: Path | None = KEPT) -> Equal:
    """The result of a file: the one that is kept for it and this Verilog, else made and kept (file None: not kept).

    Raises UserError if the file is not there and cannot be made, RunFailed if a tool fails.
    """
    recorded = policies.make(name, there)
    digest = hashlib.sha256(recorded.file.read_bytes()).hexdigest()
    if file is not None:
        for run in runs.lines(file, Equal):
            same = (run.name, run.file, run.design) == (name, digest, design())
            if same and run.c99 >= count and run.rtl >= rtl_count:
                return run
    result = compared(recorded, digest, count, rtl_count)
    if file is not None:
        runs.add(file, result)
    return result


def compared(recorded: policies.Made, digest: str, count: int, rtl_count: int) -> Equal:
    """A file through everything."""
    began = time.process_time()
    name = recorded.recipe.name
    result = Equal(name, digest, library=library(recorded.recipe), commit=runs.commit(), design=design())
    policy = imported.load(recorded.file, normaliser=recorded.normaliser, **recorded.recipe.hints)
    number = next((n for n, recipe in enumerate(policies.RECIPES) if recipe.name == name), 0)
    result.network = "-".join(map(str, policy.sizes))
    result.activations = " ".join(layer.activation for layer in policy.layers)
    result.head, result.normalised = policy.head.kind, policy.normaliser is not None
    result.imported_error = _difference(policy.act(recorded.observations), recorded.actions)
    weight_width, act_width = WIDTHS[number % len(WIDTHS)]
    rows, cols, acts = ARRAYS[number % len(ARRAYS)]
    integers = formats.quantise(
        policy, recorded.observations, weight_width=weight_width, act_width=act_width, rows=rows, cols=cols, acts=acts
    )
    result.weight_width, result.act_width, result.array = weight_width, act_width, f"{rows}x{cols}/{acts}"
    result.clocks = cycles.answer(integers.shape)
    result.quantised_error = _difference(integers.act(recorded.observations), policy.act(recorded.observations))
    x = observations(recorded, max(count, rtl_count))
    with TemporaryDirectory() as temporary:
        out = Path(temporary) / "policy"
        clock = boards.Clock(sizing.ASSUMED_MHZ)
        folder.write(integers, sizing.Sized(integers.shape, clock), recorded.observations, out)
        _software(integers, x[:count], out, result)
        if rtl_count:
            _rtl(integers, x[:rtl_count], out, result)
    result.seconds = round(time.process_time() - began, 1)
    return result


def library(recipe: policies.Recipe) -> str:
    """The libraries that made a file, with their versions."""
    names = {"sb3": "stable-baselines3", "rsl_rl": "rsl-rl-lib"}.get(recipe.maker)
    if recipe.algorithm == "QRDQN":
        names = "sb3-contrib"
    first = f"{names} {version(names)}" if names else "CleanRL" if recipe.maker == "cleanrl" else "stable-baselines3"
    exporter = {"script": "old exporter", "dynamo": "new exporter"}.get(recipe.exporter, "")
    return ", ".join(part for part in (first, f"torch {version('torch')}", exporter) if part)


def _difference(actual: np.ndarray, known: np.ndarray) -> float:
    """The greatest difference over the span of what is known; of indices the share that differs."""
    actual, known = np.asarray(actual), np.asarray(known)
    if actual.dtype.kind == "i":
        return float((actual.ravel() != known.ravel()).mean())
    known = known.reshape(actual.shape).astype(np.float64)
    return float(np.abs(actual - known).max() / max(np.ptp(known), 1e-9))


def _software(integers: Quantised, x: np.ndarray, out: Path, result: Equal) -> None:
    """Model, engine and C99, all on the same observations; C99 from the numbers to the actions."""
    (out / "c" / "many.c").write_text(_MANY)
    objects = [out / "c" / f"{name}.c" for name in ("many", "policy", "policy_weights")]
    done = subprocess.run(
        ["cc", "-std=c99", "-O3", "-march=native", "-ffp-contract=off", "-shared", "-fPIC", "-o", out / "many.so",
         *objects], capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        raise RunFailed(f"{result.name}: the C99 reference cannot be compiled: {done.stderr.splitlines()[0]}")
    many = ctypes.CDLL(str(out / "many.so")).many
    model, engine, digest = MlpModel(integers.weights), NativeMlp(integers.weights), hashlib.sha256()
    shape = integers.shape
    outputs = 1 if shape.argmax else shape.sizes[-1]
    for begin in range(0, len(x), _CHUNK):
        part = np.ascontiguousarray(x[begin : begin + _CHUNK])
        seen = integers.observations.integers(part)
        known = model.act(seen)
        digest.update(known.astype("<i4").tobytes())
        observed = np.empty(seen.shape, np.int32)
        answers, actions = np.empty((len(part), outputs), np.int32), np.empty((len(part), outputs))
        pointers = [ctypes.c_void_p(a.ctypes.data) for a in (part, observed, answers, actions)]
        many(pointers[0], ctypes.c_long(len(part)), *pointers[1:])
        expected = integers.actions(known).reshape(actions.shape).astype(np.float64)
        same = (engine.act(seen) == known).all(axis=1) & (observed == seen).all(axis=1)
        same &= (answers == known).all(axis=1) & (actions == expected).all(axis=1)
        result.wrong += int((~same).sum())
    result.native = result.c99 = len(x)
    result.answers = digest.hexdigest()[:16]


def _rtl(integers: Quantised, x: np.ndarray, out: Path, result: Equal) -> None:
    """The folder's own bench, Verilated, with more observations, while sets of weights are swapped."""
    for name, text in verilog.bench(integers, integers.observations.integers(x), rounds=1).items():
        (out / "bench" / name).write_text(text)
    done = subprocess.run(
        ["make", "-C", out / "bench", "verilator"],
        env=tools.env() | {"CXXFLAGS": "-std=c++20"}, capture_output=True, text=True,
    )  # fmt: skip
    line = next((line for line in done.stdout.splitlines() if "RTL:" in line or "FAILED" in line), "")
    if done.returncode or "RTL:" not in line:
        raise RunFailed(f"{result.name}: the RTL's bench failed: {line or (done.stdout + done.stderr)[-300:]}")
    numbers = [int(word) for word in line.split("RTL:")[1].split() if word.isdigit()]
    result.rtl, result.sets_taken = numbers[0], numbers[1]


def all_of(
    there: Path, names: list[str], count: int, rtl_count: int, done: Callable[[Equal], object], file: Path | None = KEPT
) -> list[Equal]:
    """All files one after the other; one that cannot be made or imported has a reason in `refused`."""
    results = []
    for name in names:
        try:
            results.append(one(name, there, count, rtl_count, file))
        except policies.UserError as error:
            results.append(Equal(name, refused=str(error)))
        done(results[-1])
    return results


def kept(file: Path = KEPT) -> list[Equal]:
    """The last result that is kept of each file, in the order of the recipes."""
    by = {run.name: run for run in runs.lines(file, Equal)}
    return [by[recipe.name] for recipe in policies.RECIPES if recipe.name in by]


def older(results: list[Equal], file: Path = KEPT) -> list[Equal]:
    """Those of another Verilog than the last result's that is kept."""
    last = runs.lines(file, Equal)[-1:]
    return [run for run in results if last and run.design != last[0].design]


def figures(results: list[Equal]) -> list[report.Figure]:
    """Sums over files, and the clocks of each."""
    of = [run for run in results if not run.refused]
    figure = report.Figure
    return [
        figure("deploy.files", len(of), "policy files", "measured"),
        figure("deploy.refused", len(results) - len(of), "policy files", "measured"),
        figure("deploy.wrong", sum(run.wrong for run in of), "observations", "measured"),
        figure("deploy.native", sum(run.native for run in of), "observations", "measured"),
        figure("deploy.c99", sum(run.c99 for run in of), "observations", "measured"),
        figure("deploy.rtl", sum(run.rtl for run in of), "observations", "measured"),
    ]


def table(results: list[Equal], old: list[Equal] = ()) -> list[tuple[str, ...]]:
    """A header and a row for each file; those of an older Verilog are marked."""
    rows = [("file", "network", "activations", "bits", "array", "import", "integers", "engine, C99", "RTL", "wrong")]
    for run in results:
        if run.refused:
            rows.append((run.name, run.refused, *[""] * 8))
            continue
        bits = f"{run.weight_width}/{run.act_width}"
        kinds = " ".join(dict.fromkeys(run.activations.split()))
        rows.append((
            run.name, run.network, kinds, bits, run.array, f"{run.imported_error:.1e}", f"{run.quantised_error:.1e}",
            f"{run.c99:,}", f"{run.rtl:,}{' (older)' if run in old else ''}", str(run.wrong),
        ))  # fmt: skip
    return rows
