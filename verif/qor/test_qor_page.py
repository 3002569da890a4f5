"""The page of `rlcores qor` in a browser: it is whole, its filter works, nothing sticks out, nothing is fetched.

Needs a Chromium (Debian: `apt-get install chromium`); skipped without one.
"""

import html
import http.server
import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from rlcores.eda import configs
from rlcores_lab.qor import jobs, page
from rlcores_lab.qor.baseline import Baseline

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no chromium on PATH")

# Puts each page of the address's list into a frame, looks at it as a reader does, and leaves what it saw as text.
HARNESS = """\
<!doctype html><meta charset="utf-8"><body><pre id="seen"></pre>
<script>
async function look(name) {
  const text = await (await fetch(name)).text();
  const frame = document.createElement("iframe"), seen = {errors: []};
  frame.width = 1200; frame.height = 900;
  document.body.append(frame);
  // Written, not navigated to: so that nothing of the page runs before its errors are listened for.
  const page = frame.contentDocument, view = frame.contentWindow;
  page.open();
  view.onerror = said => { seen.errors.push(said); };
  page.write(text);
  page.close();
  const shown = () => [...page.querySelectorAll("#figures tbody tr")].filter(r => r.getBoundingClientRect().height > 0);
  const pick = (id, set) => {
    set(page.getElementById(id));
    page.getElementById(id).dispatchEvent(new view.Event("change"));
  };
  try {
    seen.title = page.title;
    seen.heads = [...page.querySelectorAll("#figures thead th")].map(h => h.textContent);
    seen.rows = shown().map(r => [...r.cells].map(c => c.innerText.replace(/\\s+/g, " ")));
    seen.columns = [...new Set(shown().map(r => [...r.cells].reduce((n, c) => n + c.colSpan, 0)))];
    seen.count = page.getElementById("shown").textContent;
    pick("core", e => e.value = "sumtree");
    seen.sumtree = shown().map(r => r.cells[0].textContent);
    pick("core", e => e.value = "");
    pick("changed", e => e.checked = true);
    seen.changed = shown().map(r => r.cells[0].textContent);
    pick("changed", e => e.checked = false);
    seen.again = shown().length;
    seen.plots = [...page.querySelectorAll(".plot svg")].map(s => {
      const box = s.getBoundingClientRect();
      return [box.width, box.height, s.querySelectorAll("path").length, box.right <= view.innerWidth];
    });
    seen.words = [...page.querySelectorAll(".plot svg text")].map(t => t.textContent);
    seen.red = [...page.querySelectorAll("#figures .fail, #verdict .fail")].map(e => view.getComputedStyle(e).color);
    seen.overflow = page.documentElement.scrollWidth - view.innerWidth;
  } catch (error) { seen.errors.push(String(error)); }
  frame.remove();
  return seen;
}
(async () => {
  const seen = {};
  for (const name of location.search.slice(1).split(",")) seen[name] = await look(name);
  document.getElementById("seen").textContent = JSON.stringify(seen);
})();
</script>
"""
# Faults put into the page, each of which has to show in what is seen of it.
BROKEN = {
    "throws.html": ("filter();\n</script>", "filter();\n  nonsense();\n</script>"),
    "syntax.html": ("const rows =", "const const rows ="),
    "row.html": ('<tr data-core="learner"', '<tr style="display: none" data-core="learner"'),
    "plot.html": ("<svg", '<svg style="display: none"'),
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of six configurations: two changed, one of them for the worse, and one that failed; and it with faults."""
    folder = tmp_path_factory.mktemp("qor")

    def result(core: str, config: str, lut: float, **more: float) -> jobs.Result:
        job = jobs.Job(core, configs.core(core).vlnv, config, configs.load(core, config))
        figures = {"lut": lut, "ff": 2 * lut, "dsp": 16.0, "bram36": 4.0, "uram": 0.0, **more}
        return jobs.Result(job, figures, {"array": dict.fromkeys(("lut", "ff", "dsp", "bram36", "uram"), 3.0)})

    before = [
        result(*arguments)
        for arguments in (("gae", "tiny", 900.0), ("gae", "wide", 1000.0), ("sumtree", "tiny", 400.0))
    ]
    before += [result("learner", "u200", 168000.0, clocks=772.0), result("sumtree", "small", 3000.0)]
    now = [result("gae", "tiny", 990.0), result("gae", "wide", 1000.0), result("sumtree", "tiny", 300.0), *before[3:]]
    placed = jobs.Job("gae", configs.core("gae").vlnv, "ecp5_8", configs.load("gae", "ecp5_8"))
    baseline = Baseline(folder / "baseline.json")
    baseline.accept(baseline.compare(before))
    now.append(jobs.Result(placed, error="yosys failed while synthesising: <something>"))
    page.write(folder / "qor.html", now, baseline.compare(now), baseline, 3.0)
    text = (folder / "qor.html").read_text()
    for name, (right, wrong) in BROKEN.items():
        assert right in text
        (folder / name).write_text(text.replace(right, wrong, 1))
    (folder / "look.html").write_text(HARNESS)
    return folder


@pytest.fixture(scope="module")
def served(written: Path) -> Iterator[tuple[str, list[str]]]:
    """The folder over HTTP on the loopback, and the paths that were asked for."""
    asked: list[str] = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments, **named):
            super().__init__(*arguments, directory=str(written), **named)

        def log_message(self, form: str, *arguments: object) -> None:
            asked.append(self.path)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    thread.join()


def browse(url: str, folder: Path, *options: str) -> subprocess.CompletedProcess:
    """Load a page, with no other way out than the loopback, and return what the browser prints."""
    command = [
        BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--disable-background-networking", "--proxy-server=127.0.0.1:9", "--proxy-bypass-list=127.0.0.1",
        f"--user-data-dir={folder / 'profile'}", "--window-size=1280,1000", "--virtual-time-budget=10000",
        *options, url,
    ]  # fmt: skip
    return subprocess.run(command, capture_output=True, text=True, timeout=180)


@pytest.fixture(scope="module")
def every(served: tuple[str, list[str]], written: Path) -> dict[str, dict]:
    """What the browser saw of the page and of the broken ones, by name."""
    names = ",".join(("qor.html", *BROKEN))
    done = browse(f"{served[0]}/look.html?{names}", written, "--dump-dom")
    shown = re.search(r'<pre id="seen">(.+?)</pre>', done.stdout, re.DOTALL)
    assert shown, done.stdout[-2000:] + done.stderr[-2000:]
    return json.loads(html.unescape(shown[1]))


@pytest.fixture(scope="module")
def seen(every: dict[str, dict]) -> dict:
    """What the browser saw of the page."""
    return every["qor.html"]


def test_every_configuration_has_its_row_and_every_row_its_columns(seen: dict) -> None:
    assert seen["errors"] == []
    assert seen["title"] == "rlcores quality of results"
    names = ["gae.tiny", "gae.wide", "sumtree.tiny", "learner.u200", "sumtree.small", "gae.ecp5_8"]
    assert [row[0] for row in seen["rows"]] == names and seen["again"] == 6 and seen["count"] == "6 of 6"
    assert seen["heads"] == ["configuration", "lut", "ff", "dsp", "bram36", "uram", "clocks", "of u200", "of zcu106"]
    assert seen["columns"] == [len(seen["heads"])]


def test_cells_hold_the_figures_their_change_and_the_share_of_the_boards(seen: dict) -> None:
    figures = ["990 +10.0 %", "1,980 +10.0 %", "16", "4", "0", "", "0.2 % DSP", "1.3 % BRAM36"]
    assert seen["rows"][0] == ["gae.tiny", *figures]
    assert seen["rows"][2][1] == "300 -25.0 %" and seen["rows"][3][6] == "772"
    assert seen["rows"][5][1:] == ["yosys failed while synthesising: <something>"]


def test_the_filter_shows_one_core_or_what_changed(seen: dict) -> None:
    assert seen["sumtree"] == ["sumtree.tiny", "sumtree.small"]
    assert seen["changed"] == ["gae.tiny", "sumtree.tiny", "gae.ecp5_8"]


def test_the_plots_are_drawn_within_the_page(seen: dict) -> None:
    assert len(seen["plots"]) == 3
    for width, height, paths, inside in seen["plots"]:
        assert width > 300 and height > 100 and paths > 5 and inside
    assert {"gae.tiny lut", "sumtree.tiny lut", "today", "% of the baseline"} <= set(seen["words"])
    assert seen["overflow"] <= 0


def test_what_is_worse_is_red(seen: dict) -> None:
    # The verdict, gae.tiny's LUT and FF, and the row that failed.
    assert len(seen["red"]) == 4 and set(seen["red"]) == {"rgb(166, 23, 23)"}


def test_a_page_with_a_fault_is_not_seen_as_whole(every: dict[str, dict]) -> None:
    (said,) = every["throws.html"]["errors"]
    assert "nonsense is not defined" in said
    assert any("SyntaxError" in said for said in every["syntax.html"]["errors"]) and every["syntax.html"]["count"] == ""
    assert len(every["row.html"]["rows"]) == 5
    assert every["plot.html"]["plots"][0][:2] == [0, 0]


def test_the_page_fetches_nothing(seen: dict, served: tuple[str, list[str]]) -> None:
    assert seen["rows"]
    asked = {path.partition("?")[0] for path in served[1]} - {"/favicon.ico"}
    assert asked == {"/look.html", "/qor.html", *(f"/{name}" for name in BROKEN)}
