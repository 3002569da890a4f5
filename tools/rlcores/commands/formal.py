"""`rlcores formal CORE [NAME]`: prove what the RTL promises."""

from concurrent.futures import ThreadPoolExecutor
from typing import Annotated

from typer import Argument

from rlcores.base import report, tools
from rlcores.commands._options import CoreArgument, JsonOption
from rlcores.eda import configs, formal
from rlcores.errors import RunFailed, UserError

SECTION = "Cores"


def command(
    core: CoreArgument,
    name: Annotated[str | None, Argument(metavar="[NAME]", help="one proof (default: all of the core)")] = None,
    json_file: JsonOption = None,
) -> None:
    """Prove a core's properties with sby. Each proof prints a line; without abc it is bounded."""
    core_file = configs.core(core)
    mine = [p for p in formal.proofs() if p.core == core_file.name]
    chosen = [p for p in mine if name in (None, p.name)]
    if not chosen:
        known = ", ".join(dict.fromkeys(p.name for p in mine)) or "none"
        what = f"proof '{name}'" if name else "proof"
        raise UserError(f"core '{core_file.name}' has no {what}; proofs: {known}")
    tools.require_commands("sby", "yosys", "z3")  # what cannot be run has not failed to prove anything
    console = report.console(json_file)
    outcomes = []
    with ThreadPoolExecutor(2) as pool:
        for outcome in pool.map(formal.run, chosen):
            outcomes.append(outcome)
            console.print(f"{outcome.status}  {outcome.proof.name} {outcome.proof.task}".rstrip())
            if not outcome.passed:
                console.print(*outcome.log.splitlines()[-20:], sep="\n")
    figures = [
        report.Figure(f"{core_file.name}.formal.{o.proof.name}.{o.proof.task or 'all'}", o.status, "", "measured")
        for o in outcomes
    ]
    report.write(json_file, "formal", core_file.name, None, None, figures)
    failed = [o for o in outcomes if not o.passed]
    if failed:
        which = ", ".join(f"{o.proof.name} {o.proof.task}".rstrip() for o in failed)
        raise RunFailed(
            f"{len(failed)} of {len(outcomes)} proofs did not pass: {which}; the tools were {failed[0].tools}"
        )
