"""`rlcores regress`: what ran, what was covered, and how to repeat a failure, on one page."""

from pathlib import Path

import pytest

from rlcores.eda import configs, sim
from rlcores_lab import regress, status, structural, work


@pytest.fixture
def adder_core(adder, tmp_path, monkeypatch) -> configs.Core:
    """The tiny core, found as the regression finds cores; builds go to a folder of their own."""
    monkeypatch.setenv("FUSESOC_CORES", str(adder))
    monkeypatch.setattr("rlcores.base.paths.build", lambda: tmp_path / "build")
    return configs.Core("adder", "user:lib:adder", adder / "adder.core", "", ("sim", "sim_icarus"))


def test_the_report_shows_passes_failures_coverage_and_the_command_to_repeat(adder, adder_core, tmp_path) -> None:
    jobs = regress.plan([adder_core], ["verilator"], range(5, 7), None)
    assert [(j.config, j.seed) for j in jobs] == [("default", 5), ("default", 6)]
    good = work.spread(regress.run_job, jobs, 2)
    assert all(result.passed for _, result in good)
    test = adder / "tests" / "cocotb_adder.py"
    test.write_text((adder / "tests" / "cocotb_wrong.py").read_text())
    bad = work.spread(regress.run_job, jobs[:1], 1)
    regress.write_html(tmp_path / "report.html", good + bad)
    page = (tmp_path / "report.html").read_text()
    assert "1 of 3 runs failed" in page
    assert bad[0][1].repeat in page and "COCOTB_RANDOM_SEED=5 " in bad[0][1].repeat
    assert page.count('<td class="pass">') == 2
    assert "3 bins" in page
    assert "http" not in page  # self-contained


def test_a_bin_that_no_run_hit_is_a_hole() -> None:
    def result(coverage):
        folder = Path(".")
        return sim.SimResult("v", "sim", {}, 1, True, [], "", "", folder, folder, coverage)

    job = regress.Job("gae", "v", "tiny", {}, "verilator", 1)
    merged = regress.coverage([(job, result({"a": 1, "b": 0, "c": 0})), (job, result({"b": 2, "d": 1}))])[0]
    assert merged.bins == {"a": 1, "b": 2, "c": 0, "d": 1}
    assert merged.holes == ["c"] and merged.percent == 75


@pytest.mark.parametrize(("name", "large"), [("gae", "zcu106_max"), ("sumtree", "u200")])
def test_every_simulated_configuration_meets_every_simulator_and_seed(name: str, large: str) -> None:
    jobs = regress.plan([configs.core(name)], ["verilator", "icarus"], range(3), None)
    names = [c.name for c in configs.simulated(name)]
    assert "tiny" in names and large not in names
    assert {(j.config, j.simulator, j.seed) for j in jobs} == {
        (n, s, seed) for n in names for s in sim.TARGETS for seed in range(3)
    }
    assert len(jobs) == len(names) * 2 * 3
    assert jobs[0].parameters == configs.load(name, names[0])


def _counted(file: Path, *points: tuple[str, str, str, int, str, int]) -> Path:
    """A file as Verilator writes it, of (path, page, module, line, what, hits)."""
    lines = ["# SystemC::Coverage-3"]
    for path, kind, module, line, what, hits in points:
        fields = {"f": path, "l": line, "n": 5, "t": "line", "page": f"{kind}/{module}", "o": what, "h": f"top.{line}"}
        lines.append("C '" + "".join(f"\x01{name}\x02{value}" for name, value in fields.items()) + f"' {hits}")
    file.write_text("\n".join(lines) + "\n")
    return file


def test_structure_counts_a_point_once_whatever_the_parameters_and_leaves_out_the_rules(tmp_path) -> None:
    gae = "/x/rtl/gae/rlc_gae_row.sv"
    one = _counted(
        tmp_path / "one.dat",
        (gae, "v_line", "rlc_gae_row__A1", 3, "block", 7),
        (gae, "v_branch", "rlc_gae_row__A1", 4, "if", 0),
        (gae, "v_branch", "rlc_gae_row__A1", 4, "else", 2),
        (gae, "v_toggle", "rlc_gae_row__A1", 1, "x[0]:0->1", 1),
        ("/x/rtl/common/rlc_axis_rules.sv", "v_line", "rlc_axis_rules", 9, "block", 0),
        ("/x/rtl/common/rlc_assert_never.v", "v_line", "rlc_assert_never", 9, "block", 0),
        ("/x/verif/gae/bench.sv", "v_line", "bench", 9, "block", 0),
    )
    two = _counted(
        tmp_path / "two.dat",
        (gae, "v_branch", "rlc_gae_row__A2", 4, "if", 1),
        (gae, "v_toggle", "rlc_gae_row__A2", 1, "x[1]:0->1", 0),
    )
    (alone,) = structural.merged([structural.read(one)])
    assert alone.counts == {"line": (1, 1), "branch": (1, 2), "toggle": (1, 1)}
    assert alone.holes == [("rlc_gae_row", 4, "branch if")]
    (both,) = structural.merged([structural.read(one), structural.read(two)])
    assert both.counts == {"line": (1, 1), "branch": (2, 2), "toggle": (1, 2)} and not both.holes
    assert both.folder == "gae" and both.percent("toggle") == 50


def test_only_verilators_runs_count_structure() -> None:
    jobs = regress.plan([configs.core("gae")], ["verilator", "icarus"], range(1), "tiny", structural=True)
    assert [(job.simulator, job.structural) for job in jobs] == [("verilator", True), ("icarus", False)]


def test_a_waiver_takes_toggles_that_nobody_reached_and_nothing_else(tmp_path) -> None:
    gae = "/x/rtl/gae/rlc_gae_row.sv"
    points = [
        (gae, "v_toggle", "rlc_gae_row", 1, "count_of[0][3]:0->1", 0),
        (gae, "v_toggle", "rlc_gae_row", 1, "count_of[1][3]:0->1", 0),
        (gae, "v_toggle", "rlc_gae_row", 1, "count_of[1][3]:1->0", 2),
        (gae, "v_toggle", "rlc_gae_row", 1, "count_offset[3]:1->0", 0),
        (gae, "v_toggle", "rlc_gae_row", 1, "count:1->0", 0),
        (gae, "v_branch", "rlc_gae_row", 1, "if", 0),
        (gae.replace("_row", "_array"), "v_toggle", "rlc_gae_array", 1, "count_of[1][3]:0->1", 0),
    ]
    run = structural.read(_counted(tmp_path / "one.dat", *points))

    def waived(*signals: str, first: int = 0, folder: str = "gae") -> tuple[dict, int]:
        (merged,) = structural.merged([run], [structural.Waiver(folder, "rlc_gae_row", signals, "because", first)])
        return merged.counts, sum(merged.waived.values())

    assert waived("other") == ({"line": (0, 0), "branch": (0, 1), "toggle": (1, 6)}, 0)
    assert waived("count", folder="mlp") == waived("other")
    assert waived("count_of", first=1) == ({"line": (0, 0), "branch": (0, 1), "toggle": (1, 5)}, 1)
    assert waived("count", "count_of") == ({"line": (0, 0), "branch": (0, 1), "toggle": (1, 3)}, 3)


def test_waived_folders_have_kept_runs_that_used_them() -> None:
    figures = {figure["name"]: figure["value"] for run in status.kept() for figure in run["figures"]}
    assert all(figures.get(f"{one.folder}.waived_toggles") for one in structural.waivers())
