"""`rlcores train`: an algorithm on a gymnasium environment, with a core as the learner.

Options of algorithms are those of their settings (rlcores.train.algorithms.algorithm.option).
"""

import inspect
import math
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from rlcores.base import report, threads
from rlcores.commands._options import JsonOption
from rlcores.train import algorithms, tuning
from rlcores.train.interrupts import Interrupts

SECTION = "Train, serve, deploy"

if TYPE_CHECKING:
    from rlcores.train.session import Outcome


def _either(names: Iterable[str]) -> str:
    """Names as help shows them: a, b or c."""
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last


_AT_SERVER = ", ".join(one.name for one in algorithms.ALL.values() if one.at_server)


def command(
    algo: Annotated[str | None, typer.Option("--algo", metavar="NAME", help=_either(algorithms.ALL))] = None,
    environment: Annotated[str | None, typer.Option("--env", metavar="ID", help="gymnasium environment")] = None,
    backend: Annotated[
        str | None,
        typer.Option("--backend", metavar="NAME", help="native (default), model or rtl"),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option("--on", metavar="PLACE", help="environments and acting: host (default), or chip (all integers)"),
    ] = None,
    steps: Annotated[
        int | None, typer.Option("--steps", min=1, help="environment steps, rounded up to whole rounds")
    ] = None,
    until: Annotated[
        float | None, typer.Option("--until", metavar="RETURN", help="end at this mean return (inf: make all steps)")
    ] = None,
    checkpoint: Annotated[
        Path | None, typer.Option("--checkpoint", metavar="DIR", help="the run's folder (default: in build/train)")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="resume from the checkpoint in that folder")] = False,
    config: Annotated[
        str | None, typer.Option("--config", metavar="NAME", help="the core's configuration in configs.yaml")
    ] = None,
    accuracy: Annotated[
        str | None,
        typer.Option("--accuracy", metavar="NAME", help="accuracy of ppo's GAE core: exact16 (default) or 8bit"),
    ] = None,
    envs: Annotated[
        int | None, typer.Option("--envs", min=1, help="environments side by side (default: 8; td3, sac: 1)")
    ] = None,
    actors: Annotated[
        int | None, typer.Option("--actors", min=1, help="processes that step them (default: one per core)")
    ] = None,
    cores: Annotated[
        int | None,
        typer.Option(
            "--cores", metavar="M", min=1, help="divide M cores between actors and learner, by measured times"
        ),
    ] = None,
    ray: Annotated[
        str | None, typer.Option("--ray", metavar="ADDRESS", help="actors on a Ray cluster (auto, local, or host:port)")
    ] = None,
    replay: Annotated[
        str | None,
        typer.Option(
            "--replay", metavar="ADDRESS", help=f"replay server that keeps the experiences ({_AT_SERVER}): HOST:PORT"
        ),
    ] = None,
    replay_key: Annotated[
        Path | None, typer.Option("--replay-key", metavar="FILE", help="the key of that server")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="seed of all random numbers (default: 0)")] = None,
    json_file: JsonOption = None,
    **tuned: Any,
) -> None:
    """Train a policy, and write its checkpoints, best weights and learning curve. Ctrl-C stops with a checkpoint."""
    options = {name: value for name, value in locals().items() if name != "tuned"} | tuned
    # From the first moment: what is imported here takes seconds.
    with Interrupts() as interrupts:
        stopped = _train(options, options.pop("json_file"), interrupts)
    if stopped:
        raise typer.Exit(interrupts.exit_code)


def _with_options(function: Any) -> Any:
    """The function with a parameter for each option of the algorithms in place of **tuned, before --envs."""
    own = inspect.signature(function)
    parameters = [p for p in own.parameters.values() if p.kind is not p.VAR_KEYWORD]
    at = [p.name for p in parameters].index("envs")
    made = []
    for name, (option, owners) in tuning.options().items():
        about = option.help + ("" if len(owners) == len(algorithms.ALL) else f" ({', '.join(owners)})")
        kind = {"layers": str}.get(option.kind, option.kind)
        words = {"metavar": option.metavar} if option.metavar else {}
        taken = Annotated[kind | None, typer.Option(f"--{name.replace('_', '-')}", help=about, **words)]
        made.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=taken))
    parameters = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in parameters]
    parameters[at:at] = made
    function.__signature__ = own.replace(parameters=parameters)
    function.__annotations__ = {p.name: p.annotation for p in parameters} | {"return": None}
    return function


command = _with_options(command)


def _train(options: dict[str, Any], json_file: str | None, interrupts: Interrupts) -> bool:
    """Whether the run was stopped. options: of Request, and what is tuned."""
    threads.one()
    from rlcores.train.session import Request, resuming, train

    tuned = {name: options.pop(name) for name in tuning.NAMES}
    tuned["network"] = tuning.network(tuned["network"])
    console = Console(stderr=json_file == "-", highlight=False, soft_wrap=True)
    outcome = train(Request(**options, tuning=tuned), console, interrupts)
    run, folder = outcome.run, outcome.folder
    plan = run.plan
    report.write(
        json_file,
        "train",
        plan.core,
        plan.config,
        None,
        _figures(outcome),
        algorithm=plan.algo,
        environment=plan.environment,
        backend=plan.backend,
        seed=plan.seed,
        folder=str(folder.path),
        digest=run.state.digest[:16],
        goal=plan.until if math.isfinite(plan.until) else None,
        reached=run.reached,
    )
    if outcome.stopped:
        go_on = resuming(folder.path, plan.environment)
        console.print(f"stopped after {run.state.step:,} steps; to go on: {go_on}")
        return True
    reached = "" if run.reached or math.isinf(plan.until) else f", short of the goal {plan.until:g}"
    console.print(
        f"best policy: mean return {outcome.report:.1f} of {plan.report} episodes{reached}; found at step "
        f"{run.state.best_step:,} of {run.state.step:,}, {run.trainer.updates:,} gradient steps, {run.seconds:.0f} s"
    )
    console.print(f"digest of all weights after every round: {run.state.digest[:16]}")
    console.print(f"best.npz, curve.csv, curve.png, checkpoint.npz in {folder.path}")
    return False


def _figures(outcome: "Outcome") -> list[report.Figure]:
    run = outcome.run
    figures = [
        report.Figure("train.steps", run.state.step, "environment steps", "measured"),
        report.Figure("train.gradient_steps", run.trainer.updates, "gradient steps", "measured"),
        report.Figure("train.episodes", run.state.episodes, "episodes", "measured"),
        report.Figure("train.best_step", run.state.best_step, "environment steps", "measured"),
        report.Figure("train.seconds", round(run.seconds, 2), "s", "measured"),
    ]
    if outcome.division:
        figures += outcome.division.figures()
    if run.trainer.clocks:
        figures.append(report.Figure("train.clocks", run.trainer.clocks, "clocks", "measured"))
    if outcome.report is not None:
        figures.insert(0, report.Figure("train.best", round(outcome.report, 2), "return", "measured"))
    return figures
