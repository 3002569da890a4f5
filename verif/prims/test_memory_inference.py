"""Memories become the RAM blocks that the catalogue promises, with no logic beside them."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from prims_files import headers, sources

from rlcores.base import tools

XCUP = "synth_xilinx -family xcup -noiopad -noclkbuf"
ECP5 = "synth_ecp5"

# Flow, module, parameters, the memory cells, and the cells allowed beside them.
MEMORIES = [
    (XCUP, "rlc_ram_2rw", {"WIDTH": 18, "DEPTH": 1024}, {"RAMB18E2": 1}, {"LUT2"}),
    (ECP5, "rlc_ram_2rw", {"WIDTH": 18, "DEPTH": 1024}, {"DP16KD": 1}, {"LUT4"}),
    (XCUP, "rlc_ram_1r1w", {"WIDTH": 36, "DEPTH": 512, "STYLE": "block"}, {"RAMB18E2": 1}, set()),
    (XCUP, "rlc_ram_1r1w", {"WIDTH": 72, "DEPTH": 4096, "STYLE": "ultra"}, {"URAM288": 1}, set()),
    (ECP5, "rlc_ram_1r1w", {"WIDTH": 36, "DEPTH": 512, "STYLE": "block", "READ_ANY": 1}, {"DP16KD": 1}, set()),
    (
        XCUP,
        "rlc_ram_1r1w_lane",
        {"LANES": 4, "LANE_WIDTH": 9, "DEPTH": 1024, "STYLE": "block"},
        {"RAMB36E2": 1},
        set(),
    ),
    (
        XCUP,
        "rlc_ram_1r1w_lane",
        {"LANES": 16, "LANE_WIDTH": 18, "DEPTH": 4096, "STYLE": "ultra"},
        {"URAM288": 4},
        {"LUT4"},
    ),
    (XCUP, "rlc_fifo", {"WIDTH": 18, "DEPTH": 1024, "STYLE": "block"}, {"RAMB18E2": 1}, None),
    # A multiplier's weights in the learner: LUT memory and the register behind it.
    (XCUP, "rlc_ram_1r1w", {"WIDTH": 27, "DEPTH": 8, "READ_ANY": 1}, {"RAM32M16": 2}, {"FDRE"}),
    (ECP5, "rlc_ram_1r1w", {"WIDTH": 27, "DEPTH": 8, "READ_ANY": 1}, {"TRELLIS_DPR16X4": 7}, {"TRELLIS_FF"}),
]
# The same memories in other widths, and the FIFO's again on ECP5.
MORE = [
    (XCUP, "rlc_ram_2rw", {"WIDTH": 36, "DEPTH": 1024}, {"RAMB36E2": 1}, {"LUT2"}),
    (XCUP, "rlc_ram_2rw", {"WIDTH": 20, "DEPTH": 1024}, {"RAMB36E2": 1}, {"LUT2"}),
    (ECP5, "rlc_ram_2rw", {"WIDTH": 20, "DEPTH": 1024}, {"DP16KD": 2}, {"LUT4"}),
    (ECP5, "rlc_fifo", {"WIDTH": 18, "DEPTH": 1024, "STYLE": "block"}, {"DP16KD": 1}, None),
]
# Of each family and of each kind of block one in `make test`, but what takes half a minute.
LATER = [*(MEMORIES[n] for n in (0, 1, 2, 3, 5, 6, 8)), *MORE]


def cells(flow: str, module: str, parameters: dict[str, int | str], folder: Path) -> dict[str, int]:
    """Synthesise a module with Yosys; returns how many of each cell it became."""
    # Yosys sees only the folder it runs in, so the sources go there.
    for file in [*headers(), *sources()]:
        shutil.copy(file, folder)
    chparams = "".join(f"chparam -set {k} {json.dumps(v)} {module}; " for k, v in parameters.items())
    names = " ".join(file.name for file in sources())
    script = (
        f"read_verilog {names}; {chparams}{flow} -flatten -top {module}; tee -q -o stat.json stat -json -top {module}"
    )
    script = script.replace(" -flatten", "") if flow == ECP5 else script  # synth_ecp5 flattens by itself
    subprocess.run(["yosys", "-q", "-p", script], cwd=folder, env=tools.env(), check=True, capture_output=True)
    return json.loads((folder / "stat.json").read_text())["design"]["num_cells_by_type"]


@pytest.mark.parametrize(
    ("flow", "module", "parameters", "memory", "beside"),
    [pytest.param(*case, marks=pytest.mark.slow if case in LATER else []) for case in (*MEMORIES, *MORE)],
)
def test_memory_takes_the_promised_blocks(
    flow: str,
    module: str,
    parameters: dict[str, int | str],
    memory: dict[str, int],
    beside: set[str] | None,
    tmp_path: Path,
) -> None:
    """beside None: logic of the module's own is expected, only its memory is counted."""
    counts = cells(flow, module, parameters, tmp_path)
    counts.pop("$scopeinfo", None)
    kinds = ("RAM", "DP16KD", "PDPW16KD", "DPR16X4", "TRELLIS_DPR")
    assert {k: n for k, n in counts.items() if any(kind in k for kind in kinds)} == memory
    assert beside is None or set(counts) - set(memory) <= beside, counts


def test_yosys_adds_no_bypass_of_its_own_to_ours(tmp_path: Path) -> None:
    width, depth_log2 = 36, 9
    parameters = {"WIDTH": width, "DEPTH": 2**depth_log2, "STYLE": "block", "READ_LATENCY": 2, "BYPASS": 1}
    # The waiting write; hit and late word beside the read; those two and the read word behind it.
    ours = (1 + depth_log2 + width) + (1 + width) + (1 + 2 * width)
    counts = cells(ECP5, "rlc_ram_1r1w", parameters, tmp_path)
    assert counts["DP16KD"] == 1 and counts["TRELLIS_FF"] == ours, counts
