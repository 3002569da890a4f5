"""The page docs/deploy_study.md, from the results that are kept."""

from pathlib import Path

from rlcores_lab import shown
from rlcores_lab.study import deploy_bits, deployed, policies, runs

PAGE = Path("docs") / "deploy_study.md"


def outputs() -> dict[Path, str]:
    """The page, from the root, and its text."""
    equal, played = deployed.kept(), runs.lines(deploy_bits.KEPT, deploy_bits.Run)
    missing = [name for name in policies.LEARNT if name not in {run.policy for run in played}]
    return {
        PAGE: shown.rendered(
            "study/deploy_study.md.j2",
            files=len(equal),
            planned=len(policies.RECIPES),
            wrong=sum(run.wrong for run in equal),
            software=f"{sum(run.c99 for run in equal):,}",
            rtl=f"{sum(run.rtl for run in equal):,}",
            equal=shown.markdown(deployed.table(equal)),
            summary=shown.markdown(deploy_bits.summary(played)),
            bits=shown.markdown(deploy_bits.table(played)),
            missing=", ".join(f"`{name}`" for name in missing),
        )
    }
