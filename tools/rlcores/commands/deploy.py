"""`rlcores deploy FILE --to FOLDER`: a trained policy as a core of fixed latency, its bits in C and Python too."""

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from rlcores.base import files, report
from rlcores.commands._options import JsonOption
from rlcores.errors import UserError

if TYPE_CHECKING:
    import numpy as np

    from rlcores.deploy.formats import Quantised

SECTION = "Train, serve, deploy"


def command(
    file: Annotated[
        Path,
        Argument(
            metavar="FILE", help="policy: best.npz of rlcores train, .zip of Stable-Baselines3, .pth, .pt or .onnx"
        ),
    ],
    to: Annotated[Path, Option("--to", metavar="FOLDER", help="folder to write")],
    observations: Annotated[
        Path | None, Option("--observations", metavar="FILE", help=".npz with `obs` to choose the formats by")
    ] = None,
    environment: Annotated[
        str | None, Option("--env", metavar="ID", help="Gymnasium environment to play for observations")
    ] = None,
    ranges: Annotated[
        str | None, Option("--range", metavar="R,R,…", help="the largest number of each input, or one for all inputs")
    ] = None,
    normaliser: Annotated[Path | None, Option("--normaliser", metavar="FILE", help="vec_normalize.pkl")] = None,
    activation: Annotated[
        str | None, Option("--activation", help="activation of the hidden layers of a state_dict")
    ] = None,
    head: Annotated[str | None, Option("--head", help="argmax or continuous, where the file does not say")] = None,
    output: Annotated[str | None, Option("--output", help="output of the ONNX graph (default: the first)")] = None,
    bits: Annotated[
        str, Option("--bits", metavar="N[,N…]", help="bits of the weights and of the inputs of each layer, 3 to 18")
    ] = "8",
    weight_bits: Annotated[
        str | None, Option("--weight-bits", metavar="N[,N…]", help="bits of the weights alone")
    ] = None,
    error: Annotated[
        float | None, Option("--error", min=0, help="find the fewest bits whose actions have this error at most")
    ] = None,
    fine_tune: Annotated[
        int, Option("--fine-tune", metavar="STEPS", min=0, help="train the weights in their formats; needs torch")
    ] = 0,
    device: Annotated[
        str | None, Option("--device", metavar="NAME", help="board or chip, such as ulx3s, ecp5-25, up5k")
    ] = None,
    latency: Annotated[
        str | None, Option("--latency", metavar="TIME", help="largest latency, such as 1us or 500ns")
    ] = None,
    rate: Annotated[float | None, Option("--rate", min=0, help="least number of actions per second")] = None,
    multiplier: Annotated[
        str, Option("--multiplier", help="auto, one, pair (two products share one) or lut (none)")
    ] = "auto",
    guard: Annotated[
        bool, Option("--guard", help="guard the actions: range, rate of change, watchdog, safe action")
    ] = False,
    guard_step: Annotated[
        str | None, Option("--guard-step", metavar="X[,X…]", help="largest change of an action per tick")
    ] = None,
    guard_safe: Annotated[str | None, Option("--guard-safe", metavar="X[,X…]", help="safe action (default: 0)")] = None,
    guard_wait: Annotated[
        int | None, Option("--guard-wait", min=1, help="ticks without a good action until the safe one (default: 2)")
    ] = None,
    bitstream: Annotated[
        bool, Option("--bitstream", help="build a bitstream (ulx3s, colorlight_i9) or a Vivado project for --device")
    ] = False,
    place_seed: Annotated[int, Option("--place-seed", min=1, help="seed of place and route")] = 1,
    port: Annotated[
        str | None, Option("--port", metavar="FILE", help="with --weights: send them to the board at this serial port")
    ] = None,
    weights: Annotated[bool, Option("--weights", help="replace only the weights of an existing folder")] = False,
    count: Annotated[int, Option("--count", min=1, help="observations to play or draw")] = 2000,
    seed: Annotated[int, Option("--seed", min=0, help="seed of the observations")] = 0,
    episodes: Annotated[
        int, Option("--episodes", min=0, help="with --env: episodes that compare returns; 0: none")
    ] = 5,
    json_file: JsonOption = None,
) -> None:
    """Turn a trained policy into Verilog and C of the same bits, with a test bench and a report of errors."""
    from rlcores.cores.mlp import cycles
    from rlcores.deploy import board, folder, formats, imported, returns, serial_line
    from rlcores.deploy import guard as guards
    from rlcores.deploy import observations as obs

    policy = imported.load(file, normaliser=normaliser, activation=activation, head=head, output=output)
    sources = [observations, environment, ranges]
    guarding = [guard_step, guard_safe, guard_wait]
    if not guard and any(s is not None for s in guarding):
        raise UserError("--guard-step, --guard-safe and --guard-wait are settings of --guard")
    if bitstream and (weights or device is None):
        raise UserError("--bitstream makes a new folder for a board; name it with --device, and leave --weights out")
    if port is not None and not weights:
        raise UserError("--port is a setting of --weights")
    if sum(s is not None for s in sources) > 1:
        raise UserError("give one of --observations, --env and --range")
    if weights:
        others = (*sources, device, latency, rate, weight_bits, error, guard or None, fine_tune or None)
        if any(s is not None for s in others):
            raise UserError("--weights keeps the folder's formats and array; give no other option of these")
        done = folder.swap(policy, to)
        if port is not None:
            serial_line.PolicyPort.open(port, to).load(to / "weights.bin")
    else:
        if all(s is None for s in sources):
            raise UserError("give --observations, --env or --range: the formats follow from the observations")
        if observations is not None:
            x = obs.recorded(files.read_arrays(observations, "the observations"), policy)
        elif environment is not None:
            x = obs.played(policy, environment, count, seed)
        else:
            x = obs.drawn(policy, str(ranges), count, seed)
        make_guard = partial(
            guards.settings, observations=x, step=_list("step", guard_step), safe=_list("safe", guard_safe),
            wait=guard_wait or 2,
        )  # fmt: skip
        meets = earns = None
        if environment is not None:
            earns = partial(_earned, environment=environment, seed=seed + _JUDGED)
            meets = partial(_met, environment=environment, count=max(count // 4, 1), seed=seed + 1)
        if error is not None:
            weight_width, act_width = formats.fewest(policy, x, error)
        else:
            act_width = _widths("--bits", bits)
            weight_width = act_width if weight_bits is None else _widths("--weight-bits", weight_bits)
        done = folder.deploy(
            policy, x, to, weight_width=weight_width, act_width=act_width, device=device, latency=_seconds(latency),
            rate=rate, multiplier=multiplier, guard=make_guard if guard else None, fine_tune=fine_tune,
            meets=meets, earns=earns,
        )  # fmt: skip
    shape = done.quantised.shape
    figures = [
        report.Figure("deploy.policy.latency_ns", round(done.sized.nanoseconds, 1), "ns", "model"),
        report.Figure("deploy.policy.clocks", done.sized.clocks, "clocks", "model"),
        report.Figure("deploy.policy.error", done.errors[-1].largest, "of the outputs", "measured"),
    ]
    played = None
    if environment is not None and episodes:
        played = returns.compared(done.quantised, environment, episodes, seed)
        folder.report(to, returns=played)
        figures += [report.Figure(f"deploy.policy.return_{n}", played[n]["mean"], "return", "measured") for n in _BOTH]
    if bitstream:
        placed = board.build(to, str(device), place_seed)
        folder.report(to, placed={figure.name.rpartition(".")[2]: figure.value for figure in placed})
        figures += placed
    report.write(json_file, "deploy", "mlp", None, device, figures)
    console = report.console(json_file)
    rows = [("layer", "activation", "bits", "largest error", "root mean square", "greatest number")]
    widths = zip(shape.kinds, shape.weight_widths, shape.act_widths, done.errors, strict=True)
    for kind, of_weights, of_elements, e in widths:
        bits_of = f"{of_weights} × {of_elements}"
        rows.append((str(e.layer), kind, bits_of, f"{e.largest:.3g}", f"{e.rms:.3g}", f"{e.span:.3g}"))
    console.print(report.table("Error of each layer against float64", rows, left=("activation",)))
    console.print(
        f"{'-'.join(map(str, shape.sizes))}: {done.sized.clocks} clocks, {done.sized.nanoseconds:.0f} ns at "
        f"{done.sized.clock}, an array of {shape.rows} x {shape.cols} with {cycles.dsps(shape)} multipliers"
    )
    if played is not None:
        before, after = (f"{played[n]['mean']:.4g} ± {played[n]['standard_error']:.2g}" for n in _BOTH)
        console.print(f"return in {episodes} episodes of {environment}: {before} before, {after} in integers")
    console.print(f"written: {to}; check it with: make -C {to / 'bench'}")


_BOTH = ("before", "after")
_EPISODES, _JUDGED = 20, 1 << 20  # that judge fine-tuning, and where their seeds begin: others than those of the report


def _met(quantised: "Quantised", environment: str, count: int, seed: int) -> "np.ndarray":
    """What integers meet when they act; a tenth of the actions is random."""
    from rlcores.deploy import observations as obs

    return obs.played(quantised.policy, environment, count, seed, act=quantised.act, drawn=0.1)


def _earned(quantised: "Quantised", environment: str, seed: int) -> float:
    """The mean return of integers in episodes that always begin alike."""
    from rlcores.deploy import returns

    return float(returns.episode_returns(quantised.act, environment, _EPISODES, seed).mean())


def _list(name: str, text: str | None) -> tuple[float, ...] | None:
    """Numbers joined by commas."""
    try:
        return None if text is None else tuple(float(word) for word in text.split(","))
    except ValueError as error:
        raise UserError(f"--guard-{name} is '{text}'; give numbers joined by commas") from error


def _widths(name: str, text: str) -> int | tuple[int, ...]:
    """Bits: one number, or one per layer joined by commas."""
    try:
        bits = tuple(int(word) for word in text.split(","))
    except ValueError as error:
        raise UserError(f"{name} is '{text}'; give a number of 3 to 18, or one per layer joined by commas") from error
    return bits[0] if len(bits) == 1 else bits


def _seconds(text: str | None) -> float | None:
    """Seconds of 1us, 500ns, 2ms or 0.001s."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?) ?(ns|us|µs|ms|s)", text)
    if not match or not float(match[1]):
        raise UserError(f"--latency is '{text}'; give a time such as 1us or 500ns")
    return float(match[1]) * {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0}[match[2]]
