"""What a core becomes for families without a board of ours, by yosys' own synth_ commands: whether, and how many cells.

Nothing is placed. iCE40 and GateMate have no LUT memory, which the sources are told (RLC_NO_LUT_RAM, rlc_check.vh).
"""

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rlcores.eda.sources import Sources
from rlcores.eda.synth import flow


@dataclass(frozen=True)
class Family:
    """How yosys synthesises for a family."""

    command: str
    lut_ram: bool = True


FAMILIES = {
    "ice40": Family("synth_ice40 -dsp", lut_ram=False),
    "gatemate": Family("synth_gatemate", lut_ram=False),
    "gowin": Family("synth_gowin"),
    "nexus": Family("synth_nexus"),
    "intel_alm": Family("synth_intel_alm -family cyclonev"),
    "generic": Family("synth"),
}
# The first kind that knows a cell has it; what none knows (pins, carries, constants) is not counted.
_KINDS = {
    "ff": r"SB_DFF\w*|CC_DFF|DFF\w*|FD1P3\w*|MISTRAL_FF|\$_\w*DFF\w*",
    "lut_ram": r"RAM16S\w*|DPR16X4|MISTRAL_MLAB",
    "block_ram": r"SB_RAM\w*|CC_BRAM\w*|SDPX?9?B|DPX?9?B|SPX?9?|pROM\w*|PDP\w*|DP16K\w*|MISTRAL_M10K|MISTRAL_M20K",
    "multiplier": r"SB_MAC16|CC_MULT|MULT\w+|MISTRAL_MUL\w+|MADD\w+|PREADD\w+",
    "lut": r"SB_LUT4|CC_LUT\d|CC_L2T\d|LUT\d|WIDEFN9|MISTRAL_ALUT\w+|\$_[A-Z0-9]+_|\$lut",
}


def cells(read: Sources, top: str, parameters: Mapping[str, int | str], family: str) -> Counter[str]:
    """How many cells of each kind a top takes in a family. Raises RunFailed with yosys' words when it takes none."""
    chosen = FAMILIES[family]
    macro = "" if chosen.lut_ram else "-DRLC_NO_LUT_RAM "
    chparams = "".join(f" -chparam {name} {flow.literal(value)}" for name, value in parameters.items())
    reads = flow.reads([f"src/{file.name}" for file in read.files])
    commands = [
        *(line.replace("read_verilog ", f"read_verilog {macro}") for line in reads),
        f"hierarchy -check -top {top}{chparams}",
        f"rename -top {top}",
        f"{chosen.command} -top {top}",
        "tee -o stat.json stat -json",
    ]
    files = [*read.files, *read.includes]
    folder = flow.made(f"{top}-{family}", commands, files, f"synthesising {top} for {family}")
    counts: Counter[str] = Counter(dict.fromkeys(_KINDS, 0))
    for cell, count in json.loads(Path(folder, "stat.json").read_text())["design"]["num_cells_by_type"].items():
        if kind := next((kind for kind, names in _KINDS.items() if re.fullmatch(names, cell)), None):
            counts[kind] += count
    return counts
