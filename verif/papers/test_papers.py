"""The account of the papers: each line is whole, in force, and can be made again."""

import itertools
import json
import re
import shlex

import pytest

from rlcores import cli
from rlcores.base import paths
from rlcores.errors import RunFailed
from rlcores_lab.papers import account

WHOLE = {"paper": "p", "figure": "Figure 1", "about": "a", "says": "s", "how": "counted", "verdict": "holds"}


def test_every_table_and_figure_has_a_line_and_a_verdict():
    papers = account.read()
    assert sum(account.counts(papers).values()) == 50
    assert {paper.key: len(paper.lines) for paper in papers} == {
        "meng2022": 8, "taha2025": 11, "zhang2022": 22, "zhang2021": 6, "furukawa2021": 3,
    }  # fmt: skip
    assert account.counts(papers)["not shown"] <= 16


def test_no_line_is_stale():
    """The page is what the figures in force say."""
    ((path, text),) = account.outputs().items()
    assert (paths.root() / path).read_text() == text, "run `rlcores generate`"
    assert "{" not in text and len(re.findall(r"\n\| \[?(Figure|Table) ", text)) == 50


def test_every_anchor_is_in_the_bibliography():
    bibliography = (paths.root() / "docs" / "bibliography.md").read_text()
    for paper in account.read():
        assert f'<a id="{paper.key}"></a>' in bibliography


def test_every_command_of_a_line_is_one_that_the_program_takes(capsys):
    for words in sorted({line.run for line in account.every(account.read()) if line.run}):
        program, *rest = shlex.split(words)
        if program == "pytest":
            assert (paths.root() / rest[0]).exists()
            continue
        assert program == "rlcores"
        told = [word for word in rest if word.startswith("--")]
        depth = 2 if rest[0] == "study" else 1
        assert cli.run([*rest[:depth], "--help"]) == 0
        said = re.sub(r"\s+", " ", capsys.readouterr().out)
        assert all(option in said for option in told), words


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"ours": "", "run": ""}, "it is shown, so it needs `ours` and `run`"),
        ({"verdict": "fine"}, "verdict 'fine' is none of holds"),
        ({"how": "guessed"}, "how 'guessed' is none of counted"),
        ({"verdict": "opposite"}, "it needs a reason"),
        ({"verdict": "not shown", "because": "x"}, "how is none where nothing is shown"),
        ({"picture": ""}, "a figure that is shown needs `picture` or `undrawn`"),
    ],
)
def test_a_line_that_is_not_whole_is_refused(change, sentence):
    whole = WHOLE | {"ours": "o", "run": "rlcores map", "picture": "p.png"}
    account.Line(**whole)
    with pytest.raises(RunFailed, match=re.escape(f"account.yaml, p.figure_1: {sentence}")):
        account.Line(**whole | change)


def test_the_command_prints_and_writes_what_the_page_says(tmp_path, capsys):
    assert cli.run(["papers", "--json", str(tmp_path / "papers.json")]) == 0
    said = capsys.readouterr().out
    papers = account.read()
    assert f"50 lines: {account.counts(papers)['holds']} holds" in said and "taha2025.figure_11: opposite" in said
    figures = json.loads((tmp_path / "papers.json").read_text())["figures"]
    assert len(figures) == sum(bool(line.ours) for line in account.every(papers)) >= 34 and {
        "papers.taha2025.figure_11"
    } < {f["name"] for f in figures}
    assert cli.run(["papers", "--run", "zhang2022.figure_1.2"]) == 2
    assert cli.run(["papers", "--paper", "nobody"]) == 2


def test_look_ahead_costs_a_row_one_multiplier_a_step_and_the_tree_is_quickest_at_sixteen():
    """What the account says of two sweeps, from the models of today."""
    from rlcores_lab.study import shapes

    rows, trees = shapes.lookahead(), shapes.fanout()
    assert [b.dsp - a.dsp for a, b in itertools.pairwise(rows)] == [1, 1, 1]
    steps = [b.lut - a.lut for a, b in itertools.pairwise(rows)]
    assert max(steps) - min(steps) < 0.02 * rows[0].lut, "linear, not quadratic"
    least = min(tree.clocks for tree in trees)
    assert next(tree.fanout for tree in trees if tree.clocks == least) == 16
    kept = json.loads((paths.clone() / "lab" / "rlcores_lab" / "measured" / "shapes.json").read_text())["figures"]
    assert [(f["name"], f["value"]) for f in kept] == [(f.name, f.value) for f in shapes.figures()]


def test_pictures_are_drawn_from_kept_results_and_every_line_has_the_one_it_names(tmp_path, capsys):
    assert cli.run(["papers", "--pictures", str(tmp_path)]) == 0
    drawn = {file.name for file in tmp_path.iterdir() if file.stat().st_size > 5000}
    assert len(drawn) == 15 and capsys.readouterr().out.count("written: ") == 15
    named = {line.picture for line in account.every(account.read()) if line.picture}
    docs = paths.clone() / "docs"
    assert drawn < named and all((docs / name).exists() for name in named) and len(named) >= 20
