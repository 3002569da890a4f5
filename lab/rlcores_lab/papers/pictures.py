"""Figures of the papers from our kept results, each beside what the paper says: `rlcores papers --pictures DIR`.

The papers print few numbers. What they print is drawn in black; a claim in words is written where it belongs. Figures
of other commands (`rlcores map`, `rlcores study`) are drawn by these.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rlcores.base import files, paths
from rlcores_lab import results, shown
from rlcores_lab.bench import locks, plugged, wire
from rlcores_lab.qor.baseline import Baseline
from rlcores_lab.study import heppo_table
from rlcores_lab.study.heppo import Run
from rlcores_lab.study.profile import DQN, LEARNER, NONE, PPO, Phase

Known = Callable[[str], float]
Curves = Mapping[str, Sequence[float]]
_TRAINED = "replay_learner.all"  # figures of `rlcores train --cores`
# Table I of Taha and Abdelhadi (2025), column CPU-GPU, in the order of profile.PPO; communication takes the rest.
_GPU = (9.92, 46.58, 5.73, 5.00, 24.79, 0.17, 5.21, 1.77)


def write(folder: Path) -> list[Path]:
    """All pictures into a folder. Raises RunFailed when a kept result is missing."""
    figures = results.known(Baseline())
    drawn = []
    for name, draw in PICTURES.items():
        drawn.append(folder / f"papers_{name}.png")
        draw(lambda key: float(figures[key][0]), drawn[-1])
    return drawn


def _shares(known: Known, path: Path) -> None:
    """Taha and Abdelhadi (2025), Table I and Figure 1."""
    bars = {
        "the paper, CPU-GPU": _GPU,
        "the paper, CPU": [p.paper or 0.0 for p in PPO],
        "ours, PyTorch": [known(f"all.humanoid.ppo.torch.{p.name}") for p in PPO],
        "ours, NumPy": [known(f"all.humanoid.ppo.numpy.{p.name}") for p in PPO],
    }
    _stacked(path, bars, PPO, "gae", "% of an iteration of PPO, Humanoid")


def _iteration(known: Known, path: Path) -> None:
    """Meng et al. (2022), Figure 3: parts of an iteration of DQN."""
    titles = {"torch": "ours, PyTorch", "numpy": "ours, NumPy"}
    bars = {title: [known(f"all.cartpole.dqn.{lib}.{p.name}") for p in DQN] for lib, title in titles.items()}
    said = "% of an iteration of DQN, CartPole\nthe paper, in words: replay and transfer take about as much as training"
    _stacked(path, bars, DQN, tuple(p.name for p in DQN if p.core not in (NONE, LEARNER)), said)


def _stacked(path: Path, bars: Curves, phases: Sequence[Phase], hatched: str | tuple[str, ...], xlabel: str) -> None:
    """A bar each of shares one behind the other; those whose names begin with `hatched` are hatched."""
    with shown.picture(path, 8, 3, dpi=100) as figure:
        axis = figure.subplots()
        left = np.zeros(len(bars))
        for phase, widths in zip(phases, zip(*bars.values(), strict=True), strict=True):
            hatch = "//" if phase.name.startswith(hatched) else None
            axis.barh(list(bars), widths, left=left, label=phase.title, hatch=hatch)
            left += widths
        axis.set(xlabel=xlabel)
        figure.legend(loc="outside right center", fontsize=8, frameon=False)


def _lookahead(known: Known, path: Path) -> None:
    """Taha and Abdelhadi (2025), Figure 11: resources of a row against k."""
    ks = np.arange(1, 5)
    with shown.picture(path, 9, 3, dpi=100) as figure:
        for axis, (part, title) in zip(
            figure.subplots(1, 3), (("dsp", "DSP"), ("lut", "LUT"), ("ff", "FF")), strict=True
        ):
            own = np.array([known(f"shapes.all.lookahead{k}.{part}_per_row") for k in ks])
            axis.plot(ks, own, "o-", color="tab:red", label="ours, a row")
            # Through the first two points of ours, which is where the paper's curve cannot be told from a line.
            step = (own[1] - own[0]) / 3
            axis.plot(ks, own[0] + step * (ks**2 - 1), "k--", label="the paper: with the square of k")
            axis.set(title=title, xlabel="look-ahead k", xticks=ks)
        axis.legend(fontsize=8, frameon=False)


def _fanout(known: Known, path: Path) -> None:
    """Zhang et al. (2021), Figure 9, on the chip."""
    ks = [2, 4, 8, 16, 32, 64]
    with shown.picture(path, 6, 3, dpi=100) as figure:
        axis = figure.subplots()
        axis.plot(ks, [known(f"shapes.all.fanout{k}.clocks") for k in ks], "o-", color="tab:red", label="ours")
        axis.axvline(16, color="black", linestyle="--", label="the paper: the best on their CPU")
        axis.set(xlabel="fan-out K", ylabel="clocks of a sample", xscale="log")
        axis.set_xticks(ks, [str(k) for k in ks])
        axis.minorticks_off()
        axis.legend(fontsize=8, frameon=False)


def _replay(known: Known, path: Path) -> None:
    """Meng et al. (2022), Figure 8: a sample and an update."""
    peers = {
        "U200 at 200 MHz": "sumtree.u200.{}_ns",
        "C++ tree, one core": "sumtree.u200.cpp.{}_ns",
        "native engine": "native.all.{}_ns",
        "tianshou": "native.all.tianshou.{}_ns",
        "torchrl": "native.all.torchrl.{}_ns",
    }
    said = {"sample": 7.4, "update": 125.0}  # times a CPU, at most
    with shown.picture(path, 9, 3, dpi=100) as figure:
        for axis, (what, times) in zip(figure.subplots(1, 2, sharey=True), said.items(), strict=True):
            own = [known(name.format(what)) for name in peers.values()]
            axis.barh(list(peers), own, color=["tab:red", *["tab:blue"] * (len(peers) - 1)])
            axis.axvline(own[0] * times, color="black", linestyle="--", label=f"the paper's CPU: up to {times:g} times")
            axis.set(xscale="log", xlabel=f"ns per {what}, batch 256")
            axis.invert_yaxis()
            axis.legend(fontsize=8, frameon=False)


def _bits(known: Known, path: Path) -> None:
    """Taha and Abdelhadi (2025), Figures 8 and 9: bits of a code."""
    kept = files.read_json(paths.clone() / "docs" / "heppo_study.json", "runs of the study", dict)["runs"]
    own = [x for x in heppo_table.bits_lines([Run(**r) for r in kept]) if x.environment == "Pendulum-v1"]
    with shown.picture(path, 6, 3.2, dpi=100) as figure:
        axis = figure.subplots()
        axis.errorbar(
            [x.bits for x in own], [x.final for x in own], [x.deviation for x in own], fmt="o-", color="tab:red"
        )
        for bits, text in {3: "near the baseline", 5: "the worst", 7: "poor", 9: "8 to 10 stable"}.items():
            axis.text(bits, axis.get_ylim()[0], text, ha="center", va="bottom", fontsize=8)
        axis.set(xlabel="bits of a code; below, what the paper says", ylabel="return, Pendulum, ours")


def _curves(
    path: Path, series: Curves, xs: Sequence[float], xlabel: str, ylabel: str, said: Callable[[Any], None], **scale: str
) -> None:
    """Curves of ours over the same places, and `said` draws onto the axis what the paper says."""
    with shown.picture(path, 6.4, 3.2, dpi=100) as figure:
        axis = figure.subplots()
        for label, ys in series.items():
            axis.plot(xs, ys, "o-", label=label)
        said(axis)
        axis.set(xlabel=xlabel, ylabel=ylabel, **scale)
        axis.set_xticks(xs, [f"{x:,g}" for x in xs])
        axis.minorticks_off()
        axis.legend(fontsize=8, frameon=False)


def _locks(known: Known, path: Path) -> None:
    """Zhang et al. (2021), Figure 10: kinds of locks over the threads."""
    xs = locks.ALL.threads
    series = {title: [known(f"locks.all.{kind}.{n}.iterations") for n in xs] for kind, title in locks.KINDS.items()}
    least, most = (np.array(series[locks.KINDS["global"]]) * times for times in locks.PAPER)

    def said(axis: Any) -> None:
        axis.fill_between(xs, least, most, color="black", alpha=0.1, label="the paper's: 2 to 5 times a global lock")

    on = f"threads, on {known('locks.all.processors'):g} processors"
    _curves(path, series, xs, on, "iterations/s, ours", said, xscale="log")


def _buffers(known: Known, path: Path) -> None:
    """Zhang et al. (2021), Figure 8: our tree beside those of libraries, through Python."""
    names = ("torchrl", "tianshou", "cpprb", "flashbax")
    with shown.picture(path, 9, 2.6, dpi=100) as figure:
        for axis, what in zip(figure.subplots(1, 2, sharey=True), ("sample", "update"), strict=True):
            own = known(f"native.all.{what}_ns")
            axis.barh(["ours"], [own], color="tab:red")
            axis.barh(names, [known(f"native.all.{name}.{what}_ns") for name in names], color="tab:blue")
            axis.axvline(
                4 * own, color="black", linestyle="--", label="the paper: tianshou takes about 4 times as long"
            )
            axis.set(xscale="log", xlabel=f"ns per {what}, batch 256", xlim=(10, 2000))
            axis.minorticks_off()
            axis.invert_yaxis()
        figure.legend(*axis.get_legend_handles_labels(), loc="outside upper center", fontsize=8, frameon=False)


def _plugged(known: Known, path: Path) -> None:
    """Zhang et al. (2021), Figure 11: whole training steps with our replay against the library's own."""
    names = {"rllib": "RLlib", "torchrl": "torchrl", "tianshou": "tianshou", "sb3": "Stable-\nBaselines3"}
    with shown.picture(path, 6, 3, dpi=100) as figure:
        axis = figure.subplots()
        axis.bar(list(names.values()), [known(f"plugged.all.{name}.ratio") for name in names], width=0.5, label="ours")
        axis.axhspan(*plugged.PAPER, color="black", alpha=0.15, label="the paper, RLlib: 1.19 to 1.75")
        axis.axhline(1, color="black", linewidth=0.8)
        axis.set(ylabel="training steps/s with ours,\nof those with its own replay", ylim=(0, 2.2))
        axis.legend(fontsize=8, frameon=False)


def _split(known: Known, path: Path) -> None:
    """Zhang et al. (2021), Figure 12: actors' and learner's curves, and the split that equation 5 chooses."""
    xs = [n for n in (1, 2, 4, 7) if n < known(f"{_TRAINED}.cores")]
    curve = {n: known(f"{_TRAINED}.actors_{n}.steps") for n in xs}
    wanted = known(f"{_TRAINED}.learner.gradient_steps") * known(f"{_TRAINED}.update_interval")

    def said(axis: Any) -> None:
        axis.axhline(wanted, color="tab:orange", label="what the learner's one core asks for")
        axis.axvline(known(f"{_TRAINED}.actors"), color="black", linestyle="--", label="the chosen number of actors")

    ylabel = "environment steps/s, ours"
    _curves(path, {"actors, each on a core": list(curve.values())}, xs, "cores of actors", ylabel, said)


def _wire(known: Known, server: str, what: str) -> list[float]:
    return [known(f"wire.all.{server}.{n}.{what}_p50_us") for n in wire.ALL.actors]


def _actors(known: Known, path: Path) -> None:
    """Furukawa and Matsutani (2021), Figure 6: times over the actors."""
    series = {"a push of 64": _wire(known, wire.KERNEL, "push"), "a batch of 256": _wire(known, wire.KERNEL, "sample")}

    def said(axis: Any) -> None:
        axis.text(0.02, 0.6, "the paper: pushing grows with the actors", transform=axis.transAxes, fontsize=8)

    _curves(path, series, wire.ALL.actors, "actors", "median in µs, ours", said)


def _shared(known: Known, path: Path) -> None:
    """Furukawa and Matsutani (2021), Figure 10: shared memory (Redis), and what passing the kernel saves there."""
    redis = _wire(known, wire.REDIS, "push")
    series = {"Redis, a push": redis, "our server, a push": _wire(known, wire.KERNEL, "push")}

    def said(axis: Any) -> None:
        least, most = (np.array(redis) * (1 - share) for share in (0.444, 0.327))
        label = "the paper's: Redis past the kernel, -33 to -44 %"
        axis.fill_between(wire.ALL.actors, least, most, color="black", alpha=0.15, label=label)

    _curves(path, series, wire.ALL.actors, "actors", "median in µs, ours", said, yscale="log")


def _bypass(known: Known, path: Path) -> None:
    """Furukawa and Matsutani (2021), Figure 11: by how much passing the kernel changes a push and a batch."""
    with shown.picture(path, 8, 3, dpi=100) as figure:
        for axis, (what, band) in zip(figure.subplots(1, 2, sharey=True), wire.PAPER.items(), strict=True):
            changes = [known(f"wire.all.change.{n}.{what}_percent") for n in wire.ALL.actors]
            axis.bar([str(n) for n in wire.ALL.actors], changes, width=0.5, color="tab:red", label="ours")
            axis.axhspan(*band, color="black", alpha=0.15, label="the paper: {:g} to {:g} %".format(*band))
            axis.axhline(0, color="black", linewidth=0.8)
            axis.set(xlabel="actors", title={"push": "a push", "sample": "a batch"}[what], ylim=(-40, 60))
            axis.legend(fontsize=8, frameon=False)
        figure.axes[0].set(ylabel="change of the median in %")


def _step(known: Known, path: Path) -> None:
    """Meng et al. (2022), Figure 9: a gradient step of DQN over the batch."""
    batches = (32, 256, 2048)
    titles = {"fpga": "FPGA, U200 (model)", "cpu": "CPU, measured", "gpu": "GPU, assumed"}
    series = {title: [known(f"map.all.cartpole.{b}.training.{at}") for b in batches] for at, title in titles.items()}

    def said(axis: Any) -> None:
        least, most = (np.array(series[titles["fpga"]]) * times for times in (1.5, 4.3))
        axis.fill_between(batches, least, most, color="black", alpha=0.15, label="the paper's GPU: 1.5 to 4.3 times")

    scale = {"xscale": "log", "yscale": "log"}
    _curves(path, series, batches, "batch, CartPole, DQN", "µs per gradient step", said, **scale)


def _designs(known: Known, path: Path) -> None:
    """Meng et al. (2022), Figure 7: clocks of a gradient step over the multipliers."""
    prefix = "learner.cartpole_dqn_64_u200"
    points = {
        "ours, by hand": ("learner.u200.dsp", "learner.u200.clocks"),
        "ours, found": (f"{prefix}.learner.dsp", f"{prefix}.clocks"),
        "ours, within the paper's DSPs": (f"{prefix}.within.dsp", f"{prefix}.within.clocks"),
        "the paper's point, in our model": (f"{prefix}.paper.dsp", f"{prefix}.paper.clocks"),
    }
    with shown.picture(path, 6, 3, dpi=100) as figure:
        axis = figure.subplots()
        for title, names in points.items():
            axis.plot(*map(known, names), "ks" if "paper's point" in title else "o", label=title)
        axis.set(xlabel="DSP slices", ylabel="clocks per gradient step, batch 64", yscale="log")
        axis.legend(fontsize=8, frameon=False)


PICTURES = {
    "profile": _shares,
    "iteration": _iteration,
    "bits": _bits,
    "lookahead": _lookahead,
    "fanout": _fanout,
    "replay": _replay,
    "designs": _designs,
    "step": _step,
    "buffers": _buffers,
    "locks": _locks,
    "plugged": _plugged,
    "split": _split,
    "actors": _actors,
    "shared": _shared,
    "bypass": _bypass,
}
