"""`rlcores serve`: a replay memory for many machines."""

import dataclasses
import signal
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from rlcores.errors import UserError

SECTION = "Train, serve, deploy"


def command(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="HOST:PORT to serve; port 0 takes a free one")] = (
        "127.0.0.1:7878"
    ),
    capacity: Annotated[
        int | None, typer.Option("--buffer-size", help="records that each bank keeps (default: 1048576)")
    ] = None,
    banks: Annotated[
        int | None, typer.Option("--banks", help="banks behind the address, each with a thread (default: 1)")
    ] = None,
    record_bytes: Annotated[
        int | None, typer.Option("--record-bytes", help="bytes per record, a multiple of 8 (default: 48)")
    ] = None,
    part_bytes: Annotated[
        int | None,
        typer.Option("--part-bytes", help="payload bytes per frame (default: 1392; within one machine 65400)"),
    ] = None,
    sample_max: Annotated[int | None, typer.Option("--sample-max", help="largest batch (default: 1024)")] = None,
    clients: Annotated[int | None, typer.Option("--clients", help="most actors and learners (default: 256)")] = None,
    credit: Annotated[
        int | None, typer.Option("--credit", help="unanswered requests allowed to each client (default: 32)")
    ] = None,
    alpha: Annotated[float | None, typer.Option("--alpha", help="exponent of the priorities (default: 0.6)")] = None,
    priority_epsilon: Annotated[
        float | None, typer.Option("--priority-epsilon", help="added to TD errors (default: 0.000001)")
    ] = None,
    priority_width: Annotated[
        int | None, typer.Option("--priority-width", help="bits of a priority (default: 32 up to 1048576 records)")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="seed of all draws (default: drawn)")] = None,
    folder: Annotated[
        Path | None, typer.Option("--folder", metavar="DIR", help="keep the memory in this folder, and resume from it")
    ] = None,
    key: Annotated[
        Path | None, typer.Option("--key", metavar="FILE", help="key of all clients: 16 bytes, or 32 hex digits")
    ] = None,
    backend: Annotated[str, typer.Option("--backend", metavar="NAME", help="native, model or rtl")] = "native",
    xdp: Annotated[
        str | None,
        typer.Option(
            "--xdp", metavar="DEVICE", help="take datagrams at this network device, past the kernel's sockets"
        ),
    ] = None,
) -> None:
    """Serve a prioritised replay memory over UDP until Ctrl-C (protocol: docs/net.md)."""
    options = {name: x for name, x in locals().items() if x is not None}
    # Before anything that takes long: what is stopped early must stop.
    stop: list[int] = []
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and (name != "SIGHUP" or signal.getsignal(number) != signal.SIG_IGN):  # as under nohup
            signal.signal(number, lambda got, _: stop.append(got))
    from rlcores.cores.replay_server.frames import ServerSettings
    from rlcores.cores.sumtree.settings import ReplaySettings
    from rlcores.net import ReplayServer, addresses

    shared = {name: options.pop(name) for name in ("alpha", "priority_epsilon", "seed") if name in options}
    server_options = {
        field.name: options[field.name] for field in dataclasses.fields(ServerSettings) if field.name in options
    }
    size = {"buffer_size": server_options.pop("capacity")} if "capacity" in server_options else {}
    try:
        settings = ServerSettings.of(ReplaySettings.within({"alpha": (0.0, 1.0)}, **shared, **size), **server_options)
    except ValueError as error:
        raise UserError(str(error)) from None
    kept = None if folder is None else folder / "settings.json"
    if kept is not None and kept.exists():
        # What is not said is as it was.
        codes = {"priority_epsilon": "epsilon", "buffer_size": "capacity"}
        changed = {codes.get(name, name) for name in (*shared, *size, *server_options)}
        settings = None if not changed else _held(kept, {name: getattr(settings, name) for name in changed})
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    with ReplayServer(settings, address, backend=backend, key=addresses.key_of(key), folder=folder, xdp=xdp) as server:
        s = server.settings
        several = f"{s.banks} banks of " if s.banks > 1 else ""
        console.print(f"serving {several}{s.capacity:,} records of {s.record_bytes} bytes at {server.address}")
        if server.past:
            console.print(f"its datagrams come from the {server.past}, past the kernel's sockets")
        while not stop and not server.wait(0.2):
            pass
    if server.damaged:
        console.print(f"{server.damaged:,} times a record was gone, because the files do not hold what was written")
    if server.unsent:
        console.print(f"{server.unsent:,} answers found no place at the network device; clients ask again")
    console.print(f"stopped after {sum(bank.state.counts['frames'] for bank in server.banks):,} frames")


def _held(path: Path, changes: dict) -> object:
    import json

    from rlcores.cores.replay_server.frames import ServerSettings

    try:
        return dataclasses.replace(ServerSettings(**json.loads(path.read_text())), **changes)
    except (OSError, ValueError, TypeError) as error:
        raise UserError(f"'{path}': {error}") from None
