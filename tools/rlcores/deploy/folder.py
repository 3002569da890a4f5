"""The folder of a deployed policy: it stands alone, and its Makefile checks it."""

import html
import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from rlcores.base import files
from rlcores.cores.mlp import cycles
from rlcores.cores.mlp.shape import MlpShape
from rlcores.deploy import c99, contract, tuning, verilog
from rlcores.deploy import guard as guards
from rlcores.deploy.formats import LayerError, Quantised, errors, quantise, refit
from rlcores.deploy.guard import Guard
from rlcores.deploy.network import Policy
from rlcores.deploy.sizing import Sized, size
from rlcores.errors import UserError

MOST_RECORDED = 256  # observations of the bench

_MAKEFILE = """\
# Checks of the deployed policy. `make`: the C99 reference, then the Verilog in the simulators that are there.
# Written by `rlcores deploy`.
# SPDX-License-Identifier: Apache-2.0
RTL := $(wildcard ../rtl/*.v)
BENCHES := @BENCHES@
# Answers that Icarus gives in about a minute, of @ALL@.
FEW := @FEW@
CC ?= cc

check: c
\t@if command -v verilator >/dev/null; then $(MAKE) --no-print-directory verilator; fi
\t@if command -v iverilog >/dev/null; then $(MAKE) --no-print-directory @ICARUS@; fi

c: check-c
\t@./check-c observations.txt answers.txt

check-c: ../c/policy.c ../c/policy_weights.c ../c/check.c ../c/policy.h
\t@$(CC) -std=c99 -Wall -Wextra -Wpedantic -O2 -o $@ ../c/check.c ../c/policy.c ../c/policy_weights.c

icarus: $(BENCHES:=.vvp)
\t@for b in $(BENCHES); do vvp -n $$b.vvp | tee icarus.log; \\
\t  ! grep -q FAILED icarus.log && grep -q "0 wrong" icarus.log || exit 1; done

icarus-few: tb.vvp
\t@echo "Icarus gives $(FEW) of @ALL@ answers; make icarus gives all, and takes minutes."
\t@vvp -n tb.vvp +answers=$(FEW) | tee icarus.log; ! grep -q FAILED icarus.log && grep -q "0 wrong" icarus.log

wave: tb.vvp
\t@vvp -n tb.vvp +wave +answers=1; echo "written: $(CURDIR)/tb.vcd"

%.vvp: %.v $(RTL)
\t@iverilog -g2005 -s $* -o $@ -I ../rtl $< $(RTL)

verilator:
\t@for b in $(BENCHES); do verilator --binary --timing -Wno-fatal -Wno-lint -Wno-style -I../rtl --top-module $$b \\
\t  -MAKEFLAGS "VK_PCH_I_FAST= VK_PCH_I_SLOW=" --Mdir obj_$$b $$b.v $(RTL) >build.log 2>&1 \\
\t  || { tail build.log; exit 1; }; \\
\t  obj_$$b/V$$b | tee verilator.log; \\
\t  ! grep -q FAILED verilator.log && grep -q "0 wrong" verilator.log || exit 1; done

clean:
\trm -rf obj_* check-c *.vvp *.vcd *.log

.PHONY: check c icarus icarus-few wave verilator clean
"""

_CORE = """\
CAPI=2:
name: {name}
description: A trained policy, written by `rlcores deploy`

filesets:
  rtl:
    files:
{files}
    file_type: verilogSource-2005

targets:
  default:
    filesets: [rtl]
    toplevel: {top}
"""


@dataclass(frozen=True)
class Deployed:
    """What was written: the integers, the array, the error of each layer."""

    quantised: Quantised
    sized: Sized
    errors: list[LayerError]


def deploy(
    policy: Policy,
    observations: np.ndarray,
    folder: str | Path,
    *,
    weight_width: int | Sequence[int] = 8,
    act_width: int | Sequence[int] = 8,
    device: str | None = None,
    latency: float | None = None,
    rate: float | None = None,
    multiplier: str = "auto",
    guard: Callable[[Quantised], Guard] | None = None,
    fine_tune: int = 0,
    meets: Callable[[Quantised], np.ndarray] | None = None,
    earns: Callable[[Quantised], float] | None = None,
) -> Deployed:
    """Write the folder of a policy whose formats follow from observations [batch, inputs].

    weight_width, act_width: as `formats.quantise`. device, latency (seconds), rate (actions per second), multiplier: as
    `sizing.size`. guard: makes the guard of the integers, for a top `policy_guarded` around the core. fine_tune: steps
    of `tuning.fine_tune`, to which `meets` and `earns` go. Raises UserError if the core cannot compute the policy, if
    nothing is quick enough, or if the folder holds something else.
    """
    there = Path(folder)
    if there.exists() and (not there.is_dir() or (any(there.iterdir()) and not (there / "policy.json").is_file())):
        raise UserError(f"'{there}' is there and holds no deployed policy; give a new folder")
    loose = quantise(policy, observations, weight_width=weight_width, act_width=act_width)
    sized = size(loose.shape, device, latency, rate, multiplier)
    array = sized.shape
    quantised = quantise(
        policy, observations, weight_width=weight_width, act_width=act_width, rows=array.rows, cols=array.cols,
        acts=array.acts, multiplier=array.multiplier,
    )  # fmt: skip
    if fine_tune:
        quantised = tuning.fine_tune(quantised, observations, fine_tune, meets=meets, earns=earns)
    done = write(quantised, Sized(quantised.shape, sized.clock), observations, there, guard and guard(quantised))
    if fine_tune:
        report(there, fine_tuned_steps=fine_tune)
    return done


def swap(policy: Policy, folder: str | Path, observations: np.ndarray | None = None) -> Deployed:
    """Put another policy's weights into a folder: same core, same formats, same normaliser limits.

    Raises UserError if network, activations or formats do not fit; the folder is left alone then. observations: for the
    recorded bench; those of the folder if None.
    """
    there = Path(folder)
    about = files.read_json(there / "policy.json", "the contract of the deployed policy")
    shape, seen = contract.read(about)
    quantised = refit(policy, shape, seen)
    text = files.read_text(there / "bench" / "observations.txt", "the recorded observations")
    try:
        integers = np.array([[int(word) for word in line.split()] for line in text.splitlines()])
        clock = type(size(shape).clock)(float(about["timing"]["clock_mhz"]), str(about["timing"]["clock_of"]))
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(f"'{there}' is damaged: its recorded observations or its clock cannot be read") from error
    if observations is None:
        observations = np.ldexp((integers + seen.offsets).astype(np.float64), -seen.fracs)
    guard = guards.read(about["guard"], shape) if about.get("guard") is not None else None
    return write(quantised, Sized(shape, clock), observations, there, guard)


def write(
    quantised: Quantised, sized: Sized, observations: np.ndarray, there: Path, guard: Guard | None = None
) -> Deployed:
    """Write the folder of integers that are there, with the first observations [batch, inputs] in its bench."""
    shape = quantised.shape
    recorded = quantised.observations.integers(observations)[:MOST_RECORDED]
    measured = errors(quantised, observations)
    texts = {
        "policy.json": json.dumps(contract.written(quantised, sized) | _guarded(guard), indent=2) + "\n",
        "c/policy.h": c99.header(quantised),
        "c/policy.c": c99.source(quantised),
        "c/policy_weights.c": c99.weights(quantised),
        "c/check.c": c99.check(),
        "rtl/policy_core.v": verilog.top(quantised),
        "bench/Makefile": _makefile(shape, len(recorded), guard),
    }
    texts |= {f"mem/{name}.hex": text for name, text in verilog.images(quantised.weights).items()}
    texts |= {f"bench/{name}": text for name, text in verilog.bench(quantised, recorded).items()}
    tops = ["policy_core"]
    if guard is not None:
        tops.append("policy_guarded")
        texts["rtl/policy_guarded.v"] = guards.top(quantised, guard)
        texts |= {f"bench/{name}": text for name, text in guards.bench(quantised, guard, recorded).items()}
    sources = verilog.sources()
    names = [f"rtl/{file.name}" for file in sources if file.suffix == ".v"] + [f"rtl/{name}.v" for name in tops]
    listed = [f"      - {f'rtl/{f.name}'}: {{is_include_file: true}}" for f in sources if f.suffix == ".vh"]
    listed += [f"      - {name}" for name in names]
    texts["policy.core"] = _CORE.format(name="rlcores:deployed:policy:0.1.0", files="\n".join(listed), top=tops[-1])
    texts["policy.f"] = "+incdir+rtl\n" + "".join(f"{name}\n" for name in names)
    facts = _report(quantised, sized, measured, len(observations))
    texts["report.json"] = json.dumps(facts, indent=2) + "\n"
    texts["report.html"] = _page(facts)
    for name in ("c", "rtl", "mem", "bench"):
        (there / name).mkdir(parents=True, exist_ok=True)
    for file in sources:
        shutil.copyfile(file, there / "rtl" / file.name)
    for name, text in texts.items():
        (there / name).write_text(text)
    (there / "weights.bin").write_bytes(quantised.weights.words().astype("<u4").tobytes())
    return Deployed(quantised, Sized(shape, sized.clock), measured)


def report(there: Path, **facts: object) -> None:
    """Add facts to a folder's report."""
    content = files.read_json(there / "report.json", "the report of the deployed policy") | facts
    (there / "report.json").write_text(json.dumps(content, indent=2) + "\n")
    (there / "report.html").write_text(_page(content))


def _makefile(shape: MlpShape, recorded: int, guard: Guard | None) -> str:
    whole = recorded * verilog.ROUNDS
    few = verilog.few(shape, whole)
    said = {"BENCHES": "tb tb_guard" if guard else "tb", "ALL": whole, "FEW": few}
    said["ICARUS"] = "icarus" if few == whole else "icarus-few"
    text = _MAKEFILE
    for name, value in said.items():
        text = text.replace(f"@{name}@", str(value))
    return text


def _guarded(guard: Guard | None) -> dict:
    return {} if guard is None else {"guard": guards.written(guard)}


def _report(quantised: Quantised, sized: Sized, measured: list[LayerError], count: int) -> dict:
    shape = quantised.shape
    return {
        "source": quantised.policy.source,
        "network": "-".join(map(str, shape.sizes)),
        "activations": list(shape.kinds),
        "weight_bits": list(shape.weight_widths),
        "activation_bits": list(shape.act_widths),
        "array": {"rows": shape.rows, "cols": shape.cols, "acts": shape.acts, "multiplier": shape.multiplier},
        "multipliers": {"value": cycles.dsps(shape), "how": "counted"},
        "latency": {"clocks": sized.clocks, "ns": round(sized.nanoseconds, 1), "clock": str(sized.clock)},
        "actions_per_second": round(sized.rate),
        "weight_memory_bits": 2 * shape.steps * shape.weight_parts * 32,
        "calibrated_on": count,
        "error_per_layer": [asdict(error) for error in measured],
    }


def _page(facts: dict) -> str:
    """The report for a browser."""
    plain = [(name, value) for name, value in facts.items() if name != "error_per_layer"]
    rows = "".join(f"<tr><th>{html.escape(n)}</th><td>{html.escape(json.dumps(v))}</td></tr>\n" for n, v in plain)
    layers = "".join(
        f"<tr><td>{e['layer']}</td><td>{e['largest']:.3g}</td><td>{e['rms']:.3g}</td><td>{e['span']:.3g}</td></tr>\n"
        for e in facts["error_per_layer"]
    )
    return (
        "<!doctype html>\n<html lang='en'><meta charset='utf-8'><title>Deployed policy</title>\n"
        "<style>body{font-family:sans-serif;margin:2em}td,th{padding:.2em .8em;text-align:left}</style>\n"
        f"<h1>Deployed policy</h1>\n<table>\n{rows}</table>\n<h2>Error of each layer against float64</h2>\n"
        "<table>\n<tr><th>layer</th><th>largest</th><th>root mean square</th><th>greatest number</th></tr>\n"
        f"{layers}</table>\n</html>\n"
    )
