"""`rlcores bench CORE`: clocks of the RTL, beside CPU peers; also the native engine and the replay server."""

import contextlib
import sys
from collections.abc import Collection, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Annotated

from typer import Option

from rlcores.base import report
from rlcores.commands._options import ConfigOption, CoreArgument, JsonOption
from rlcores.eda import boards, configs, declared
from rlcores.errors import UserError
from rlcores_lab import shown
from rlcores_lab.bench import native_picture

SECTION = "Measure"

NATIVE, PPO, NET = "native", "ppo", "net"
_OTHERS = (NATIVE, PPO, NET, "learners", "priorities", "wire", "plugged", "locks")  # benches of no core


def command(
    core: CoreArgument,
    config: ConfigOption = None,
    json_file: JsonOption = None,
    board: Annotated[str, Option("--board", metavar="NAME", help="board whose clock turns clocks into times")] = "u200",
    clock: Annotated[
        float | None,
        Option("--clock", metavar="MHZ", min=1.0, help="another clock, called assumed (default: the board's)"),
    ] = None,
    seed: Annotated[int, Option("--seed", help="seed of the random traffic")] = 1,
    picture: Annotated[Path | None, Option("--output", metavar="FILE", help=f"{NATIVE}: the times as an SVG")] = None,
    peers: Annotated[
        str | None, Option("--peers", metavar="NAMES", help=f"{NET}: some of grpc,redis,reverb, or none (default: all)")
    ] = None,
    parts: Annotated[
        str | None, Option("--parts", metavar="NAMES", help=f"{NATIVE}: some parts, such as hindsight,slices")
    ] = None,
    sizes: Annotated[
        str | None, Option("--record-bytes", metavar="SIZES", help=f"{NET}: some of 48,112,3072,28672 (default: all)")
    ] = None,
) -> None:
    """Count the RTL's clocks in Verilator, and time the same work on this machine's processor.

    CORE `native` is the native engine through Python, `ppo` PPO's whole loop, `net` the replay
    server, beside the libraries that are installed; `priorities` how exact priorities are; `wire` the replay server
    over a cable, with and without the kernel's sockets; `plugged` whole training steps inside other libraries; `locks`
    a replay under 1 to 16 threads, by kind of lock; `learners` clocks of learners that average their weights.
    """
    console = shown.console(json_file)
    at = boards.of(board).clock if clock is None else boards.Clock(clock)
    if core != NET and (peers, sizes) != (None, None):
        raise UserError(f"--peers and --record-bytes are of bench {NET}")
    if picture and core != NATIVE:
        raise UserError(f"--output is of bench {NATIVE}")
    if parts and core != NATIVE:
        raise UserError(f"--parts is of bench {NATIVE}")
    if core in _OTHERS:
        if config:
            raise UserError(f"bench {core} has no configurations")
        bench, name, some = import_module(f"rlcores_lab.bench.{core}"), core, {}
        arguments = (at, seed) if core == PPO else (seed,)
        # A run beside some peers has figures of its own, which take nobody's place.
        if core == NET:
            config, some = peers, _some(peers, sizes)
        elif core == NATIVE:
            some = {"parts": _chosen("--parts", parts, bench.PARTS)}
            config = "_".join(some["parts"]) if parts else None
    else:
        bench, name, chosen = _of_core(core, config)
        arguments, some = (chosen, at, seed), {}
    # Some libraries say things on standard output, where the figures may go.
    with shown.bar(console) as bar, contextlib.redirect_stdout(sys.stderr):
        outcome = bench.run(*arguments, bar.say, **some)
    report.write(json_file, "bench", name, config, None, outcome.figures, seed=seed)
    if picture:
        report.put(picture, native_picture.svg([vars(figure) for figure in outcome.figures]))
    for item in outcome.shown:
        console.print(item)


def _of_core(core: str, config: str | None) -> tuple[ModuleType, str, dict[str, Mapping]]:
    """The module of a core's benchmark, the core's name, and the configurations to run. Raises UserError."""
    modules = {name: declared.fact(name, "bench") for name in declared.having("bench")}
    # A bench is called by its core, or by its own name, such as 'system'.
    core_of = {module: name for name, module in reversed(modules.items())}
    core_file = configs.core(core if core in modules else core_of.get(core, core))
    if core_file.name not in modules:
        names = ", ".join([*modules, *_OTHERS])
        raise UserError(f"core '{core_file.name}' has no benchmark; benchmarks: {names}")
    bench = import_module(f"rlcores_lab.bench.{modules[core_file.name]}")
    cores = [name for name, module in modules.items() if module == modules[core_file.name]]
    names = {name: core for core in reversed(cores) for name in configs.names(core)}
    if config and config not in names:
        allowed = ", ".join(name for core in cores for name in configs.names(core))
        raise UserError(f"core '{core_file.name}' has no configuration '{config}'; configurations: {allowed}")
    return bench, core_file.name, {n: configs.load(names[n], n) for n in ([config] if config else bench.DEFAULT)}


def _some(peers: str | None, sizes: str | None) -> dict[str, list]:
    """What `--peers` and `--record-bytes` of bench net ask for. Raises UserError."""
    from rlcores_lab.bench import net

    named = [] if peers == "none" else _chosen("--peers", peers, net.PEERS)
    wanted = _chosen("--record-bytes", sizes, [str(n) for n in net.RECORDS])
    return {"peers": named, "sizes": [int(one) for one in wanted]}


def _chosen(name: str, text: str | None, known: Collection[str]) -> list[str]:
    """Names behind commas, all known ones without any. Raises UserError."""
    names = [one.strip() for one in text.split(",")] if text is not None else list(known)
    for one in names:
        if one not in known:
            raise UserError(f"{name} is '{text}'; it must be of {', '.join(known)}")
    return names
