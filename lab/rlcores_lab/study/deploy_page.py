"""The page docs/deploy_study.md, from the results that are kept."""

from pathlib import Path

from rlcores_lab import shown
from rlcores_lab.study import deploy_bits, deploy_latency, deploy_peers, deploy_placed, deployed, policies, runs

PAGE = Path("docs") / "deploy_study.md"


def outputs() -> dict[Path, str]:
    """The page, from the root, and its text."""
    equal = deployed.kept()
    old = deployed.older(equal)
    played = runs.lines(deploy_bits.KEPT, deploy_bits.Run)
    latency, placed, peers = deploy_latency.kept(), deploy_placed.kept(), deploy_peers.kept()
    da4ml = peers.predicted if peers else {}
    missing = [name for name in policies.LEARNT if name not in {run.policy for run in played}]
    return {
        PAGE: shown.rendered(
            "study/deploy_study.md.j2",
            files=len(equal),
            older=len(old),
            planned=len(policies.RECIPES),
            wrong=sum(run.wrong for run in equal),
            software=f"{sum(run.c99 for run in equal):,}",
            rtl=f"{sum(run.rtl for run in equal):,}",
            equal=shown.markdown(deployed.table(equal, old)),
            summary=shown.markdown(deploy_bits.summary(played)),
            bits=shown.markdown(deploy_bits.table(played)),
            latency=shown.markdown(deploy_latency.table(latency)) if latency else "",
            placed=shown.markdown(deploy_placed.table(placed)) if placed else "",
            reads=shown.markdown(deploy_peers.reads_table(peers)) if peers else "",
            areas=shown.markdown(deploy_peers.areas_table(peers)) if peers and peers.areas else "",
            jets=shown.markdown(deploy_peers.jets_table(peers)) if peers else "",
            ours=bool(peers and peers.jets),
            versions=deploy_peers.asked_of(peers) if peers else "",
            network=deploy_peers.NETWORK,
            da4ml_wrong=da4ml.get("wrong", ""),
            da4ml_observations=da4ml.get("observations", ""),
            missing=", ".join(f"`{name}`" for name in missing),
        )
    }
