"""Pictures of the documentation as SVG: boxes, arrows, bars and words on a light card, readable on a dark page as well.

A picture is at most as wide on the screen as it says, and shrinks on a phone: 440 wide with letters of 14 is 10 on a
screen of 360. New pictures are 440 wide and grow downwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple

Point = tuple[float, float]


class Box(NamedTuple):
    """Where a box is, and the middles of its sides."""

    x: float
    y: float
    width: float
    height: float

    @property
    def left(self) -> Point:
        return self.x, self.y + self.height / 2

    @property
    def right(self) -> Point:
        return self.x + self.width, self.y + self.height / 2

    @property
    def top(self) -> Point:
        return self.x + self.width / 2, self.y

    @property
    def bottom(self) -> Point:
        return self.x + self.width / 2, self.y + self.height


_STYLE = """
.card { fill: #fafafa } .box { fill: #ffffff; stroke: #90a4ae; stroke-width: 1.5 }
.core { fill: #e8eaf6; stroke: #3f51b5; stroke-width: 1.5 } .hit { fill: #fff3e0; stroke: #e65100; stroke-width: 2 }
.frame { fill: none; stroke: #3f51b5; stroke-width: 1.2; stroke-dasharray: 6 4 }
.flow { fill: none; stroke: #546e7a; stroke-width: 1.6; marker-end: url(#tip) }
.way { fill: none; stroke: #e65100; stroke-width: 2.4; marker-end: url(#hot) }
.line { stroke: #cfd8dc; stroke-width: 1 } .axis { stroke: #263238; stroke-width: 1 }
.good { fill: #2b6cb4 } .bad { fill: #b4562b }
.title { font-weight: 600; fill: #1a237e } .text { fill: #263238 } .small { font-size: 12px; fill: #455a64 }
.warm { fill: #bf360c; font-weight: 600 }
"""


def number(value: float) -> str:
    """A coordinate, without digits that nobody sees."""
    return f"{value:.1f}".removesuffix(".0")


@dataclass
class Drawing:
    """A picture that grows. what: in a sentence, for those who do not see it. Places count from the upper left."""

    width: float
    height: float
    what: str
    parts: list[str] = field(default_factory=list)

    def text(self, x: float, y: float, words: str, kind: str = "text", anchor: str = "middle") -> None:
        """Words at their base line. kind: title, text, small or warm."""
        self.parts.append(
            f'<text class="{kind}" x="{number(x)}" y="{number(y)}" text-anchor="{anchor}">{escape(words)}</text>'
        )

    def box(self, x: float, y: float, width: float, height: float, words: str = "", below: str = "", kind="box") -> Box:
        """A box with a line of words, and a smaller one below. kind: box, core, or hit, which stands out."""
        corners = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
        self.parts.append(f'<rect class="{kind}" {corners} rx="5"/>')
        middle = x + width / 2, y + height / 2 + 5
        if words:
            self.text(middle[0], middle[1] - (8 if below else 0), words, "title" if kind == "core" else "text")
        if below:
            self.text(middle[0], middle[1] + 9, below, "small")
        return Box(x, y, width, height)

    def frame(self, x: float, y: float, width: float, height: float, words: str = "") -> None:
        """A dashed line around parts of one thing, whose name, if any, stands in its upper left corner."""
        self.box(x, y, width, height, kind="frame")
        if words:
            self.text(x + 8, y + 16, words, "small", "start")

    def arrow(self, *way: Point, words: str = "", kind: str = "flow", at: Point | None = None) -> None:
        """From point to point. words: beside its middle, or centred at `at`."""
        path = " ".join(f"{'L' if n else 'M'}{number(x)} {number(y)}" for n, (x, y) in enumerate(way))
        self.parts.append(f'<path class="{kind}" d="{path}"/>')
        if words:
            (x0, y0), (x1, y1) = way[:2]
            flat = abs(x1 - x0) > abs(y1 - y0)
            x, y = at or ((x0 + x1) / 2 + (0 if flat else 6), (y0 + y1) / 2 - (5 if flat else -4))
            self.text(x, y, words, "small", "middle" if flat or at else "start")

    def line(self, start: Point, end: Point, kind: str = "line") -> None:
        """Without a tip. kind: line or axis."""
        (x0, y0), (x1, y1) = start, end
        self.parts.append(
            f'<line class="{kind}" x1="{number(x0)}" y1="{number(y0)}" x2="{number(x1)}" y2="{number(y1)}"/>'
        )

    def bar(self, x: float, y: float, width: float, height: float, kind: str) -> None:
        """Of a chart. kind: good or bad."""
        corners = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
        self.parts.append(f'<rect class="{kind}" {corners}/>')

    def row(self, x: float, y: float, wide: float, high: float, cells: Sequence[str], hits: Sequence[int] = ()) -> None:
        """Boxes side by side; those of `hits` stand out."""
        for n, words in enumerate(cells):
            self.box(x + n * wide, y, wide, high, words, kind="hit" if n in hits else "box")

    def svg(self) -> str:
        """The file."""
        size = f"0 0 {number(self.width)} {number(self.height)}"
        tip = '<path d="M0 0 L10 5 L0 10 z" fill="{}"/></marker>'
        marker = 'viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse">'
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(self.width)}" viewBox="{size}" '
            f'font-family="system-ui, sans-serif" font-size="14" role="img" aria-label="{escape(self.what)}">',
            f'<defs><marker id="tip" {marker}{tip.format("#546e7a")}',
            f'<marker id="hot" {marker}{tip.format("#e65100")}<style>{_STYLE}</style></defs>',
            f'<rect class="card" width="{number(self.width)}" height="{number(self.height)}" rx="8"/>',
            *self.parts,
            "</svg>",
        ]
        return "\n".join(lines) + "\n"
