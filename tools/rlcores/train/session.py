"""A whole run for the command line: plan, pool, loop, Ctrl-C, files at the end."""

import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from typing import Any

from rich.console import Console

from rlcores.errors import UserError
from rlcores.net import addresses
from rlcores.train import cores, pool, settings
from rlcores.train import folder as folders
from rlcores.train.folder import Folder
from rlcores.train.interrupts import Interrupts
from rlcores.train.live import Live
from rlcores.train.loop import Run, make_trainer
from rlcores.train.on_chip import ChipPool
from rlcores.train.remote import RemoteTrainer
from rlcores.train.settings import Plan
from rlcores.train.spaces import Spaces, look


@dataclass(frozen=True)
class Request:
    """What was asked for; None: not said, so that a checkpoint's or the default is taken."""

    algo: str | None = None
    environment: str | None = None
    backend: str | None = None
    seed: int | None = None
    steps: int | None = None
    envs: int | None = None
    until: float | None = None
    config: str | None = None
    accuracy: str | None = None
    on: str | None = None  # "host" or "chip"
    tuning: Mapping[str, Any] = field(default_factory=dict)  # rlcores.train.tuning
    checkpoint: Path | None = None
    resume: bool = False
    actors: int | None = None
    cores: int | None = None  # divided between actors and learner
    ray: str | None = None
    replay: str | None = None  # address of a replay server
    replay_key: Path | None = None


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    run: Run
    folder: Folder
    stopped: bool  # by Ctrl-C, before it was done
    report: float | None  # mean return of the best policy; None when stopped
    picture: Path
    division: cores.Division | None = None  # of --cores


def train(request: Request, console: Console, interrupts: Interrupts | None = None) -> Outcome:
    """Train as asked. Raises UserError before anything is written, RunFailed when a core does not build.

    interrupts: of the whole command, for Ctrl-C.
    """
    kept: tuple[dict[str, Any], dict[str, Any], dict[str, Any]] | None = None
    folder: Folder | None = None
    interrupts = interrupts or Interrupts()
    try:
        if request.resume:
            if request.checkpoint is None:
                raise UserError("--resume needs --checkpoint DIR, the folder of the run that is to go on")
            folder = Folder(request.checkpoint)
            if folder.path.is_dir():
                folder.claim(new=False)
            kept = folder.load()
        plan, spaces = make_plan(request, kept[0] if kept else None)
        if kept:
            folders.check(kept[0], plan, folder.path)
        elif request.checkpoint is not None:
            folder = Folder(request.checkpoint)
            folder.claim()
        else:
            folder = folders.default(plan)
        interrupts.leave = folder.release
        return _train(request, console, interrupts, plan, spaces, folder, kept)
    finally:
        if folder is not None:
            folder.release()


def _train(request, console, interrupts, plan: Plan, spaces: Spaces, folder: Folder, kept) -> Outcome:
    if request.ray is not None:
        pool.require()
    if plan.on_chip and (request.ray is not None or request.actors is not None):
        raise UserError("--actors and --ray share out environments of the host; those of --on chip are on the chip")
    if request.replay is None and request.replay_key is not None:
        raise UserError("--replay-key is the key of a replay server, but there is no --replay ADDRESS")
    if plan.on_chip and plan.algorithm.at_server and request.replay is not None:
        raise UserError("--replay is of actors on the host; the memory of --on chip is the core's")
    division = None
    if request.cores is not None:
        _check_cores(request, plan)
        with console.status(f"timing actors and learner for {request.cores} cores"):
            division = cores.divide(plan, spaces, request.cores)
        console.print(division.line)
    actors = division.actors if division else request.actors or min(plan.envs, os.cpu_count() or 1)
    if not 1 <= actors <= plan.envs:
        raise UserError(f"there are {actors} actors; it must be 1 to {plan.envs}, the number of environments")
    # A core that has to be built tells about it itself.
    what = f"making the learner, backend {plan.backend}"
    with contextlib.nullcontext() if plan.backend == "rtl" else console.status(what):
        if request.replay is None:
            trainer, place = make_trainer(plan, spaces), None
        else:
            key = addresses.key_of(request.replay_key)
            trainer = RemoteTrainer(plan, spaces, request.replay, key, resume=kept is not None, ray=request.ray)
            place = trainer.place()
    apart = division is not None and division.learners > 0
    go_on = f"to go on: {resuming(folder.path, plan.environment)}"
    with contextlib.ExitStack() as ends:
        ends.callback(trainer.close)
        workers = ChipPool(plan, spaces) if plan.on_chip else pool.make(plan, actors, request.ray, place, apart)
        ends.callback(workers.close)
        run = Run(plan, spaces, trainer, workers, folder)
        if kept:
            run.restore(*kept[1:])
            if not run.same:
                console.print(f"{plan.environment} is not deterministic: its episodes go on otherwise than before")
        with Live(run, console, folder) as live, interrupts.working(run.stop.set):
            run.run(live)
        if run.reached:
            console.print(f"goal {plan.until:g} reached at step {run.state.best_step:,} of {plan.steps:,}")
        interrupts.last_words = f"stopped; {go_on}"
        stopped = run.stop.is_set() and not run.done
        report = None if stopped else run.report()
    title = f"{plan.algo} on {plan.environment}, backend {plan.backend}, seed {plan.seed}"
    picture = folder.write_picture(run.state.curve, title, plan.until)
    folder.write_result(
        plan,
        {
            "step": run.state.step,
            "gradient_steps": trainer.updates,
            "best": report,
            "best_step": run.state.best_step,
            "reached": run.reached,
            "seconds": run.seconds,
            "stopped": stopped,
            **({"cores": division.as_dict()} if division else {}),
        },
    )
    return Outcome(run, folder, stopped, report, picture, division)


def _check_cores(request: Request, plan: Plan) -> None:
    """Raises UserError where there is nothing that --cores could divide."""
    for named, why in (
        (request.actors is not None, "--cores chooses the number of actors; leave --actors out"),
        (request.ray is not None, "--cores divides the cores of this machine, which actors on Ray do not use"),
        (
            request.replay is not None,
            "--cores divides the cores of one process and its actors; at a replay server give --actors",
        ),
        (plan.on_chip, "--cores divides cores between actors and learner; with --on chip both are on the chip"),
    ):
        if named:
            raise UserError(why)


def resuming(folder: Path, environment: str) -> str:
    """The command that goes on with a run."""
    own = f" --env {quote(environment)}" if ":" in environment else ""
    return f"rlcores train --checkpoint {quote(str(folder))} --resume{own}"


def make_plan(request: Request, kept: dict[str, Any] | None) -> tuple[Plan, Spaces]:
    """The plan, and the environment's spaces. kept: the plan of a checkpoint, whose settings are the defaults."""
    names = ("algo", "environment", "backend", "seed", "steps", "envs", "until", "config", "accuracy", "on")
    options = {n: getattr(request, n) for n in names}
    if kept:
        kept_settings = kept.get("settings")
        old = kept | {"accuracy": kept_settings.get("accuracy") if isinstance(kept_settings, dict) else None}
        options = {n: _number(old.get(n)) if value is None else value for n, value in options.items()}
    for name, option in (("algo", "--algo"), ("environment", "--env")):
        if options[name] is None:
            raise UserError(f"{option} is missing")
    algo, environment = options.pop("algo"), options.pop("environment")
    if request.environment is None and ":" in str(environment):
        # A checkpoint is a file that somebody may have made: a name in it imports no module.
        raise UserError(
            f"the checkpoint's environment is '{environment}', which imports the module before the colon; if you want "
            f"that, say so: --env {quote(str(environment))}"
        )
    backend, seed = options.pop("backend") or "native", options.pop("seed") or 0
    spaces = look(environment)
    before = (kept or {}).get("tuning")
    tuned = (before if isinstance(before, dict) else {}) | {k: v for k, v in request.tuning.items() if v is not None}
    return settings.plan(algo, environment, backend, spaces, seed=seed, tuning=tuned, **options), spaces


def _number(x: Any) -> Any:
    return float(x) if x in ("inf", "-inf") else x
