"""`rlcores train`: DQN, DDPG or PPO on a gymnasium environment, with a core as the learner."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from rlcores.base import report, threads
from rlcores.commands._options import JsonOption
from rlcores.train.interrupts import Interrupts

if TYPE_CHECKING:
    from rlcores.train.session import Outcome


def command(
    algo: Annotated[str | None, typer.Option("--algo", metavar="NAME", help="dqn, ddpg or ppo")] = None,
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
    resume: Annotated[bool, typer.Option("--resume", help="go on from the checkpoint in that folder")] = False,
    config: Annotated[
        str | None, typer.Option("--config", metavar="NAME", help="the core's configuration in configs.yaml")
    ] = None,
    accuracy: Annotated[
        str | None, typer.Option("--accuracy", metavar="NAME", help="of ppo's GAE core: exact16 (default) or 8bit")
    ] = None,
    network: Annotated[
        str | None, typer.Option("--network", metavar="SIZES", help="neurons of the hidden layers, such as 64,64")
    ] = None,
    gamma: Annotated[float | None, typer.Option("--gamma", help="discount")] = None,
    learning_rate: Annotated[float | None, typer.Option("--learning-rate", help="Adam's, of the values")] = None,
    batch_size: Annotated[int | None, typer.Option("--batch-size", help="of a gradient step")] = None,
    buffer_size: Annotated[int | None, typer.Option("--buffer-size", help="transitions kept (dqn, ddpg)")] = None,
    learning_starts: Annotated[
        int | None, typer.Option("--learning-starts", help="random steps before the first gradient step (dqn, ddpg)")
    ] = None,
    ahead: Annotated[
        int | None,
        typer.Option("--ahead", metavar="D", help="batches that are sampled before the updates of one (dqn, ddpg)"),
    ] = None,
    explore_steps: Annotated[
        int | None, typer.Option("--explore-steps", help="steps over which exploration falls (dqn)")
    ] = None,
    actor_epsilon: Annotated[
        float | None,
        typer.Option("--actor-epsilon", metavar="E", help="exploration of its own per environment, as Ape-X (dqn)"),
    ] = None,
    actor_alpha: Annotated[
        float | None, typer.Option("--actor-alpha", metavar="A", help="how far it differs between them (dqn)")
    ] = None,
    first_priority: Annotated[
        str | None,
        typer.Option("--first-priority", metavar="WHOSE", help="largest (default), or actor: its own TD error (dqn)"),
    ] = None,
    gae_lambda: Annotated[float | None, typer.Option("--gae-lambda", help="of ppo's advantages")] = None,
    entropy: Annotated[float | None, typer.Option("--entropy", help="weight of ppo's entropy bonus")] = None,
    envs: Annotated[int | None, typer.Option("--envs", min=1, help="environments side by side (default: 8)")] = None,
    actors: Annotated[
        int | None, typer.Option("--actors", min=1, help="processes they are shared among (default: all cores)")
    ] = None,
    cores: Annotated[
        int | None,
        typer.Option("--cores", metavar="M", min=1, help="divide so many cores between actors and learner, by times"),
    ] = None,
    ray: Annotated[
        str | None, typer.Option("--ray", metavar="ADDRESS", help="actors on a Ray cluster (auto, local, or host:port)")
    ] = None,
    replay: Annotated[
        str | None,
        typer.Option("--replay", metavar="ADDRESS", help="replay server of the experiences (dqn, ddpg): HOST:PORT"),
    ] = None,
    replay_key: Annotated[
        Path | None, typer.Option("--replay-key", metavar="FILE", help="the key of that server")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="of everything random (default: 0)")] = None,
    json_file: JsonOption = None,
) -> None:
    """Train a policy: progress, checkpoint, best weights, curve as CSV and PNG. Ctrl-C ends with a checkpoint."""
    given = dict(locals())
    # From the first moment: what is imported here takes seconds.
    with Interrupts() as interrupts:
        stopped = _train(given, given.pop("json_file"), interrupts)
    if stopped:
        raise typer.Exit(interrupts.exit_code)


def _train(given: dict[str, Any], json_file: str | None, interrupts: Interrupts) -> bool:
    """Whether the run was stopped. given: of Request, and what is tuned."""
    threads.one()
    from rlcores.train import tuning
    from rlcores.train.session import Request, resuming, train

    tuned = {name: given.pop(name) for name in tuning.NAMES}
    tuned["network"] = tuning.network(tuned["network"])
    console = Console(stderr=json_file == "-", highlight=False, soft_wrap=True)
    outcome = train(Request(**given, tuning=tuned), console, interrupts)
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
    )
    if outcome.stopped:
        go_on = resuming(folder.path, plan.environment)
        console.print(f"stopped after {run.state.step:,} steps; to go on: {go_on}")
        return True
    reached = (
        "" if run.state.best >= plan.until or plan.until == float("inf") else f", short of the goal {plan.until:g}"
    )
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
