"""`rlcores calibrate [FILE]`: the fractions of a learner's numbers, from recorded transitions or an environment."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rich.table import Table
from typer import Argument, Option

from rlcores.base import report
from rlcores.commands._options import JsonOption, numbers
from rlcores.errors import UserError

SECTION = "Train, serve, deploy"

if TYPE_CHECKING:
    from rlcores.cores.learner.calibrate import Calibration
    from rlcores.cores.learner.format import DdpgFormats, LearnerFormats


def command(
    file: Annotated[
        Path | None, Argument(metavar="[FILE]", help=".npz of transitions: states, actions, rewards, …")
    ] = None,
    environment: Annotated[
        str | None, Option("--env", metavar="ID", help="record this Gymnasium environment instead")
    ] = None,
    sizes: Annotated[
        str | None, Option("--sizes", metavar="N-N-N", help="network (default: two hidden layers of 64)")
    ] = None,
    actor: Annotated[str | None, Option("--actor", metavar="N-N-N", help="DDPG's actor")] = None,
    act: Annotated[
        str | None, Option("--act", metavar="F-F-F", help="check these fraction bits of vectors 0 to M")
    ] = None,
    delta: Annotated[str | None, Option("--delta", metavar="F-F", help="… and of deltas, layers 1 to M")] = None,
    gradient: Annotated[
        str | None, Option("--gradient", metavar="F-F", help="… and of gradients, layers 1 to M")
    ] = None,
    gamma: Annotated[float, Option("--gamma", min=0, max=1)] = 0.99,
    reward_scale: Annotated[float, Option("--reward-scale", min=0, max=1)] = 1.0,
    learning_rate: Annotated[float, Option("--learning-rate", min=0, help="Adam's learning rate")] = 1e-3,
    steps: Annotated[int, Option("--gradient-steps", min=0, help="gradient steps to run")] = 500,
    transitions: Annotated[int, Option("--transitions", min=1, help="transitions to record with --env")] = 2000,
    headroom: Annotated[int, Option("--headroom", min=0, max=8, help="spare bits above the largest number")] = 1,
    json_file: JsonOption = None,
    seed: Annotated[int, Option("--seed", min=0, help="seed of random actions and first weights")] = 0,
) -> None:
    """Choose the fraction bits of a learner from recorded transitions, or check given ones."""
    from rlcores.cores.learner import calibrate

    if (file is None) == (environment is None):
        raise UserError("give a file of transitions or --env, one of the two")
    if environment is not None:
        batch, networks = calibrate.record(environment, transitions, seed), {}
    else:
        batch, networks = calibrate.load(file)
    network, actor_network = calibrate.sizes_for(batch, networks, (64, 64))
    network = numbers("--sizes", sizes) or network
    actor_network = numbers("--actor", actor) or actor_network
    hyper = {"gamma": gamma, "reward_scale": reward_scale, "learning_rate": learning_rate}
    settings = replace(calibrate.default_settings(actor_network is not None), **hyper)
    ranges = calibrate.watch(batch, network, actor_network, states=networks, settings=settings, steps=steps, seed=seed)
    chosen = [numbers(name, text) for name, text in (("--act", act), ("--delta", delta), ("--gradient", gradient))]
    if any(chosen):
        calibration = calibrate.check(ranges, _formats(chosen, actor_network is not None))
    else:
        calibration = calibrate.choose(ranges, headroom)
    console = report.console(json_file)
    report.write(json_file, "calibrate", "learner", None, None, _figures(calibration), seed=seed)
    console.print(_table(calibration, len(batch)))
    for name, fractions in _fractions(calibration.formats).items():
        console.print(f"{name}: {fractions}")


def _formats(fractions: list[tuple[int, ...] | None], ddpg: bool) -> "LearnerFormats":
    from rlcores.cores.learner.format import LearnerFormats

    if ddpg:
        raise UserError("--act, --delta and --gradient check a DQN's fractions; for DDPG use learner_calibrate.check")
    act, delta, gradient = fractions
    if not (act and delta and gradient):
        raise UserError("give --act, --delta and --gradient together")
    try:
        return LearnerFormats(act, (0, *delta), (0, *gradient))
    except ValueError as error:
        raise UserError(str(error)) from error


def _fractions(formats: "LearnerFormats | DdpgFormats") -> dict[str, str]:
    """Fractions by the names of their registers, in lower case."""
    parts = {"": getattr(formats, "value", formats)}
    if hasattr(formats, "actor"):
        parts["actor_"] = formats.actor
    values = {}
    for prefix, part in parts.items():
        values[f"{prefix}act_frac"] = part.act_frac
        values |= {f"{prefix}delta_frac": part.delta_frac[1:], f"{prefix}grad_frac": part.grad_frac[1:]}
    if hasattr(formats, "pass_frac"):
        values["pass_frac"] = formats.pass_frac
    return {name: "-".join(map(str, numbers)) for name, numbers in values.items()}


def _figures(calibration: "Calibration") -> list[report.Figure]:
    figures = [
        report.Figure(f"learner.{n}", text, "bits", "measured") for n, text in _fractions(calibration.formats).items()
    ]
    least = min(tensor.headroom for tensor in calibration.tensors)
    return [*figures, report.Figure("learner.headroom", round(least, 2), "bits", "measured")]


def _table(calibration: "Calibration", transitions: int) -> Table:
    rows = [("tensor", "layer", "largest", "format", "headroom")]
    for t in calibration.tensors:
        headroom = f"{t.headroom:.1f} bits" if t.largest else "-"
        rows.append((t.name, str(t.layer), f"{t.largest:.4g}", f"sfix({t.width},{t.frac})", headroom))
    return report.table(f"What {transitions:,} transitions reach", rows, left=("format",))
