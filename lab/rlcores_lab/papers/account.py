"""account.yaml, checked, and the page docs/papers.md that is written from it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path

import yaml

from rlcores.base import files
from rlcores.errors import RunFailed
from rlcores_lab import results

PAGE = Path("docs") / "papers.md"
VERDICTS = {
    "holds": "we find what the paper says",
    "better": "the same claim, with a better number",
    "in part": "some of it, or under other conditions",
    "opposite": "our measurements contradict it",
    "not shown": "we have no number yet",
}
HOW = ("counted", "placed", "measured", "model", "assumed", "study", "none")
_FILE = Path(__file__).resolve().with_name("account.yaml")


@dataclass(frozen=True)
class Line:
    """A table or figure of a paper; account.yaml says what each field is."""

    paper: str
    figure: str
    about: str
    says: str
    how: str
    verdict: str
    ours: str = ""
    because: str = ""
    run: str = ""
    picture: str = ""
    undrawn: str = ""

    @property
    def name(self) -> str:
        """What `--run` and --json call it, such as taha2025.figure_11."""
        return f"{self.paper}.{self.figure.lower().replace(' ', '_')}"

    @property
    def drawable(self) -> bool:
        """Whether there is something to draw: a figure with a number of ours, or a table that has a picture."""
        return self.verdict != "not shown" and (self.figure.startswith("Figure") or bool(self.picture))

    def __post_init__(self) -> None:
        """Raises RunFailed when a line is not whole."""
        shown = self.verdict != "not shown"
        for wrong, why in (
            (self.verdict not in VERDICTS, f"verdict {self.verdict!r} is none of {', '.join(VERDICTS)}"),
            (self.how not in HOW, f"how {self.how!r} is none of {', '.join(HOW)}"),
            (shown and not (self.ours and self.run), "it is shown, so it needs `ours` and `run`"),
            (shown == (self.how == "none"), "how is none where nothing is shown, and only there"),
            (self.verdict not in ("holds", "better") and not self.because, "it needs a reason, `because`"),
            (
                self.drawable != bool(self.picture or self.undrawn),
                "a figure that is shown needs `picture` or `undrawn`",
            ),
        ):
            if wrong:
                raise RunFailed(f"account.yaml, {self.name}: {why}")


@dataclass(frozen=True)
class Paper:
    """A paper with its lines, in its order. key: its anchor in docs/bibliography.md."""

    key: str
    title: str
    lines: list[Line] = field(default_factory=list)


def read() -> list[Paper]:
    """The account, numbers filled in. Raises RunFailed when a line is not whole or a figure is unknown."""
    known = {one.name for one in fields(Line)} - {"paper"}
    papers = []
    for key, entry in yaml.safe_load(files.read_text(_FILE, "the account of the papers")).items():
        lines = []
        for one in entry["lines"]:
            if odd := set(one) - known:
                raise RunFailed(f"account.yaml, {key}: a line has no field {', '.join(sorted(odd))}")
            filled = one | {"ours": results.filled(one["ours"])} if "ours" in one else one
            lines.append(Line(paper=key, **filled))
        papers.append(Paper(key, entry["title"], lines))
    names = Counter(line.name for line in every(papers))
    if twice := [name for name, count in names.items() if count > 1]:
        raise RunFailed(f"account.yaml names {', '.join(twice)} twice")
    return papers


def every(papers: list[Paper]) -> Iterator[Line]:
    """All lines, paper by paper."""
    return (line for paper in papers for line in paper.lines)


def counts(papers: list[Paper]) -> dict[str, int]:
    """How many lines have each verdict, in the order of VERDICTS."""
    tally = Counter(line.verdict for line in every(papers))
    return {verdict: tally[verdict] for verdict in VERDICTS}


def _undrawn(lines: list[Line]) -> str:
    """Which lines have no picture, and why."""
    drawn = sum(bool(line.picture) for line in lines)
    tables = sum(not line.drawable and line.verdict != "not shown" for line in lines)
    hidden = sum(line.verdict == "not shown" for line in lines)
    left = sum(bool(line.undrawn) for line in lines)
    return (
        f"{drawn} lines have one. {tables} tables and {hidden} lines without a number need none, and {left} figures "
        "have so few numbers that the line says them all."
    )


def outputs() -> dict[Path, str]:
    """The page, from the root, and its text."""
    papers = read()
    tally = counts(papers)
    text = [
        "# The five papers, table by table",
        "",
        "Written by `rlcores generate` from `lab/rlcores_lab/papers/account.yaml`; do not edit.",
        "",
        f"A line for each of the {sum(tally.values())} tables and figures of five papers that make a claim. `rlcores "
        "papers` prints it, and `rlcores papers --run NAME` makes one of our numbers again.",
        "",
        "| verdict | lines | meaning |",
        "|---|---|---|",
        *(f"| {verdict} | {tally[verdict]} | {meaning} |" for verdict, meaning in VERDICTS.items()),
        "",
        "A linked name leads to a picture of ours, drawn by `rlcores papers --pictures DIR`, `rlcores map --pictures "
        f"DIR`, `rlcores study heppo` or `rlcores study relaxed`. {_undrawn(list(every(papers)))}",
        "",
        "*How*: *counted* (clocks in simulation of the RTL, area by Yosys), *measured* (timed on a processor), *model* "
        "(a cycle model compared with the RTL), *study* (training runs). GPUs are assumed. A board's clock is that of "
        "its block design; no vendor tool has confirmed it.",
    ]
    for paper in papers:
        text += ["", f"## {paper.title}", "", f"[Bibliography](bibliography.md#{paper.key}).", ""]
        text += ["| | about | the paper says | we found | how | verdict |", "|---|---|---|---|---|---|"]
        for line in paper.lines:
            verdict = f"**{line.verdict}**" + (f": {line.because}" if line.because else "")
            ours = line.ours + (f" (`{line.run}`)" if line.run else "")
            how = "" if line.how == "none" else line.how
            name = f"[{line.figure}]({line.picture})" if line.picture else line.figure
            text.append(f"| {name} | {line.about} | {line.says} | {ours} | {how} | {verdict} |")
    return {PAGE: "\n".join(text) + "\n"}
