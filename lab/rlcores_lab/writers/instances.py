"""The page docs/instances.md: an instance of every core's AXI top to copy, read from the top's own header."""

import textwrap
from collections.abc import Collection
from pathlib import Path

from rlcores.engine import configs, declared, headers, sources
from rlcores_lab import shown


def outputs() -> dict[Path, str]:
    """The page, from the root, and its text."""
    found = []
    for core, (top, page) in tops().items():
        vlnv = configs.core(core).vlnv
        header = headers.read(sources.of_core(vlnv).design(top))
        found.append((vlnv, page, _instance(header, declared.derived(core))))
    return {Path("docs") / "instances.md": shown.rendered("writers/instances.md.j2", cores=found)}


def tops() -> dict[str, tuple[str, str]]:
    """Core -> its top with buses, and the page of its contract."""
    given = {core: declared.fact(core, "instance") for core in declared.having("instance")}
    return {core: (entry["top"], entry["page"]) for core, entry in given.items()}


def _instance(header: headers.Header, derived: Collection[str]) -> list[str]:
    # A parameter that follows from others is not the user's to give.
    free = {name: value for name, value in header.parameters.items() if name not in derived}
    given = [f".{name}({value})" for name, value in free.items() if headers.LITERAL.fullmatch(value)]
    ports = ",\n".join("\n".join(wrapped([f".{p.name}({p.name})" for p in group])) for group in header.groups)
    return [f"{header.module} #(", *wrapped(given), f") u_{header.module.removeprefix('rlc_')} (", ports, ");"]


def wrapped(items: list[str]) -> list[str]:
    """Items with commas between them, in lines of 4 spaces and at most 110 characters."""
    text = ", ".join(items)
    return textwrap.wrap(text, 110, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
