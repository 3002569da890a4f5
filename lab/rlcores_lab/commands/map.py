"""`rlcores map`: which part of a training loop onto which device, and which cores for whom."""

import math
import os
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from rlcores.base import report, threads
from rlcores.commands._options import JsonOption
from rlcores.eda import boards
from rlcores.errors import UserError
from rlcores_lab import shown

SECTION = "Measure"

if TYPE_CHECKING:
    from rlcores.train.split import Split
    from rlcores_lab.mapping.choose import DeviceMapping
    from rlcores_lab.mapping.profiles import Profile, Step
    from rlcores_lab.mapping.workloads import Workload


def command(
    environment: Annotated[
        str | None, Option("--env", metavar="NAME", help="cartpole, hopper or pong (default: all three)")
    ] = None,
    batch: Annotated[
        list[int] | None, Option("--batch-size", min=1, help="batch size; may be repeated (default: Table 4.3's)")
    ] = None,
    gpu: Annotated[
        str,
        Option(
            "--gpu", metavar="WHAT", help="auto (measured where PyTorch finds one, else titan_xp), none, a name, a file"
        ),
    ] = "auto",
    cpu: Annotated[
        Path | None, Option("--cpu", metavar="FILE", help="profile of a processor (default: measured here)")
    ] = None,
    board: Annotated[str, Option("--board", metavar="NAME", help="board, such as u200, or none")] = "u200",
    clock: Annotated[
        float | None,
        Option("--clock", metavar="MHZ", min=1.0, help="another clock, called assumed (default: the board's)"),
    ] = None,
    dsp: Annotated[int | None, Option("--dsp", min=1, help="DSP slices for the learner")] = None,
    actors: Annotated[int, Option("--actors", min=1, help="actors that insert experiences")] = 16,
    capacity: Annotated[int, Option("--buffer-size", min=1, help="experiences in the storage")] = 1_000_000,
    cores: Annotated[int | None, Option("--cores", min=1, help="cores to split (default: all here)")] = None,
    update_interval: Annotated[
        float, Option("--update-interval", min=1e-6, help="environment steps per gradient step")
    ] = 1.0,
    seconds: Annotated[float, Option("--seconds", min=0.0, help="seconds per measurement, after a first run")] = 0.3,
    save: Annotated[
        Path | None, Option("--save", metavar="FILE", help="write the profiles, for --cpu and --gpu elsewhere")
    ] = None,
    output: Annotated[
        Path | None, Option("--output", metavar="FILE", help="also write the tables as Markdown; replaces the file")
    ] = None,
    pictures: Annotated[
        Path | None,
        Option("--pictures", metavar="DIR", help="also measure replay, forward passes and rooflines; draw all"),
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """Map replay, learner and storage onto CPU, GPU and FPGA as Zhang (2022); split cores as Zhang et al. (2021)."""
    threads.one()
    from rlcores_lab.mapping import choose, profiles, tables, workloads

    for name, value in (("--clock", clock), ("--update-interval", update_interval), ("--seconds", seconds)):
        if value is not None and not math.isfinite(value):
            raise UserError(f"{name} is {value}; it must be a number")
    console = shown.console(json_file, width=120)  # the tables' own
    names = [workloads.workload(environment).name] if environment else list(workloads.WORKLOADS)
    chosen = profiles.every(names, sorted(set(batch or ())))
    with console.status("") as status:
        by_device = {p.device: p for p in _profiles(chosen, cpu, gpu, board, clock, dsp, seconds, status.update)}
        mappings = [choose.choose(w, b, by_device, actors, capacity) for w, b in chosen]
        here = cores or os.cpu_count() or 1
        divided, missing = _splits(mappings, here, update_interval, seconds, status.update)
    if save is not None:
        profiles.save(by_device.values(), save)
    sources = [f"{d}: {p.name} ({p.how})" for d, p in by_device.items()]
    lines = tables.differences(mappings, by_device, actors, capacity)
    sections = [("Mapping, and Table 4.3 where it differs", tables.mapped(mappings))]
    sections.append(("Time of a gradient step's training, and of its samples and updates", tables.times(mappings)))
    sections.append(("Gradient steps per second of all pairs, learner-RMM", tables.pairs(mappings)))
    extra = []
    if pictures is not None:
        with console.status("") as status:
            more, extra = _pictures(pictures, mappings, by_device, chosen, board, clock, seconds, status.update)
        sections += more
    if divided:
        title = f"Split of {here} cores at {update_interval:g} environment steps per gradient step"
        sections.append((title, tables.splits(divided)))
    details = {"profiles": sources, "differs": lines, "cores": here, "update_interval": update_interval}
    report.write(
        json_file, "map", "map", None, board, [*tables.figures(mappings, by_device, divided), *extra], **details
    )
    for title, rows in sections:
        console.print(shown.table(title, rows, left=tables.PARTS))
    for line in (*sources, *lines, *missing):
        console.print(line)
    if output is not None:
        report.put(output, tables.markdown(sections, [*sources, *lines, *missing]))


def _profiles(
    chosen: list[tuple["Workload", int]],
    cpu: Path | None,
    gpu: str,
    board: str,
    clock: float | None,
    dsp: int | None,
    seconds: float,
    step: "Step",
) -> list["Profile"]:
    """What is cheap to refuse first, the measurements last."""
    from rlcores_lab.mapping import fpga, profiles
    from rlcores_lab.mapping.workloads import CPU, GPU

    for option, value in (("--dsp", dsp), ("--clock", clock)):
        if board == "none" and value is not None:
            raise UserError(f"{option} is for a board, and --board is none")
    there = None if board == "none" else fpga.board(board)
    read = profiles.load(cpu, CPU) if cpu else None
    second = None
    if gpu not in ("auto", "none"):
        file = Path(gpu)
        second = profiles.load(file, GPU) if file.suffix or file.exists() else profiles.assumed_gpu(gpu, chosen)
    elif gpu == "auto":
        measured = profiles.have_gpu()
        second = profiles.gpu(chosen, seconds, step) if measured else profiles.assumed_gpu("titan_xp", chosen)
    listed = [read or profiles.cpu(chosen, seconds, step)]
    if second:
        listed.append(second)
    if there:
        step("learners for the board")
        listed.append(profiles.on_board(there, chosen, boards.Clock(clock) if clock else there.clock, dsp))
    return listed


def _pictures(
    folder: Path,
    mappings: Sequence["DeviceMapping"],
    by_device: dict[str, "Profile"],
    chosen: list[tuple["Workload", int]],
    board: str,
    clock: float | None,
    seconds: float,
    step: "Step",
) -> tuple[list, list[report.Figure]]:
    """Tables and figures of replay and forward passes over the batch, and of rooflines; five pictures in the folder."""
    from rlcores_lab.mapping import forward, fpga, pictures, profiles, replay, roofline, tables

    curves, roofs = replay.processor(seconds, step), [roofline.processor(seconds)]
    forwards = [forward.processor(seconds, step)]
    # A GPU that was measured has no peaks here.
    for name, entry in profiles.assumed_gpus().items():
        if "gpu" in by_device and entry["title"] == by_device["gpu"].name:
            curves.append(replay.graphics(name))
            roofs.append(roofline.graphics(name))
    if "fpga" in by_device:
        there = fpga.board(board)
        mhz = boards.Clock(clock) if clock else there.clock
        curves.append(replay.board(there, mhz))
        forwards.append(forward.board(there, mhz))
        roofs.append(roofline.board(there, mhz))
    points = roofline.points(chosen, {roof.device: by_device[roof.device] for roof in roofs})
    pictures.steps(mappings, {d: p.how for d, p in by_device.items()}, folder / "map_steps.png")
    pictures.replay(curves, folder / "map_replay.png")
    pictures.forward(forwards, folder / "map_forward.png")
    pictures.pairs(mappings, folder / "map_pairs.png")
    pictures.rooflines(roofs, points, folder / "map_rooflines.png")
    samples, updates = tables.replays(curves)
    sections = [("Samples of a batch", samples), ("Priority updates of a batch", updates)]
    sections.append(("Forward pass of four layers of 1,024", tables.passes(forwards)))
    sections.append(("Rooflines", tables.roofs(roofs, points)))
    return sections, tables.more_figures(mappings, curves, forwards, roofs, points)


def _splits(
    mappings: Sequence["DeviceMapping"], cores: int, update_interval: float, seconds: float, step: "Step"
) -> tuple[list[tuple["DeviceMapping", "Split"]], list[str]]:
    """The split of `cores` cores for each mapping, and a sentence for each environment that is not installed."""
    from rlcores.train.split import split
    from rlcores_lab.mapping import curves
    from rlcores_lab.mapping.workloads import CPU

    divided, missing = [], []
    counts = curves.counts()
    for of, those in groupby(mappings, key=lambda m: m.workload):
        if curves.environment(of) is None:
            missing.append(f"{of.title}: no split of cores, {of.environment} is not installed ({of.hint})")
            continue
        step(f"actors: {of.title}")
        curve = curves.measure("actors", of, 1, counts, seconds)
        for m in those:
            rate = 1 / m.chosen.seconds
            if m.chosen.learner == CPU:
                step(f"learners: {of.title}, batch {m.batch:,}")
                rate = curves.measure("learners", of, m.batch, counts, seconds)
            divided.append((m, split(curve, rate, cores, update_interval)))
    return divided, missing
