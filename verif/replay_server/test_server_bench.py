"""`rlcores bench net` in small: every figure that tables are made of, from work that was done."""

import itertools
import os
from pathlib import Path

import namespaces
import numpy as np
import pytest
from typer.testing import CliRunner

from rlcores.cli import application
from rlcores_lab.bench import net, net_apart, wire
from rlcores_lab.bench.apart.net_work import Measured, Work

SMALL = Work(actors=(1, 2), seconds=0.05, samples=20, memory=1 << 22)


@pytest.mark.slow
def test_the_bench_names_what_batches_save_beside_the_paper() -> None:
    figures = {figure.name: figure.value for figure in net.run(1, lambda _: None, (), (48, 3072), SMALL).figures}
    assert len(figures) == 2 * (3 * (2 + 2 * 4) + 2)
    for name in ("net", "net.mtu1500", "net.plain", "net.3kb", "net.plain.3kb"):
        assert figures[f"{name}.records_per_second"] > 100 and figures[f"{name}.sample256_p50_us"] > 1
    for called in ("push", "sample256"):
        ours, plain = (figures[f"{name}.{called}_p50_us"] for name in ("net.mtu1500", "net.plain"))
        assert figures[f"net.{called}_change_percent"] == pytest.approx(100 * (ours / plain - 1), abs=0.2)


def reverb_is_there() -> bool:
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return (home / "rlcores" / net_apart.FOLDER / "whole").exists()


@pytest.mark.slow
@pytest.mark.skipif(not reverb_is_there(), reason="dm-reverb's environment is not there; `rlcores bench net` makes it")
def test_reverb_does_the_same_work_and_the_ratio_is_of_one_run() -> None:
    figures = {figure.name: figure.value for figure in net.run(1, lambda _: None, ("reverb",), (48,), SMALL).figures}
    assert figures["peer.reverb.records_per_second"] > 10
    ours, other = (figures[f"{name}.sample256_p50_us"] for name in ("net.mtu1500", "peer.reverb"))
    assert figures["peer.reverb.sample256_ratio"] == pytest.approx(other / ours, rel=0.02)


def test_a_peer_that_cannot_be_had_says_why_and_ends_nothing(monkeypatch) -> None:
    def environment() -> Path:
        raise net_apart.NotThere("it needs Python 3.9 to 3.11, or uv, which brings one")

    monkeypatch.setattr(net_apart, "environment", environment)
    times = (0.001, 0.002)
    ours = Measured({1: 100.0, 2: 150.0}, times, {64: times, 256: times, 512: times})
    monkeypatch.setattr(net, "measure", lambda *_: ours)
    outcome = net.run(1, lambda _: None, ("reverb",), (48,), SMALL)
    assert outcome.shown[-1] == "Not timed: reverb, it needs Python 3.9 to 3.11, or uv, which brings one."
    assert not [figure for figure in outcome.figures if "reverb" in figure.name]


def test_ratios_say_how_often_ours_is_as_fast() -> None:
    def measured(records: float, push: float, batch: float) -> dict[int, Measured]:
        return {48: Measured({1: records}, (push, push), dict.fromkeys((64, 256, 512), (batch, batch)))}

    both = {name: measured(2000.0, 1e-5, 2e-5) for name in net.SERVERS} | {"peer.reverb": measured(100.0, 1e-3, 4e-3)}
    got = {figure.name: figure.value for figure in net.figures(both) if "ratio" in figure.name}
    assert got["peer.reverb.records_per_second_ratio"] == 20 and got["peer.reverb.push_ratio"] == 100
    assert np.allclose([got[f"peer.reverb.sample{n}_ratio"] for n in (64, 256, 512)], 200)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["net", "--peers", "torchrl"], "--peers is 'torchrl'; it must be of grpc, redis, reverb"),
        (["net", "--record-bytes", "48,49"], "--record-bytes is '48,49'; it must be of 48, 112, 3072, 28672"),
        (["native", "--peers", "redis"], "--peers and --record-bytes are of bench net"),
    ],
)
def test_a_wrong_choice_is_one_sentence(words: list[str], sentence: str) -> None:
    done = CliRunner().invoke(application(), ["bench", *words])
    assert done.exit_code != 0 and sentence in str(done.exception or "") + done.output


@pytest.mark.slow
def test_the_wire_is_timed_with_and_without_the_kernels_sockets() -> None:
    with namespaces.pair():  # or this is skipped
        pass
    work = wire.Work(actors=(1, 2), seconds=0.2, turns=1, delays=(0.0, 0.02), capacity=1 << 12)
    figures = {
        figure.name: figure.value for figure in wire.run(1, lambda _: None, (wire.KERNEL, wire.XDP), work).figures
    }
    assert len(figures) == 2 * 2 * 4 + 2 * 2 + 2 * 2
    for actors, what in itertools.product((1, 2), wire.PAPER):
        before, after = (figures[f"wire.{server}.{actors}.{what}_p50_us"] for server in (wire.KERNEL, wire.XDP))
        assert figures[f"wire.change.{actors}.{what}_percent"] == pytest.approx(100 * (after / before - 1), abs=0.2)
    # A request and its answer each go the distance once.
    assert all(figures[f"wire.far.20ms.{what}_p50_us"] > 40_000 for what in wire.PAPER)


def test_a_better_turn_counts_and_changes_are_of_the_same_actors() -> None:
    one = {"push": (2.0, 9.0), "sample": (4.0, 5.0)}
    other = {"push": (1.0, 30.0), "sample": (6.0, 7.0)}
    assert wire._better(one, other) == {"push": (1.0, 30.0), "sample": (4.0, 5.0)}
    timed = {(wire.KERNEL, 1): one, (wire.XDP, 1): other, (wire.XDP, 2): other}
    assert list(wire.changes(timed)) == [(1, "push", -50.0), (1, "sample", 50.0)]
