"""`rlcores mutate CORE`: break the RTL at random and count what the core's tests notice."""

import json
from typing import Annotated

from typer import Argument, Option

from rlcores.base import paths, report
from rlcores.commands._options import JsonOption
from rlcores.errors import UserError
from rlcores_lab import shown

SECTION = "Measure"


def command(
    core: Annotated[str, Argument(metavar="CORE", help="core with a plan in verif/mutation")],
    count: Annotated[int, Option("--count", help="number of mutants")] = 200,
    seed: Annotated[int, Option("--seed", help="seed that chooses the mutants")] = 1,
    jobs: Annotated[int, Option("--jobs", help="tests at the same time")] = 1,
    fresh: Annotated[bool, Option("--fresh", help="ignore results of earlier runs on the same files")] = False,
    choose: Annotated[bool, Option("--list", help="only show the mutants")] = False,
    accept: Annotated[bool, Option("--accept", help="write these results into docs/verification.md")] = False,
    json_file: JsonOption = None,
) -> None:
    """Break the RTL at one place after the other, and count the breaks that the tests notice."""
    from rlcores_lab.mutation import plan as plans
    from rlcores_lab.mutation import run
    from rlcores_lab.mutation import table as tables
    from rlcores_lab.writers import parts

    if count < 1 or jobs < 1:
        raise UserError(f"--count is {count} and --jobs {jobs}; both must be at least 1")
    if accept:
        paths.clone()
    mutation = run.Mutation(plans.load(core), count, seed, fresh=fresh)
    console = shown.console(json_file)
    if choose:
        for mutant in mutation.mutants:
            console.print(f"{mutant.number}  {mutant.site.file.name}:{mutant.site.line}  {mutant.key}")
        return
    with shown.bar(console, f"mutants of {core}", count) as bar:
        result = mutation.run(jobs, lambda outcome: bar(), lambda text: bar.say(text[:100]))
    for outcome in result.outcomes:
        if outcome.status == "survived":
            console.print(f"survived  {outcome.mutant.site.file.name}:{outcome.mutant.site.line}  {outcome.mutant.key}")
    counts = (count, *map(result.count, run.STATUSES), f"{100 * result.killed:.1f} %")
    console.print(shown.table(f"{core}, seed {seed}", [("mutants", *run.STATUSES, "share killed"), counts]))
    figures = [
        report.Figure(f"mutation.{core}.killed", result.killed, "share", "measured"),
        report.Figure(f"mutation.{core}.count", count, "mutants", "measured"),
        *(report.Figure(f"mutation.{core}.{s}_count", result.count(s), "mutants", "measured") for s in run.STATUSES),
    ]
    if accept:
        tables.accept(result, parts.refreshed)
    rows = [outcome.row() for outcome in result.outcomes]
    report.write(json_file, "mutate", core, None, None, figures, seed=seed, mutants=rows)
    report.put(mutation.folder / "mutants.json", "[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n")
