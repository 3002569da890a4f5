"""The page docs/instances.md: an instance of every core's AXI top to copy, read from the top's own header."""

import re
from pathlib import Path

from rlcores.engine import configs
from rlcores.errors import RunFailed

PAGE = Path("docs") / "instances.md"

# Core -> its top with buses, and its contract.
TOPS = {
    "gae": ("rlc_gae_axi", "gae.md"),
    "sumtree": ("rlc_sumtree_axi", "sumtree.md"),
    "learner": ("rlc_learner_axi", "learner_api.md"),
    "replay_learner": ("rlc_replay_learner", "replay_learner.md"),
    "heppo": ("rlc_heppo", "heppo.md"),
    "serial": ("rlc_serial", "serial.md"),
}

_HEAD = """# Instances to copy

Written by `rlcores docs` from the headers of the tops; do not edit.

Each core is here once, with every parameter at its default and every port on a wire of its own name. In your `.core`
file depend on the core's VLNV. Without FuseSoC give your tool the core's list, such as `-f rtl/gae/gae.f`, in the root
of rlcores. The contract says what the parameters mean and what is legal; `configs.yaml` has sets
that belong together.
"""
_WIDTH = 110


def markdown() -> str:
    """The page."""
    parts = [_HEAD]
    for core, (top, page) in TOPS.items():
        found = configs.core(core)
        parts += [f"## {top}", "", f"`{found.vlnv}`, [contract]({page}).", "", "```verilog"]
        parts += [instance((found.file.parent / f"{top}.v").read_text()), "```", ""]
    return "\n".join(parts)


def instance(text: str) -> str:
    """A module's instance. text: its file. Raises RunFailed when the header is not written as ours are."""
    found = re.search(r"^module\s+(\w+)\s*#\(\n(.*?)^\)\s*\(\n(.*?)^\);", text, re.S | re.M)
    if found is None:
        raise RunFailed("the file holds no module with lists of parameters and ports")
    name, parameters, ports = found.groups()
    lines = [f"{name} #("]
    values = re.findall(r"^\s*parameter\s+(?:\[[^\]]*\]\s*)?(\w+)\s*=\s*(.+?),?\s*(?://.*)?$", parameters, re.M)
    # A parameter that follows from others is not the user's to give.
    lines += wrapped([f".{key}({value})" for key, value in values if "$clog2" not in value])
    lines += [f") u_{name.removeprefix('rlc_')} ("]
    port = re.compile(r"^\s*(?:input|output)\s+wire\b.*?(\w+),?\s*(?://.*)?$", re.M)
    groups = [names for part in ports.split("\n\n") if (names := port.findall(part))]
    for names in groups:
        last = names is groups[-1]
        lines += wrapped([f".{name}({name})" for name in names], end="" if last else ",")
    return "\n".join([*lines, ");"])


def wrapped(items: list[str], end: str = "") -> list[str]:
    """Items in lines of 4 spaces and at most _WIDTH characters, with commas between them."""
    lines, line = [], "   "
    for number, item in enumerate(items):
        item += "," if number < len(items) - 1 else end
        if len(line) + 1 + len(item) > _WIDTH:
            lines.append(line)
            line = "   "
        line += f" {item}"
    return [*lines, line]
