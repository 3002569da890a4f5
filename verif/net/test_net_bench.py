"""`rlcores bench net` in small: every figure that tables are made of, from work that was done."""

import pytest

from rlcores_lab.bench import net


@pytest.mark.slow
def test_the_bench_names_what_batches_save_beside_the_paper(monkeypatch) -> None:
    for name, small in {"RECORDS": {48: "48b", 3072: "3kb"}, "ACTORS": (1, 2), "SECONDS": 0.05, "SAMPLES": 20}.items():
        monkeypatch.setattr(net, name, small)
    monkeypatch.setattr(net, "MEMORY", 1 << 22)
    monkeypatch.setattr(net.net_peers, "PEERS", {})
    found = {figure.name: figure.value for figure in net.run(1, lambda _: None).figures}
    assert len(found) == 2 * (3 * (2 + 2 * 4) + 2)
    for name in ("net", "net.mtu1500", "net.plain", "net.3kb", "net.plain.3kb"):
        assert found[f"{name}.records_per_second"] > 100 and found[f"{name}.sample256_p50_us"] > 1
    for called in ("push", "sample256"):
        ours, plain = (found[f"{name}.{called}_p50_us"] for name in ("net.mtu1500", "net.plain"))
        assert found[f"net.{called}_change_percent"] == pytest.approx(100 * (ours / plain - 1), abs=0.2)
