"""`rlcores generate [CORE]`: what is written from declarations, register maps and tops, and the page of figures."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from rlcores.base import paths, report
from rlcores.eda import registers
from rlcores.errors import RunFailed

SECTION = "Write"


def command(
    core: Annotated[str | None, Argument(metavar="[CORE]", help="core (default: all with registers)")] = None,
    check: Annotated[bool, Option("--check", help="write nothing; fail if a file is out of date")] = False,
) -> None:
    """Write all generated files again.

    These are modules, includes and parts of .core, Tcl and XDC files from the declarations of cores and boards;
    register pages and C headers from SystemRDL; tables, figures and studies of docs/ and the README from kept results;
    instances and IP-XACT components from the tops' headers; and the drawings of docs/.
    """
    from rlcores_lab import pictures, results, status
    from rlcores_lab.papers import account
    from rlcores_lab.qor import figures
    from rlcores_lab.study import continuous, deploy_page, learners_page, memr, records_page, robots_page
    from rlcores_lab.writers import (
        cells,
        configurations,
        environments,
        includes,
        instances,
        ipxact,
        learns,
        lists,
        maps,
        native_headers,
        optimisers,
        parts,
        roms,
        vivado,
        words,
    )

    console = report.console(None)
    home = paths.clone()
    stale = []
    cores = [core] if core else registers.cores()
    written: list[Callable[[], dict[Path, str]]] = [partial(maps.outputs, name) for name in cores]
    if core is None:
        # What follows from the declarations of environments is part of a core's declaration.
        written.insert(0, environments.outputs)
        # First .core files, which FuseSoC reads for the others; what modules include before what is read from modules.
        order = (
            parts,
            vivado,
            words,
            optimisers,
            roms,
            native_headers,
            includes,
            learns,
            cells,
            lists,
            ipxact,
            results,
            account,
            figures,
        )
        order += (instances, configurations, robots_page, records_page, continuous, deploy_page, learners_page, memr)
        order += (pictures, status)
        written += [writer.outputs for writer in order]
    for path, text in (output for part in written for output in part().items()):
        target = home / path
        if target.is_file() and target.read_text() == text:
            continue
        if check:
            stale.append(str(path))
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        console.print(f"wrote {path}")
    if stale:
        raise RunFailed(f"out of date, run `rlcores generate`: {', '.join(stale)}")
