"""`rlcores dse`: from an environment, an algorithm, a batch and a board to the configuration that is fastest there."""

import json
from pathlib import Path
from typing import Annotated

from rich.console import Console
from typer import Option

from rlcores.base import report
from rlcores.commands._options import ConfigOption, JsonOption
from rlcores.errors import UserError
from rlcores_lab import shown

SECTION = "Measure"

_WIDTH = 170  # of the tables, at least


def command(
    environment: Annotated[str | None, Option("--env", metavar="ID", help="gymnasium environment")] = None,
    algo: Annotated[str | None, Option("--algo", metavar="NAME", help="dqn, ddpg, td3, sac or ppo")] = None,
    batch: Annotated[
        int | None, Option("--batch-size", metavar="B", help="records per gradient step; ppo: steps per rollout")
    ] = None,
    board: Annotated[str | None, Option("--board", metavar="NAME", help="board, such as zcu106 or u200")] = None,
    network: Annotated[
        str | None,
        Option("--network", metavar="SIZES", help="neurons of the hidden layers (default: 64,64; td3, sac: 256,256)"),
    ] = None,
    double: Annotated[bool, Option("--double", help="double DQN")] = False,
    slrs: Annotated[
        int | None, Option("--slrs", metavar="N", help="dies that the learner or array uses (default: 1)")
    ] = None,
    dsp: Annotated[int | None, Option("--dsp", metavar="N", help="most DSP slices per die", min=1)] = None,
    fill: Annotated[float | None, Option("--fill", help="share of LUTs and flip-flops to fill (default: 0.8)")] = None,
    clocks: Annotated[int | None, Option("--clocks", metavar="N", help="most clocks per step or run", min=1)] = None,
    capacity: Annotated[
        int | None, Option("--buffer-size", metavar="N", help="experiences kept (default: 1048576)")
    ] = None,
    inserts: Annotated[
        float | None, Option("--inserts", help="new experiences per gradient step (default: 1)", min=0)
    ] = None,
    envs: Annotated[int | None, Option("--envs", metavar="N", help="ppo: environments (default: 64)", min=1)] = None,
    out_bits: Annotated[int | None, Option("--out-bits", help="ppo: bits of a result, 8 or 16")] = None,
    top: Annotated[int, Option("--top", metavar="N", help="designs to list", min=1)] = 8,
    jobs: Annotated[int | None, Option("--jobs", metavar="N", help="processes (default: all cores)", min=1)] = None,
    ray: Annotated[str | None, Option("--ray", metavar="ADDRESS", help="search on a Ray cluster")] = None,
    out: Annotated[Path | None, Option("--output", metavar="DIR", help="folder (default: in build/dse)")] = None,
    check: Annotated[bool, Option("--check", help="compare the models with yosys and the RTL's clocks")] = False,
    rtl: Annotated[bool, Option("--rtl", help="with --check: simulate the RTL and count its clocks again")] = False,
    core: Annotated[str | None, Option("--core", metavar="CORE", help="with --check: this core only")] = None,
    config: ConfigOption = None,
    json_file: JsonOption = None,
) -> None:
    """Search the designs for a board: a ranked table, pictures, and entries for configs.yaml."""
    from rlcores.train import tuning
    from rlcores_lab.dse import explore, results

    console = shown.console(json_file, _WIDTH)
    asked = {"--env": environment, "--algo": algo, "--batch-size": batch, "--board": board}
    if check:
        for option, value in asked.items():
            if value is not None:
                raise UserError(f"--check takes every configuration of configs.yaml; {option} says nothing to it")
        _check(console, rtl, core, config, json_file)
        return
    for option, value in {"--rtl": rtl, "--core": core, "--config": config}.items():
        if value:
            raise UserError(f"{option} goes with --check")
    missing = [option for option, value in asked.items() if value is None]
    if missing:
        raise UserError(f"{', '.join(missing)} must be given (or --check)")
    if out_bits not in (None, 8, 16):
        raise UserError(f"--out-bits is {out_bits}; it is 8 or 16")
    hidden = tuning.network(network)
    request = explore.Request(
        environment, algo, batch, board, hidden and tuple(hidden), slrs, dsp, clocks, fill, double, capacity,
        inserts, envs, out_bits, jobs, ray,
    )  # fmt: skip
    with console.status(f"exploring {algo} on {environment}, batch {batch}, for {board}"):
        exploration = explore.explore(request)
    show = {explore.Rollouts: _print_rollouts, explore.Tensors: _print_tensors}
    show.get(type(exploration), _print_learning)(console, exploration, top)
    if out is None:
        from rlcores.base import paths

        out = paths.build() / "dse" / results.name(exploration)
    for file in results.write(exploration, out, top):
        console.print(str(file))
    if json_file is not None:
        report.put(json_file, json.dumps(results.whole(exploration, top), indent=2) + "\n")


_COUNTS = ("LUT", "FF", "DSP", "RAMB36", "URAM")


def _counts(counts: dict[str, float]) -> list[str]:
    return [f"{counts[r]:,.0f}" for r in ("lut", "ff", "dsp")] + [f"{counts['bram36']:,g}", f"{counts['uram']:,.0f}"]


def _print_learning(console: Console, exploration, top: int) -> None:
    request = exploration.request
    title = (
        f"Learner of {request.algo} on {request.environment} ({'-'.join(map(str, exploration.task.sizes))}), "
        f"batch {request.batch}, in {exploration.dies} of {exploration.board.dies} dies of {request.board}: models, "
        f"at {exploration.board.clock}"
    )
    named = {str(n): design for n, design in enumerate(exploration.designs[:top], 1)}
    named |= {"within the paper's DSPs": exploration.within, "paper's DP and unit": exploration.paper}
    words = ("lanes", "groups", "update")
    rows = [("", "clocks per step", "steps/s", "DP", "PI", "unit", *_COUNTS, *words)]
    for label, design in named.items():
        if design is not None:
            parameters, batch_slices = design.parameters, design.shape.batch_slices(request.batch)
            steps = f"{1e6 * exploration.board.clock.mhz / design.period:,.0f}"
            shape = (
                parameters["LANES"],
                parameters["FORWARD"],
                f"{parameters['UPDATE_ROWS']} x {parameters['UPDATE_COLS']}",
            )
            unit = (design.shape.columns, batch_slices, design.macs)
            rows.append((label, design.period, steps, *unit, *_counts(design.counts), *shape))
    console.print(shown.table(title, rows, left=words))
    kinds = {2: "block RAM", 3: "UltraRAM"}
    rows = [("radices", "banks", "SHARED", "leaves in", *_COUNTS, "latency", "clocks per step")]
    for tree in exploration.trees[: min(top, 4)]:
        shape = (tree.levels, tree.banks, tree.parameters["SHARED"], kinds[tree.parameters["HEAD_STYLE"]])
        rows.append((*shape, *_counts(tree.counts), tree.latency, f"{tree.clocks:,.0f}"))
    console.print(shown.table("Sum tree beside it", rows))
    if exploration.board.dies > 1:
        counts = [exploration.best.dies.count(n) for n in range(exploration.dies)]
        text = ", ".join(f"{count} units in die {n}" for n, count in enumerate(counts))
        console.print(f"Floorplan: learner {text}; sum tree, DRAM port and host interface in die {exploration.dies}")


def _print_rollouts(console: Console, exploration, top: int) -> None:
    title = (
        f"GAE core for {exploration.envs} environments x {exploration.steps} steps on {exploration.request.board}: "
        f"models, at {exploration.board.clock}"
    )
    shape = ("ROWS", "LOOKAHEAD", "INTERLEAVE", "BEAT")
    rows = [("", "clocks", "array", "passes", "rows", "look-ahead", "interleave", "beat", *_COUNTS)]
    for number, array in enumerate(exploration.arrays[:top], 1):
        clocks = (array.clocks, array.run, array.passes)
        rows.append((number, *clocks, *(array.parameters[name] for name in shape), *_counts(array.counts)))
    console.print(shown.table(title, rows))


def _print_tensors(console: Console, exploration, top: int) -> None:
    task = exploration.task
    title = (
        f"Tensor core for {task.algo} on {exploration.request.environment} ({task.states} states, {task.actions} "
        f"actions, {'-'.join(map(str, task.hidden))}), batch {task.batch}, in a die of {exploration.request.board}: "
        f"models, at {exploration.board.clock}"
    )
    kinds = {2: "block", 3: "ultra"}
    memories = ("tiles", "weights", "groups")
    rows = [("", "clocks per step", "steps/s", "side", "blocks", "sums", *_COUNTS, *memories)]
    for number, design in enumerate(exploration.designs[:top], 1):
        p = design.parameters
        steps = f"{1e6 * exploration.board.clock.mhz / design.period:,.0f}"
        styles = (kinds[p[f"{name}_STYLE"]] for name in ("TILE", "WEIGHT", "GROUP"))
        rows.append(
            (number, design.period, steps, p["SIDE"], p["BLOCKS"], p["PASS_SUMS"], *_counts(design.counts), *styles)
        )
    console.print(shown.table(title, rows, left=memories))


def _check(console: Console, rtl: bool, core: str | None, config: str | None, json_file: str | None) -> None:
    from rlcores.eda.synth.area import RESOURCES
    from rlcores.errors import RunFailed
    from rlcores_lab.dse import check

    rows = []
    with console.status("counting clocks" if rtl else "evaluating the models") as status:
        for row in check.rows(rtl, core, config):
            rows.append(row)
            status.update(f"{row.core} {row.config}")
    lines = [("core", "config", "clocks", *(r.upper() for r in RESOURCES), "left out")]
    figures = []
    for row in rows:
        cells = [", ".join(f"{c.what} {c.model:,.0f}{_percent(c.error)}" for c in row.clocks)]
        cells += [f"{row.model[r]:,.{int(r == 'bram36')}f}{_percent(row.error(r))}" for r in RESOURCES]
        cells.append("" if row.prediction is None else f"{100 * row.prediction:+.1f} %")
        lines.append((row.core, row.config, *cells))
        figures += _check_figures(row, RESOURCES)
    console.print(shown.table("Models: what they say, and (model - counted) / counted", lines, left=("config",)))
    worst = check.worst(rows)
    broken = [f"{row.core} {row.config} ({', '.join(row.faults)})" for row in rows if row.faults]
    console.print(
        f"{len(rows) - len(broken)} of {len(rows)} configurations within {100 * check.WITHIN:.0f} % of yosys and "
        f"{100 * check.CLOCKS_WITHIN:.0f} % of the RTL's clocks; largest errors: "
        + ", ".join(f"{name.upper() if name != 'clocks' else name} {100 * e:.1f} %" for name, e in worst.items())
    )
    figures += [report.Figure(f"dse.worst_{name}_error", round(e, 4), "1", "model") for name, e in worst.items()]
    figures.append(report.Figure("dse.rows_within", len(rows) - len(broken), f"of {len(rows)}", "model"))
    report.write(json_file, "dse", "all", None, None, figures)
    if broken:
        for line in broken:
            console.print(f"not proved: {line}")
        raise RunFailed(f"{len(broken)} of {len(rows)} configurations are not proved within these bounds")


def _check_figures(row, resources) -> list:
    prefix = f"{row.core}.{row.config}"
    listed = []
    for r in resources:
        listed.append(report.Figure(f"{prefix}.{r}", round(row.model[r], 1), r, "model"))
        if row.error(r) is not None:
            listed.append(report.Figure(f"{prefix}.{r}_error", round(row.error(r), 4), "of yosys", "model"))
    if row.prediction is not None:
        listed.append(report.Figure(f"{prefix}.left_out", round(row.prediction, 4), "of yosys", "model"))
    for c in row.clocks:
        listed.append(report.Figure(f"{prefix}.{c.what}_clocks", round(c.model, 1), "clocks", "model"))
        if c.counted:
            listed.append(report.Figure(f"{prefix}.{c.what}_clocks_counted", round(c.counted, 1), "clocks", "measured"))
    return listed


def _percent(error: float | None) -> str:
    return "" if error is None else f" ({100 * error:+.1f} %)"
