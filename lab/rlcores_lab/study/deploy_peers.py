"""hls4ml, da4ml and FINN beside `rlcores deploy`: what each reads, what an equal network costs (docs/deploy_study.md).

The libraries stand in environments of their own, whose Python is given, one after the other; none of them is needed
here. What they say is kept with their versions. Neither vendor's HLS runs on our machines, so hls4ml and FINN give no
Verilog here.
"""

import hashlib
import json
import re
import subprocess
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from rlcores.base import files, paths, tools
from rlcores.cores.mlp import cycles
from rlcores.cores.mlp.model import MlpModel
from rlcores.deploy import folder, formats, imported, sizing
from rlcores.deploy.formats import Quantised
from rlcores.deploy.network import Head, Layer, Policy
from rlcores.eda import boards
from rlcores.errors import RunFailed, UserError
from rlcores_lab.study import policies, runs

KEPT = Path(__file__).with_name("deploy_peers.json")
WORKER = Path(__file__).with_name("deploy_peer.py")
LIBRARIES = ("hls4ml", "da4ml", "finn")
NETWORK = "dqn_cartpole"  # 4-64-64-2, ReLU: what da4ml's tracer has operations for
SMALL = (4, 16, 16, 2)  # an equal network, of random weights
CUTOFF = 5.0  # of a pipeline stage of da4ml, in its units of delay
_CORES = {"ecp5": (("one", None), ("lut", None)), "xcup": (("pair", 0.3e-6), ("one", None))}  # and a latency
# Published by hls4ml's authors: Fahim et al. (2021), "hls4ml: An Open-Source Codesign Workflow to Empower Scientific
# Low-Power Machine Learning Devices", table 1: hls4ml 0.5.0, Vivado HLS 2019.2, a VU9P at 200 MHz. It tells five
# kinds of jets apart. Bits, nanoseconds, LUT, registers, DSP.
JETS = (16, 64, 32, 32, 5)
# Read again in its third version on arXiv, 2103.05579v3.
PUBLISHED = ((16, 50, 89_209, 11_266, 1852), (14, 50, 90_019, 9_262, 1132), (6, 45, 63_251, 4_394, 38))
_JETS_CORES = ((16, "one", 0.3e-6), (8, "pair", 0.3e-6), (6, "pair", None))  # bits, multiplier, latency
_CELLS = {"ecp5": "synth_ecp5", "xcup": "synth_xilinx -family xcup -flatten"}


@dataclass
class Peers:
    """What the libraries say of each file, and the areas of one network."""

    versions: dict[str, str] = field(default_factory=dict)
    reads: list[dict] = field(default_factory=list)  # library, name, imported, said, error
    predicted: dict = field(default_factory=dict)  # da4ml of the network's integers: wrong, observations, stages
    areas: list[dict] = field(default_factory=list)  # who, family, cells by name, clocks, clocks each
    jets: list[dict] = field(default_factory=list)  # the same of cores of JETS, with their bits
    commit: str = ""


def asked(python: Path, job: dict, seconds: int = 1800) -> Any:
    """The worker's answer to a job. Raises RunFailed if it has none."""
    with TemporaryDirectory() as temporary:
        job_file = Path(temporary) / "job.json"
        job_file.write_text(json.dumps({"folder": temporary} | job))
        try:
            done = subprocess.run(
                [python, WORKER, job_file], capture_output=True, text=True, timeout=seconds, cwd=temporary
            )
        except subprocess.TimeoutExpired:
            raise RunFailed(f"{WORKER.name} gave no answer to '{job['do']}' in {seconds} s") from None
    if done.returncode or not done.stdout.strip():
        raise RunFailed(f"{WORKER.name} failed on {job['do']}: {done.stderr.strip().splitlines()[-1:]}")
    return json.loads(done.stdout.splitlines()[-1])


def compare(
    python: Path,
    there: Path,
    names: list[str],
    said: Callable[[str], object],
    networks: int = 2,
    keep: Callable[[Peers], object] = lambda peers: None,
) -> Peers:
    """All files with each library, and the areas.

    networks: whose areas are counted: 0, 1 (SMALL) or 2 (NETWORK too, an hour of a busy machine). python: of the
    libraries' environment. there: policy files. keep: called when more is found. Raises UserError if none of the
    libraries is there.
    """
    peers = Peers(asked(python, {"do": "versions"}), commit=runs.commit())
    present = [name for name in LIBRARIES if name in peers.versions]
    if not present:
        raise UserError(f"{python} has none of {', '.join(LIBRARIES)}: pip install hls4ml da4ml in its environment")
    made = [policies.make(name, there).file for name in names]
    pairs = [(str(file), str(file.with_suffix(".npz"))) for file in made]
    for library in present:
        answers = asked(python, {"do": "import", "library": library, "files": pairs})
        for name, answer in zip(names, answers, strict=True):
            peers.reads.append({"library": library, "name": name} | answer)
        said(f"{library} reads {sum(answer['imported'] for answer in answers)} of {len(answers)} files")
    if "da4ml" in present:
        areas(python, there, said, peers, keep, networks)
    if networks:
        peers.jets = jets(said)
    keep(peers)
    return peers


def areas(
    python: Path, there: Path, said: Callable[[str], object], peers: Peers, keep: Callable[[Peers], object], most: int
) -> None:
    """The same integers in da4ml: what it predicts of the file, and the areas of its Verilog and of cores.

    most: networks whose areas are counted, the small one first; `peers` is kept after each.
    """
    policy_made = policies.make(NETWORK, there)
    networks = [
        _random(SMALL),
        (imported.load(policy_made.file), policy_made.observations.reshape(len(policy_made.observations), -1)),
    ]
    with TemporaryDirectory() as temporary:
        for number, (policy, x) in enumerate(networks):
            work = Path(temporary) / str(number)
            work.mkdir()
            answer = asked(python, _job(formats.quantise(policy, x), x, work))
            if number == 1:
                peers.predicted = {key: answer[key] for key in ("wrong", "observations", "stages")}
            if number >= most:
                continue
            sources = [file for file in map(Path, answer["files"]) if file.name != "policy_wrapper.v"]
            for family in _CELLS:
                cells = counted(sources, "policy", family)
                rows = [{"who": "da4ml", "family": family, "cells": cells, "clocks": answer["stages"], "each": 1}]
                rows += [_core(policy, x, 8, family, *of, work) for of in _CORES[family]]
                for row in rows:
                    peers.areas.append({"network": "-".join(map(str, policy.sizes))} | row)
                    said(f"{peers.areas[-1]}")
            keep(peers)


def _random(sizes: tuple[int, ...]) -> tuple[Policy, np.ndarray]:
    """A rectified network with random weights, and observations."""
    rng = np.random.default_rng(0)
    layers = [
        Layer(
            rng.normal(size=(o, i)) / np.sqrt(i), rng.normal(size=o) * 0.1, "relu" if n < len(sizes) - 2 else "identity"
        )
        for n, (i, o) in enumerate(pairwise(sizes))
    ]
    return Policy(tuple(layers), Head("argmax")), rng.normal(size=(1000, sizes[0]))


def jets(said: Callable[[str], object]) -> list[dict]:
    """Areas of cores of JETS, at published bits and at 8. Weights are random, because cells do not depend on them."""
    policy, x = _random(JETS)
    rows = []
    with TemporaryDirectory() as temporary:
        for bits, multiplier, latency in _JETS_CORES:
            rows.append(_core(policy, x, bits, "xcup", multiplier, latency, Path(temporary)) | {"bits": bits})
            said(f"{rows[-1]}")
    return rows


def _core(
    policy: Policy, x: np.ndarray, bits: int, family: str, multiplier: str, latency: float | None, work: Path
) -> dict:
    """The area of a policy's core, sized for a latency."""
    widths = {"weight_width": bits, "act_width": bits}
    shape = sizing.size(formats.quantise(policy, x, **widths).shape, latency=latency, multiplier=multiplier).shape
    core = formats.quantise(
        policy, x, rows=shape.rows, cols=shape.cols, acts=shape.acts, multiplier=multiplier, **widths
    )
    out = work / f"core_{family}_{multiplier}_{bits}_{shape.rows}x{shape.cols}"
    folder.write(core, sizing.Sized(core.shape, boards.Clock(sizing.ASSUMED_MHZ)), x, out)
    cells = counted(sorted((out / "rtl").glob("*.v")), "policy_core", family)
    clocks = cycles.answer(core.shape)
    who = f"rlc_mlp {shape.rows} × {shape.cols}, {multiplier}"
    return {"who": who, "family": family, "cells": cells, "clocks": clocks, "each": clocks + 1}


def _job(quantised: Quantised, x: np.ndarray, work: Path) -> dict:
    shape, seen = quantised.shape, quantised.observations.integers(x)[:1000]
    arrays = {"x": seen, "outputs": MlpModel(quantised.weights).outputs(seen)}
    for n, (w, b) in enumerate(zip(quantised.weights.weights, quantised.weights.biases, strict=True)):
        arrays |= {f"w_{n}": w, f"b_{n}": b}
    np.savez(work / "network.npz", **arrays)
    rows = zip(shape.kinds, shape.shifts, shape.bias_shifts, shape.result_widths, strict=True)
    layers = [{"kind": kind, "shift": shift, "bias_shift": up, "width": width} for kind, shift, up, width in rows]
    return {
        "do": "verilog", "npz": str(work / "network.npz"), "folder": str(work / "da4ml"), "cutoff": CUTOFF,
        "act_width": shape.act_width, "layers": layers,
    }  # fmt: skip


def counted(sources: list[Path], top: str, family: str, kept: Path | None = None) -> dict[str, int]:
    """Cells of a family that Yosys makes of Verilog; memory images are left out, for weights come at run time.

    What was counted once stays in `kept` (default: build/cells), by all that Yosys reads.
    """
    tools.require_commands("yosys")
    read = {file.name: re.sub(r'"\.\./mem/\w+\.hex"', '""', file.read_text()) for file in sources}
    includes = {file.name: file.read_text() for folder in {s.parent for s in sources} for file in folder.glob("*.vh")}
    # Without the checks of the flow: a quarter of the time on adders by the thousand is their `autoname`.
    script = [
        f"read_verilog -defer -Isrc {' '.join(f'src/{name}' for name in read)}", f"hierarchy -check -top {top}",
        f"rename -top {top}", f"{_CELLS[family]} -top {top} -run begin:check", "tee -o part.json stat -json",
    ]  # fmt: skip
    texts = {"count.ys": "\n".join(script) + "\n"} | {f"src/{name}": text for name, text in (read | includes).items()}
    work = (kept or paths.build() / "cells") / hashlib.sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest()[
        :16
    ]
    if not (work / "stat.json").exists():
        (work / "src").mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (work / name).write_text(text)
        done = subprocess.run(["yosys", "-q", "count.ys"], cwd=work, env=tools.env(), capture_output=True, text=True)
        if done.returncode:
            raise RunFailed(f"yosys failed on {top}: {(done.stdout + done.stderr).strip().splitlines()[-1]}")
        (work / "part.json").rename(work / "stat.json")
    text = (work / "stat.json").read_text()
    cells = json.loads(text[text.index("{") :])["design"]["num_cells_by_type"]
    return _resources(cells, family)


def _resources(cells: dict[str, int], family: str) -> dict[str, int]:
    """LUTs (with those that carry chains and LUT memories take), registers, multipliers, memories."""
    if family == "ecp5":
        lut = cells.get("LUT4", 0) + 2 * cells.get("CCU2C", 0) + 4 * cells.get("TRELLIS_DPR16X4", 0)
        names = {"ff": "TRELLIS_FF", "dsp": "MULT18X18D", "ram": "DP16KD"}
        return {"lut": lut} | {ours: cells.get(theirs, 0) for ours, theirs in names.items()}
    memories = {"RAM32M": 4, "RAM64M": 4, "RAM32X1D": 2, "RAM64X1D": 2, "RAM32M16": 8, "RAM64M8": 8}
    lut = sum(count for name, count in cells.items() if name.startswith("LUT") or name in ("INV", "SRL16E"))
    lut += sum(cells.get(name, 0) * each for name, each in memories.items())
    ff = sum(count for name, count in cells.items() if name in ("FDRE", "FDSE", "FDCE", "FDPE"))
    ram = 2 * cells.get("RAMB36E2", 0) + cells.get("RAMB18E2", 0)
    return {"lut": lut, "ff": ff, "dsp": cells.get("DSP48E2", 0), "ram": ram}


def merged(before: Peers | None, peers: Peers) -> Peers:
    """What was found, with what was kept of libraries that were not there or not asked now."""
    if before is None:
        return peers
    now = {read["library"] for read in peers.reads}
    reads = peers.reads + [read for read in before.reads if read["library"] not in now]
    counted_now = {area["network"] for area in peers.areas}
    others = [area for area in before.areas if area["network"] not in counted_now]
    return Peers(
        before.versions | peers.versions, sorted(reads, key=lambda read: LIBRARIES.index(read["library"])),
        peers.predicted or before.predicted, others + peers.areas, peers.jets or before.jets, peers.commit,
    )  # fmt: skip


def keep(peers: Peers, file: Path = KEPT) -> None:
    """Write the result into the repository."""
    file.write_text(json.dumps(asdict(peers), indent=1, ensure_ascii=False) + "\n")


def kept(file: Path = KEPT) -> Peers | None:
    """The result that is kept."""
    return Peers(**files.read_json(file, "a comparison with other libraries")) if file.exists() else None


def asked_of(peers: Peers) -> str:
    """The libraries with their versions, for a sentence."""
    names = [f"{name} {peers.versions[name]}" for name in LIBRARIES if name in peers.versions]
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def reads_table(peers: Peers) -> list[tuple[str, ...]]:
    """A header, and a row for each file."""
    present = [name for name in LIBRARIES if name in peers.versions]
    rows = [("file", "rlcores", *(f"{name} {peers.versions[name]}" for name in present))]
    for name in dict.fromkeys(read["name"] for read in peers.reads):
        cells = []
        for library in present:
            read = next((r for r in peers.reads if (r["library"], r["name"]) == (library, name)), None)
            if read is None:
                cells.append("not asked")
                continue
            error = f": error {read['error']:.1e}" if "error" in read else ""
            cells.append(f"{read['said']}{error}" if read["imported"] else f"no: {read['said']}")
        rows.append((name, "yes", *cells))
    return rows


def areas_table(peers: Peers) -> list[tuple[str, ...]]:
    """A header, and a row for each design and family."""
    rows = [
        (
            "network",
            "design",
            "family",
            "LUT",
            "registers",
            "multipliers",
            "memory blocks",
            "clocks to the answer",
            "clocks per answer",
        )
    ]
    for area in peers.areas:
        cells = area["cells"]
        rows.append((
            area["network"], area["who"], area["family"], f"{cells['lut']:,}", f"{cells['ff']:,}", str(cells["dsp"]),
            str(cells["ram"]), str(area["clocks"]), str(area["each"]),
        ))  # fmt: skip
    return rows


def jets_table(peers: Peers) -> list[tuple[str, ...]]:
    """A header, and a row for each published design of hls4ml's and for each core of the same network."""
    rows = [("design", "bits", "LUT", "registers", "DSP48E2", "memory blocks", "ns at 200 MHz", "cells")]
    for bits, ns, *cells in PUBLISHED:
        rows.append(("hls4ml 0.5.0", str(bits), *(f"{n:,}" for n in cells), "not given", str(ns), "published"))
    for area in peers.jets:
        cells, ns = area["cells"], round(area["clocks"] * 1e3 / sizing.ASSUMED_MHZ)
        counts = (f"{cells[name]:,}" for name in ("lut", "ff", "dsp", "ram"))
        rows.append((area["who"], str(area["bits"]), *counts, str(ns), "by Yosys"))
    return rows
