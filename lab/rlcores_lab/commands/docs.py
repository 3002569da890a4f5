"""`rlcores docs [CORE]`: what is written from declarations, register maps and tops, and the page of figures."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from rlcores.base import paths
from rlcores.engine import cells, configurations, instances, ipxact, lists, parts, registers
from rlcores.errors import RunFailed


def command(
    core: Annotated[str | None, typer.Argument(metavar="[CORE]", help="core (default: all with registers)")] = None,
    check: Annotated[bool, typer.Option("--check", help="write nothing; fail if a file is out of date")] = False,
) -> None:
    """Write what is generated.

    Of declarations of cores and boards: parts of .core, Tcl and XDC files, cells of block designs, and with
    configs.yaml docs/configurations.md. Of .core files: lists of files. Of SystemRDL: register pages and C headers.
    Of the baseline of `rlcores qor` and the boards' clocks: docs/figures.md, docs/results.md, README's ten figures.
    Of the tops' headers: docs/instances.md, and components of IP-XACT.
    """
    from rlcores_lab import results
    from rlcores_lab.qor import figures

    console = Console(soft_wrap=True, markup=False, highlight=False)
    stale = []
    outputs: dict[Path, str] = {}
    for name in [core] if core else registers.cores():
        outputs |= registers.outputs(name)
    if core is None:
        outputs |= parts.outputs() | cells.outputs() | lists.outputs() | ipxact.outputs()
        outputs |= results.outputs()
        outputs[figures.PAGE] = figures.markdown()
        outputs[instances.PAGE] = instances.markdown()
        outputs[configurations.PAGE] = configurations.markdown()
    for path, text in outputs.items():
        target = paths.root() / path
        if target.is_file() and target.read_text() == text:
            continue
        if check:
            stale.append(str(path))
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        console.print(f"wrote {path}")
    if stale:
        raise RunFailed(f"out of date, run `rlcores docs`: {', '.join(stale)}")
