"""The demo's picture: RTL against float64, the errors, and one environment over time."""

from pathlib import Path

import numpy as np

from rlcores_lab import shown
from rlcores_lab.demo.gae import BOUND, Comparison

_RTL, _FLOAT, _OTHER, _GREY = "#0072b2", "#222222", "#d55e00", "#777777"


def draw(comparison: Comparison, path: Path) -> None:
    """Write the picture as a PNG."""
    import matplotlib

    steps, count = comparison.exact.shape
    p, seen = comparison.parameters, comparison.rollout.seen
    style = {"font.size": 10, "axes.spines.top": False, "axes.spines.right": False, "axes.titlesize": 11}
    with matplotlib.rc_context(style), shown.picture(path, 12, 8, dpi=130) as figure:
        grid = figure.add_gridspec(2, 2, height_ratios=[1.15, 1])
        figure.suptitle(
            f"CartPole-v1 through the RTL: {count} environments x {steps:,} steps, {seen.terminated.sum()} "
            f"terminations, {seen.truncated.sum()} truncations\n{p['ROWS']} rows, {p['QBITS']}-bit records, "
            f"{p['OUT_BITS']}-bit results: {comparison.rtl.cycles:,} clocks, "
            f"{'bit for bit' if comparison.model_equal else 'NOT'} the integer model"
        )
        _scatter(figure.add_subplot(grid[0, 0]), comparison)
        _errors(figure.add_subplot(grid[0, 1]), comparison)
        _trajectory(figure.add_subplot(grid[1, :]), comparison)


def _scatter(axes, comparison: Comparison) -> None:
    exact, rtl = comparison.exact.ravel(), comparison.rtl.advantages.ravel()
    limit = 1.05 * max(np.abs(exact).max(), np.abs(rtl).max())
    axes.plot([-limit, limit], [-limit, limit], color=_GREY, linewidth=0.8, zorder=1)
    axes.scatter(exact, rtl, s=3, color=_RTL, alpha=0.25, linewidths=0, rasterized=True, zorder=2)
    axes.set(xlim=(-limit, limit), ylim=(-limit, limit), aspect="equal")
    axes.set_xticks(axes.get_yticks(), minor=False)
    axes.set_xlim(-limit, limit)
    axes.set(xlabel="float64, inputs not quantised", ylabel="RTL", title="Advantages")


def _errors(axes, comparison: Comparison) -> None:
    both = {
        "RTL − float64 of the same inputs": (np.abs(comparison.arithmetic_error).ravel(), _RTL),
        "RTL − float64, inputs not quantised": (np.abs(comparison.total_error).ravel(), _OTHER),
    }
    largest = max(e.max() for e, _ in both.values())
    bins = np.geomspace(1e-5, max(largest, 1e-4) * 1.2, 90)
    for name, (errors, colour) in both.items():
        axes.hist(np.clip(errors, bins[0], None), bins, color=colour, alpha=0.75, label=name)
    bound = BOUND * comparison.largest
    if comparison.parameters["OUT_BITS"] == 16:
        axes.axvline(bound, color=_FLOAT, linestyle="--", linewidth=1, label="bound, 2⁻¹⁰ of the largest |A|")
    axes.set(xscale="log", xlabel="|error| of an advantage", ylabel="advantages", title="Error")
    axes.set_ylim(top=axes.get_ylim()[1] * 1.3)
    axes.legend(loc="upper left", frameon=False, fontsize=9)


def _trajectory(axes, comparison: Comparison) -> None:
    seen = comparison.rollout.seen
    # The environment that shows most: both kinds of ends, and few enough to tell them apart.
    ends = seen.terminated.sum(axis=0), seen.truncated.sum(axis=0)
    n = int(np.argmax(np.minimum(ends[0], 3) + 3 * np.minimum(ends[1], 1) - ends[0] / 50))
    steps = np.arange(len(seen.rewards))
    for name, happened, style in (("terminated", seen.terminated, "-"), ("truncated", seen.truncated, "--")):
        for i, t in enumerate(np.flatnonzero(happened[:, n])):
            axes.axvline(t, color=_GREY, linestyle=style, linewidth=1, label=name if i == 0 else None, zorder=0)
    axes.plot(
        steps, comparison.exact[:, n], color=_FLOAT, linewidth=2.2, alpha=0.35, label="float64, inputs not quantised"
    )
    axes.plot(steps, comparison.rtl.advantages[:, n], color=_RTL, linewidth=0.9, label="RTL")
    axes.set(xlim=(0, len(steps)), xlabel="step", ylabel="advantage", title=f"Environment {n}")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17), ncols=4, frameon=False, fontsize=9)
