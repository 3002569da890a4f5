"""`rlcores study`: what learning does with the cores' numbers, and where the time of today's software goes."""

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from typer import Argument, Option

from rlcores.base import paths, report, threads
from rlcores.commands._options import JsonOption
from rlcores.errors import RunFailed, UserError
from rlcores_lab import shown, work

SECTION = "Measure"

group = typer.Typer(
    help="Run a study of learning, such as integers against float32.",
    invoke_without_command=True,
    rich_markup_mode=None,
)
OutputOption = Annotated[
    Path | None, Option("--output", metavar="FILE", help="as Markdown, too; replaced if it exists")
]


@group.callback()
def _root(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@group.command("heppo")
def heppo_command(
    seeds: Annotated[int | None, Option("--seeds", min=1, help="seeds of each line (default: 5)")] = None,
    environment: Annotated[
        list[str] | None,
        Option("--env", metavar="ID", help="this environment only; robots and the game only when named"),
    ] = None,
    steps: Annotated[
        int | None,
        Option("--steps", min=1, help="of a run on a robot or a game (default: the study's)"),
    ] = None,
    bits: Annotated[bool, Option("--bits/--no-bits", help="experiment 5 at 3 to 10 bits too")] = True,
    workers: Annotated[int, Option("--jobs", min=1, help="runs at the same time; a robot's are one by one")] = 1,
    output: Annotated[
        Path | None, Option("--output", metavar="DIR", help="where table and picture go (default: build/heppo)")
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """PPO under experiments 1 to 5 of HEPPO's Table III, at 3 to 10 bits; runs are kept.

    Runs on robots (Hopper-v5, Humanoid-v5) and a game (ALE/Breakout-v5) take minutes each and are kept in the
    repository; stopped, the command goes on where it was.
    """
    threads.one()
    from rlcores_lab.study import heppo, heppo_table, robots

    console = shown.console(json_file)
    if chosen := [e for e in environment or () if e in robots.ENVIRONMENTS]:
        if other := sorted(set(environment or ()) - set(chosen)):
            raise UserError(f"robots and the game are run by themselves, without {', '.join(other)}")
        _robots(robots.plan(seeds or heppo.SEEDS, chosen, steps, bits), console, output, json_file)
        return
    if steps is not None:
        raise UserError(f"--steps is of a run on a robot or a game: {', '.join(robots.ENVIRONMENTS)}")
    jobs = heppo.plan(seeds or heppo.SEEDS, environment, bits)
    folder = paths.build() / "heppo"
    with shown.bar(console, "PPO runs", len(jobs)) as bar:
        runs = work.spread(partial(heppo.one, folder=folder / "runs"), jobs, workers, done=lambda run: bar())
    files = heppo_table.write(runs, output or folder)
    figures = []
    for x in [*heppo_table.lines(runs), *(y for y in heppo_table.bits_lines(runs) if y.bits != heppo.PAPER_BITS)]:
        name = f"heppo.{x.environment}.{x.experiment}" + (f".{x.bits}bits" if x.bits else "")
        both = {"final": x.final, "mean": x.mean}
        figures += [report.Figure(f"{name}.{of}", round(y, 1), "return", "measured") for of, y in both.items()]
    report.write(json_file, "study heppo", "gae", None, None, figures, seeds=seeds or heppo.SEEDS)
    console.print(heppo_table.markdown(runs))
    console.print("written: " + ", ".join(str(f) for f in files))


def _robots(jobs: list, console: Console, output: Path | None, json_file: Path | None) -> None:
    from rlcores_lab.study import robots, robots_table

    line = "{0.environment} experiment {0.experiment}, {1}, seed {0.seed}, {0.steps:,} steps: {0.final:.0f}"
    with shown.bar(console, "PPO runs", len(jobs)) as bar:
        runs = robots.all_of(
            jobs,
            done=lambda run: bar(line.format(run, f"{run.bits} bits" if run.bits else "float")),
            said=lambda job, share: bar.say(f"{job[0]} experiment {job[1]} seed {job[3]}: {share:4.0%}"),
        )
    folder = output or paths.build() / "heppo"
    report.write(json_file, "study heppo", "gae", None, None, robots_table.figures(runs), runs=len(runs))
    console.print(robots_table.markdown(runs))
    console.print(f"written: {robots_table.write(runs, folder)}")


@group.command("profile")
def profile_command(
    loop: Annotated[str | None, Option("--loop", metavar="NAME", help="ppo or dqn (default: both)")] = None,
    library: Annotated[
        str | None, Option("--library", metavar="NAME", help="numpy or torch (default: what is installed)")
    ] = None,
    environment: Annotated[str, Option("--env", metavar="ID", help="gymnasium environment")] = "CartPole-v1",
    batch: Annotated[int, Option("--batch-size", min=1, help="of DQN's gradient step")] = 64,
    seconds: Annotated[float, Option("--seconds", min=0.1, help="of each loop")] = 10.0,
    output: OutputOption = None,
    json_file: JsonOption = None,
) -> None:
    """Profile PPO and DQN in today's software, and name the core that takes each share."""
    threads.one()
    from rlcores_lab.study import profile

    console = shown.console(json_file)
    runs = []
    for chosen in [loop] if loop else profile.LOOPS:
        for using in [library] if library else profile.libraries():
            with console.status(f"{chosen} in {using}"):
                runs.append(profile.run(chosen, using, environment, batch=batch, seconds=seconds))
    figures = [figure for one in runs for figure in one.figures()]
    details = [{"loop": p.loop, "library": p.library, "environment": p.environment, **p.details} for p in runs]
    short = environment.partition("-")[0].lower()
    report.write(json_file, "study profile", "all", short, None, figures, loops=details)
    for one in runs:
        console.print(shown.table(one.title, one.table(), left=("replaced by",)))
    if output is not None:
        report.put(output, profile.markdown(runs))
        console.print(f"written: {output}")


@group.command("shapes")
def shapes_command(json_file: JsonOption = None) -> None:
    """Sweep the look-ahead of the GAE array and the fan-out of the sum tree, as the papers do."""
    from rlcores_lab.study import shapes

    console = shown.console(json_file)
    report.write(json_file, "study shapes", "shapes", None, None, shapes.figures())
    rows = [("look-ahead k", "DSP", "LUT", "FF")]
    rows += [(str(k), *(f"{x:,.0f}" for x in own)) for k, *own in shapes.lookahead()]
    console.print(shown.table("A row of the array of 64 (model of Yosys' counts)", rows))
    rows = [("fan-out K", "clocks of a sample", "LUT", "RAMB36")]
    rows += [(str(k), *(f"{x:,.0f}" for x in own)) for k, *own in shapes.fanout()]
    console.print(shown.table("A tree of 1,048,576 leaves, a sample and an update per clock at every K (model)", rows))


def _known(names: Sequence[str] | None, known: Collection[str]) -> None:
    """Raises UserError for an environment that the study has not."""
    if unknown := sorted(set(names or ()) - set(known)):
        raise UserError(f"the study has no environment '{unknown[0]}'; environments: {', '.join(known)}")


def _runs(console: Console, one: Callable[[Any], Any], jobs: Sequence, said: str) -> list:
    """The runs of these jobs, one by one: those that are kept, and others that are made and kept. said: of a run."""
    with shown.bar(console, "runs", len(jobs)) as bar:
        return work.spread(one, jobs, 1, done=lambda run: bar(said.format(run)))


@group.command("relaxed")
def relaxed_command(
    seeds: Annotated[int | None, Option("--seeds", min=1, help="seeds of each line (default: 5)")] = None,
    environment: Annotated[list[str] | None, Option("--env", metavar="ID", help="this environment only")] = None,
    picture: Annotated[Path | None, Option("--picture", metavar="FILE", help="returns against D, as PNG")] = None,
    json_file: JsonOption = None,
) -> None:
    """Learning with priorities that come back 0 to 200 batches late; it resumes if stopped."""
    threads.one()
    from rlcores_lab.study import relaxed

    console = shown.console(json_file)
    _known(environment, relaxed.ENVIRONMENTS)
    jobs = relaxed.plan(seeds or relaxed.SEEDS, environment)
    runs = _runs(console, relaxed.one, jobs, "{0.environment}, D = {0.ahead}, seed {0.seed}: {0.mean:.1f}")
    report.write(json_file, "study relaxed", "relaxed", None, None, relaxed.figures(runs), runs=len(runs))
    console.print(shown.table("Priorities D batches late; means of seeds with 95 % intervals", relaxed.table(runs)))
    if picture is not None:
        relaxed.picture(runs, picture)


@group.command("learners")
def learners_command(
    seeds: Annotated[int | None, Option("--seeds", min=1, help="seeds of each line (default: 5)")] = None,
    environment: Annotated[list[str] | None, Option("--env", metavar="ID", help="this environment only")] = None,
    json_file: JsonOption = None,
) -> None:
    """L learners that average their weights every H steps, beside one with L times the batch; it resumes if stopped."""
    threads.one()
    from rlcores_lab.study import learners

    console = shown.console(json_file)
    _known(environment, learners.ENVIRONMENTS)
    jobs = learners.plan(seeds or learners.SEEDS, environment)
    told = "{0.environment}, L = {0.learners}, H = {0.average}, rates × {0.rate:.3g}, seed {0.seed}: {0.mean:.1f}"
    runs = _runs(console, learners.one, jobs, told)
    report.write(json_file, "study learners", "learners", None, None, learners.figures(runs), runs=len(runs))
    console.print(shown.table("Learners in parallel; means of seeds with 95 % intervals", learners.table(runs)))


@group.command("spo")
def spo_command(
    seeds: Annotated[int | None, Option("--seeds", min=1, help="seeds of each line (default: 3)")] = None,
    task: Annotated[list[str] | None, Option("--task", metavar="NAME", help="this task only")] = None,
    json_file: JsonOption = None,
) -> None:
    """SPO-DQN and SPO-TD3 beside one learner with L times the batch, and an outer momentum; it resumes if stopped."""
    threads.one()
    from rlcores_lab.study import learners, spo

    console = shown.console(json_file)
    if unknown := sorted(set(task or ()) - set(spo.TASKS)):
        raise UserError(f"the study has no task '{unknown[0]}'; tasks: {'; '.join(spo.TASKS)}")
    runs = _runs(
        console,
        spo.one,
        spo.plan(seeds or spo.SEEDS, task),
        "{0.environment}, L = {0.learners}, H = {0.average}, momentum {0.momentum}, seed {0.seed}: {0.mean:.1f}",
    )
    report.write(json_file, "study spo", "spo", None, None, spo.figures(runs), runs=len(runs))
    console.print(
        shown.table("SPO-DQN and SPO-TD3; means of seeds with 95 % intervals", learners.table(spo.plain(runs)))
    )
    console.print(shown.table("An outer momentum", spo.momentum_table(runs)))


@group.command("records")
def records_command(
    seeds: Annotated[int | None, Option("--seeds", min=1, help="seeds of each line (default: 5)")] = None,
    task: Annotated[list[str] | None, Option("--task", metavar="NAME", help="this task only")] = None,
    picture: Annotated[Path | None, Option("--picture", metavar="FILE", help="returns against bits, as PNG")] = None,
    json_file: JsonOption = None,
) -> None:
    """PPO on the chip with HEPPO's records of 3 to 10 bits in its rollout memory; it resumes if stopped."""
    threads.one()
    from rlcores_lab.study import records

    console = shown.console(json_file)
    if unknown := sorted(set(task or ()) - set(records.tasks())):
        raise UserError(f"the chip has no task '{unknown[0]}'; tasks: {', '.join(records.tasks())}")
    jobs = records.plan(seeds or records.SEEDS, task)
    runs = _runs(console, records.one, jobs, "{0.task}, {0.bits} bits, seed {0.seed}: {0.final:.1f}")
    report.write(json_file, "study records", "records", None, None, records.figures(runs), runs=len(runs))
    console.print(shown.table("Records of few bits; means of seeds with 95 % intervals", records.table(runs)))
    if picture is not None:
        records.picture(runs, picture)


@group.command("continuous")
def continuous_command(
    seeds: Annotated[int | None, Option("--seeds", min=1, help="seeds of each line (default: 10)")] = None,
    json_file: JsonOption = None,
) -> None:
    """TD3 and SAC on Pendulum, integers beside float32 in one loop; it resumes if stopped."""
    threads.one()
    from rlcores_lab.study import continuous

    console = shown.console(json_file)
    jobs = continuous.plan(seeds or continuous.SEEDS)
    runs = _runs(console, continuous.one, jobs, "{0.algo}, {0.arithmetic}, seed {0.seed}: {0.best:.1f}")
    report.write(json_file, "study continuous", "rl", None, None, continuous.figures(runs), runs=len(runs))
    console.print(shown.table("Pendulum; returns of 100 episodes", continuous.table(runs)))


@group.command("memr")
def memr_command(
    seeds: Annotated[int | None, Option("--seeds", min=1, help="seeds of each line (default: 5)")] = None,
    environment: Annotated[list[str] | None, Option("--env", metavar="ID", help="this environment only")] = None,
    json_file: JsonOption = None,
) -> None:
    """SAC on rollouts of a learned model (MEMR) beside SAC, in environment steps; it resumes if stopped."""
    threads.one()
    from rlcores_lab.study import memr

    console = shown.console(json_file)
    _known(environment, memr.TASKS)
    jobs = memr.plan(seeds or memr.SEEDS, environment)
    runs = _runs(
        console, memr.one, jobs, "{0.environment}, {0.way}, seed {0.seed}: {0.steps:,} steps, best {0.best:.0f}"
    )
    report.write(json_file, "study memr", "memr", None, None, memr.figures(runs), runs=len(runs))
    console.print(shown.table("Environment steps to the goal", memr.table(runs)))


@group.command("deployed")
def deployed_command(
    folder: Annotated[
        Path | None, Option("--folder", metavar="DIR", help="policy files (default: build/policies; made if missing)")
    ] = None,
    name: Annotated[list[str] | None, Option("--name", metavar="NAME", help="this file only")] = None,
    count: Annotated[int, Option("--count", min=1, help="observations for model, engine and C99")] = 1_000_000,
    rtl: Annotated[int, Option("--rtl", min=0, help="observations for the RTL; 0: none")] = 10_000,
    keep: Annotated[bool, Option("--keep/--no-keep", help="keep results in the repository")] = True,
    json_file: JsonOption = None,
) -> None:
    """Check that model, native engine, C99 and RTL give the same bits for real policy files; it resumes if stopped."""
    threads.one()
    from rlcores_lab.study import deployed, policies

    console = shown.console(json_file)
    if unknown := sorted(set(name or ()) - set(policies.BY_NAME)):
        raise UserError(f"the study has no file '{unknown[0]}'; files: {', '.join(policies.BY_NAME)}")
    names = name or list(policies.BY_NAME)
    there, file = folder or paths.build() / "policies", deployed.KEPT if keep else None
    with shown.bar(console, "policies", len(names)) as bar:
        line = "{0.name}: {0.c99:,} observations, {0.rtl:,} in RTL, {0.wrong} wrong {0.refused}"
        runs = deployed.all_of(there, names, count, rtl, lambda run: bar(line.format(run)), file)
    report.write(json_file, "study deployed", "deploy", None, None, deployed.figures(runs), runs=len(runs))
    console.print(shown.table("Policies of other libraries, the same bits everywhere", deployed.table(runs)))
    if wrong := [run.name for run in runs if run.wrong]:
        raise RunFailed(f"answers differ: {', '.join(wrong)}")


@group.command("deploy_bits")
def deploy_bits_command(
    folder: Annotated[
        Path | None, Option("--folder", metavar="DIR", help="policy files (default: build/policies; made if missing)")
    ] = None,
    name: Annotated[list[str] | None, Option("--name", metavar="NAME", help="this policy only")] = None,
    blocks: Annotated[int, Option("--blocks", min=1, help="of 50 episodes, at each width")] = 2,
    bits: Annotated[list[int] | None, Option("--bits", min=0, max=16, help="this width only; 0: float")] = None,
    picture: Annotated[Path | None, Option("--picture", metavar="FILE", help="returns against bits, as PNG")] = None,
    json_file: JsonOption = None,
) -> None:
    """Returns of deployed policies at 3 to 16 bits beside floating point; it resumes if stopped."""
    threads.one()
    from rlcores_lab.study import deploy_bits, policies

    console = shown.console(json_file)
    if unknown := sorted(set(name or ()) - set(policies.BY_NAME)):
        raise UserError(f"the study has no policy '{unknown[0]}'; policies: {', '.join(policies.LEARNT)}")
    jobs = deploy_bits.plan(blocks, name, bits or deploy_bits.ALL_BITS)
    there = folder or paths.build() / "policies"
    with shown.bar(console, "runs", len(jobs)) as bar:
        play = partial(deploy_bits.one, there=there)
        line = "{0.policy}, {0.bits} bits, block {0.block}"
        runs = work.spread(play, jobs, 1, done=lambda run: bar(line.format(run)))
    report.write(json_file, "study deploy_bits", "deploy", None, None, deploy_bits.figures(runs), runs=len(runs))
    console.print(shown.table("Returns by bits", deploy_bits.table(runs)))
    console.print(shown.table("From how many bits the return holds", deploy_bits.summary(runs)))
    if picture is not None:
        deploy_bits.picture(runs, picture)


@group.command("deploy_latency")
def deploy_latency_command(
    name: Annotated[list[str] | None, Option("--name", metavar="NAME", help="this network only")] = None,
    keep: Annotated[bool, Option("--keep/--no-keep", help="keep results in the repository")] = True,
    json_file: JsonOption = None,
) -> None:
    """Count the latencies of three deployed networks in Verilator."""
    from rlcores_lab.study import deploy_latency

    console = shown.console(json_file)
    if unknown := sorted(set(name or ()) - set(deploy_latency.BY_NAME)):
        raise UserError(f"the study has no network '{unknown[0]}'; networks: {', '.join(deploy_latency.BY_NAME)}")
    names = name or list(deploy_latency.BY_NAME)
    with shown.bar(console, "networks", 2 * len(names)) as bar:
        line = "{0.network}, {0.multiplier}: {0.clocks} clocks, {0.observations} answers"
        file = deploy_latency.KEPT if keep else None
        runs = deploy_latency.all_of(names, lambda run: bar(line.format(run)), file)
    report.write(json_file, "study deploy_latency", "deploy", None, None, deploy_latency.figures(runs))
    console.print(shown.table("Latency in RTL", deploy_latency.table(runs)))


@group.command("deploy_placed")
def deploy_placed_command(
    name: Annotated[list[str] | None, Option("--name", metavar="NAME", help="this network only")] = None,
    keep: Annotated[bool, Option("--keep/--no-keep", help="keep results in the repository")] = True,
    json_file: JsonOption = None,
) -> None:
    """Place and route two deployed networks on ECP5 (minutes)."""
    from rlcores_lab.study import deploy_placed

    console, runs = shown.console(json_file), []
    if unknown := sorted(set(name or ()) - set(deploy_placed.BY_NAME)):
        raise UserError(f"the study has no network '{unknown[0]}'; networks: {', '.join(deploy_placed.BY_NAME)}")
    names = name or list(deploy_placed.BY_NAME)
    with shown.bar(console, "networks", len(names)) as bar:
        for place in map(deploy_placed.BY_NAME.get, names):
            runs.append(deploy_placed.run(place))
            if keep:
                deploy_placed.keep(runs[-1])
            bar(f"{runs[-1].network} on {runs[-1].chip}: {runs[-1].fmax_mhz:.1f} MHz")
    report.write(json_file, "study deploy_placed", "deploy", None, None, deploy_placed.figures(runs))
    console.print(shown.table("Placed on ECP5", deploy_placed.table(runs)))


@group.command("deploy_peers")
def deploy_peers_command(
    python: Annotated[Path, Option("--python", metavar="FILE", help="Python that has hls4ml, da4ml or finn")],
    folder: Annotated[
        Path | None, Option("--folder", metavar="DIR", help="policy files (default: build/policies; made if missing)")
    ] = None,
    name: Annotated[list[str] | None, Option("--name", metavar="NAME", help="this file only")] = None,
    reads: Annotated[bool, Option("--reads/--no-reads", help="read the files, else keep what was said of them")] = True,
    networks: Annotated[
        int,
        Option("--networks", min=0, max=2, help="equal ones through Yosys: none, 4-16-16-2, or 4-64-64-2 too; long"),
    ] = 2,
    keep: Annotated[bool, Option("--keep/--no-keep", help="keep results in the repository")] = True,
) -> None:
    """Compare with hls4ml, da4ml and FINN: which policy files each reads, and the area of an equal network."""
    from rlcores_lab.study import deploy_peers, policies

    console = shown.console(None)
    if not python.is_file():
        raise UserError(f"there is no Python '{python}'; make an environment with hls4ml and da4ml, and give its own")
    there = folder or paths.build() / "policies"
    names = (name or list(policies.BY_NAME)) if reads else []
    before = deploy_peers.kept()

    def kept(peers: deploy_peers.Peers) -> None:
        if keep:
            deploy_peers.keep(deploy_peers.merged(before, peers))

    peers = deploy_peers.merged(before, deploy_peers.compare(python, there, names, console.print, networks, kept))
    console.print(shown.table("What they read", deploy_peers.reads_table(peers)))
    console.print(shown.table("The same network", deploy_peers.areas_table(peers)))


@group.command("errors")
def errors_command(
    seed: Annotated[int, Option("--seed", min=0, help="of environments, policies and critics")] = 0,
    output: OutputOption = None,
    json_file: JsonOption = None,
) -> None:
    """Measure the error of advantages on many environments and rewards, at each accuracy of the GAE core."""
    threads.one()
    from rlcores_lab.study import errors

    console = shown.console(json_file)
    with console.status("") as status:
        result, missing = errors.run(seed, lambda name: status.update(name))
    report.write(json_file, "study errors", "gae", None, None, errors.figures(result), seed=seed, missing=missing)
    rows = [("rewards", "critic", "accuracy", "rms error", "of the rms advantage", "largest, of the largest")]
    rows += [(e.rewards, e.critic, e.accuracy, *(f"{x:.1e}" for x in (e.rms, e.relative, e.share))) for e in result]
    console.print(shown.table("Errors of advantages()", rows, left=("critic", "accuracy")))
    for reason in missing.values():
        console.print(f"left out: {reason}")
    if output is not None:
        console.print(f"written: {errors.write(result, missing, output)}")


@group.command("learning")
def learning_command(
    seeds: Annotated[int | None, Option("--seeds", min=1, help="seeds of each task (default: all)")] = None,
    workers: Annotated[int | None, Option("--jobs", min=1, help="runs at the same time")] = None,
    json_file: JsonOption = None,
    task: Annotated[str | None, Option("--task", metavar="NAME", help="this task only")] = None,
    arithmetic: Annotated[
        str | None, Option("--arithmetic", metavar="NAME", help="float32, integer or rtl, the core itself")
    ] = None,
    seed: Annotated[int | None, Option("--seed", min=0, help="this seed only")] = None,
) -> None:
    """Compare the learner's integers with float32 on three environments, as `rlcores regress --long`.

    Hours of learning on one or two cores; what is in build/study already is not run again.
    """
    # A study process does small matrices; more threads than one only stand in each other's way.
    threads.one()
    from rlcores_lab.study import table

    console = shown.console(json_file)
    jobs = table.plan(seeds, [task] if task else None, [arithmetic] if arithmetic else table.ARITHMETICS)
    jobs, folder = [job for job in jobs if seed in (None, job[2])], paths.build() / "study"
    with shown.bar(console, "learning", len(jobs)) as bar:
        said = "{0.task} {0.arithmetic} seed {0.seed}: best {0.best:.1f}, final {0.final:.1f}"
        learn, done = partial(table.one, folder=folder), lambda run: bar(said.format(run))
        runs = work.spread(learn, jobs, workers or min(2, os.cpu_count() or 1), done=done)
    picture = folder / "learner_study.png"
    table.picture(runs, picture)
    figures = []
    for line in table.lines(runs):
        name = f"learner.study.{line.task}.{line.arithmetic}"
        figures += [
            report.Figure(f"{name}.learned", line.learned, f"of {line.seeds} seeds", "measured"),
            report.Figure(f"{name}.best", round(line.best, 1), "return", "measured"),
            report.Figure(f"{name}.final", round(line.final, 1), "return", "measured"),
        ]
    report.write(json_file, "regress", "learner", None, None, figures, runs=[asdict(run) for run in runs])
    console.print(table.markdown(runs) + "\n" + table.seeds_markdown(runs) + f"curves: {picture}")
    if faults := table.shortfalls(runs):
        raise RunFailed("; ".join(faults))


@group.command("ppo")
def ppo_command(
    seeds: Annotated[int, Option("--seeds", min=1, help="seeds of each environment")] = 5,
    environment: Annotated[
        str | None, Option("--env", metavar="NAME", help="this environment only, by our name")
    ] = None,
    variants: Annotated[
        bool, Option("--variants", help="a shared trunk, and value clipping, too; they need not reach the goals")
    ] = False,
    workers: Annotated[int, Option("--jobs", min=1, help="runs at the same time")] = 1,
    output: Annotated[
        Path | None, Option("--output", metavar="DIR", help="where ppo_study.json goes (default: build/ppo)")
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """PPO in the chip's integers on its environments, judged in Gymnasium; runs are kept."""
    threads.one()
    from rlcores_lab.study import ppo

    console, known = shown.console(json_file), list(ppo.tasks())
    if environment is not None and environment not in known:
        raise UserError(f"the study has no environment '{environment}'; environments: {', '.join(known)}")
    names = [environment] if environment else known
    tried = [f"{name} {variant}" for variant in ppo.VARIANTS for name in names] if variants else []
    jobs = [(name, seed) for name in [*names, *tried] for seed in range(seeds)]
    with shown.bar(console, "PPO in integers", len(jobs)) as bar:
        said = "{0.task} seed {0.seed}: {0.final:.1f}"
        one = partial(ppo.one, folder=paths.build() / "ppo")
        runs = work.spread(one, jobs, workers, done=lambda run: bar(said.format(run)))
    figures = [
        report.Figure(f"ppo.study.{r.task.replace(' ', '.')}.{r.seed}", round(r.final, 1), "return", "measured")
        for r in runs
    ]
    report.write(json_file, "study ppo", "ppo", None, None, figures, runs=[asdict(run) for run in runs])
    ppo.write(runs, output or paths.build() / "ppo")
    console.print(ppo.table(runs))
    if missed := [
        f"{r.task} seed {r.seed}: {r.final:.1f}" for r in runs if r.task in known and r.final < ppo.named(r.task).goal
    ]:
        raise RunFailed("the goal was not reached: " + "; ".join(missed))


@group.command("ranges")
def ranges_command(task: Annotated[str, Argument(metavar="TASK", help="a task of the learning study")]) -> None:
    """Measure the largest numbers of a float32 run, and fraction bits that hold them."""
    from rlcores_lab.study import learning, tasks

    for tensor, (largest, fractions) in learning.ranges(tasks.task(task)).items():
        typer.echo(f"{tensor}: largest {[float(f'{x:.3g}') for x in largest]}, fractions {fractions}")
