"""The picture of `rlcores bench native`: how many times as long each peer takes as the engine, as an SVG."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rlcores_lab.pictures.drawing import Drawing

# Figure, what it is of, and whether more of it is better.
KINDS = (
    ("sample_ns", "sample 256 of 1,048,576 slots, with weights", False),
    ("update_ns", "update 256 priorities", False),
    ("replay_ns", "batch of 256 CartPole transitions, all arrays", False),
    ("frames_ns", "batch of 256 transitions of 84 x 84 x 4 frames", False),
    ("float32.gae_ns", "advantages of 1024 x 64", False),
    ("dqn_step_us", "gradient step, 4-64-64-2, batch 64, Adam", False),
    ("dqn256.dqn_step_us", "gradient step, 17-256-256-6, batch 256, Adam", False),
    ("train_steps", "DQN on CartPole, whole loop", True),
)
_WIDTH, _LEFT, _ROW = 600, 130, 17
_MARKS = 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000


def svg(figures: Sequence[Mapping[str, Any]]) -> str:
    """The picture, of figures as the JSON form has them."""
    values = {f["name"]: f["value"] for f in figures}
    kinds = []
    for name, title, more in KINDS:
        own = values.get(f"native.{name}")
        peers = {n.split(".")[1]: values[n] for n in values if own and n.startswith("peer.") and _of(n) == name}
        if peers:
            bars = {who: value / own if not more else own / value for who, value in peers.items()}
            kinds.append((title, sorted(bars.items(), key=lambda bar: bar[1])))
    ratios = [ratio for _, bars in kinds for _, ratio in bars]
    low, high = min([1.0, *ratios]), max([10.0, *ratios])
    scale = (_WIDTH - _LEFT - 70) / math.log(high / low)

    def place(ratio: float) -> float:
        return round(_LEFT + scale * math.log(ratio / low), 1)

    height = 56 + sum(_ROW * (len(bars) + 1) + 10 for _, bars in kinds)
    d = Drawing(_WIDTH, height, "How many times longer other libraries take for the same work than the native engine")
    d.text(10, 20, "Time of others for the same, in times of the native engine (log scale)", "title", "start")
    marks = [mark for mark in _MARKS if low <= mark <= high]
    for mark in marks:
        d.text(place(mark), 40, f"{mark:g}", "small")
    y = 58
    for title, bars in kinds:
        d.text(10, y, title, "title", "start")
        for mark in marks:  # a line ends where the next title begins
            ends = (place(mark), y + 5), (place(mark), y + len(bars) * _ROW + 4)
            d.line(*ends, "axis" if mark == 1 else "line")
        for number, (who, ratio) in enumerate(bars, 1):
            x, (left, right) = y + number * _ROW, sorted((place(1.0), place(ratio)))
            d.text(_LEFT - 10, x, who, "small", "end")
            d.bar(left, x - 10, right - left, 12, "bad" if ratio < 1 else "good")
            d.text(right + 5, x, f"{ratio:.3g} x" if ratio < 100 else f"{ratio:,.0f} x", "small", "start")
        y += (len(bars) + 1) * _ROW + 10
    return d.svg()


def _of(name: str) -> str:
    """What a peer's figure is of; float32 advantages have no name of their own, for the peers have no others."""
    rest = name.split(".", 2)[2]
    return "float32.gae_ns" if rest == "gae_ns" else rest
