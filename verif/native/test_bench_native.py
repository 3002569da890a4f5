"""`rlcores bench native`: the figures that scripts rely on, and one sentence for what is wrong."""

import json
from functools import partial
from xml.etree import ElementTree

import pytest

from rlcores import cli
from rlcores_lab.bench import native, native_picture, native_training


def test_the_json_has_the_names_of_the_engine_and_of_the_peers(capsys, monkeypatch, tmp_path):
    small = {"seconds": 0.01, "slots": 4096}
    parts = {
        "sumtree": partial(native.sumtree, **small),
        "replay": partial(native.replay, **small, frames=300),
        "gae": partial(native_training.gae, seconds=0.01, shape=(40, 8)),
        "dqn": partial(native_training.dqn, seconds=0.01, networks={"dqn": ((4, 8, 2), 16)}),
    }
    parts |= {name: partial(getattr(native, name), **small) for name in ("hindsight", "slices")}
    parts["train"] = partial(native.train, steps=1100)
    parts["threads"] = partial(native.threads, seconds=0.05)
    monkeypatch.setattr(native, "PARTS", parts)
    picture = tmp_path / "native.svg"
    assert cli.run(["bench", "native", "--json", "-", "--output", str(picture)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["command"], document["core"]) == ("bench", "native")
    figures = {f["name"]: f for f in document["figures"]}
    both = [f"{who}.{what}_ns" for who in ("native", "native.batch64", "native.model") for what in ("sample", "update")]
    both += ["native.inserts_1", "native.inserts_2", "native.inserts_ratio"]
    both += ["native.replay_ns", "native.frames_ns", "native.frames_bytes"]
    both += ["native.hindsight_ns", "native.slices_ns"]
    both += ["native.frames_of_gather", "native.frames_of_copy"]
    both += ["native.gae_ns", "native.8bit.gae_ns", "native.float32.gae_ns", "peer.numpy.gae_ns"]
    both += ["native.train_steps"]
    both += ["native.dqn_step_us", "native.model.dqn_step_us", "peer.numpy.dqn_step_us"]
    assert set(figures) >= set(both)
    assert all(figures[name]["value"] > 0 and figures[name]["how"] == "measured" for name in both)
    assert "numpy" in {f["name"].split(".")[1] for f in document["figures"] if f["unit"] == "version"}
    drawn = ElementTree.fromstring(picture.read_text())
    assert "numpy" in [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert cli.run(["bench", "gae", "--output", "x.svg"]) == 2
    assert capsys.readouterr().err == "rlcores: --output is of bench native\n"


def test_no_line_of_the_picture_crosses_a_title():
    kinds = [(f"native.{name}", 1.0) for name, _, _ in native_picture.KINDS]
    peers = [(f"peer.{who}.{name}", n) for name, _ in kinds[:3] for who, n in (("a", 0.5), ("b", 400.0))]
    named = [(name.replace("native.", ""), value) for name, value in peers]
    drawn = ElementTree.fromstring(native_picture.svg([{"name": n, "value": v} for n, v in kinds + named]))
    svg = "{http://www.w3.org/2000/svg}"
    titles = [float(text.get("y", 0)) for text in drawn.iter(f"{svg}text") if text.get("class") == "title"]
    lines = [(float(line.get("y1", 0)), float(line.get("y2", 0))) for line in drawn.iter(f"{svg}line")]
    assert len(titles) == 4 and lines
    assert not [(y, line) for y in titles for line in lines if line[0] < y + 3 and line[1] > y - 11]


def test_it_has_no_configurations(capsys):
    assert cli.run(["bench", "native", "--config", "tiny"]) == 2
    assert capsys.readouterr().err == "rlcores: bench native has no configurations\n"


@pytest.mark.parametrize("name", sorted(native.PARTS))
def test_every_part_says_what_it_measures(name):
    assert native.PARTS[name].__doc__
