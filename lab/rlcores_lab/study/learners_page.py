"""The page of the studies of learners in parallel: DQN and DDPG, SPO-DQN and SPO-TD3, an outer momentum."""

from pathlib import Path

from rlcores_lab import shown
from rlcores_lab.study import learners, spo

PAGE = Path("docs") / "learners_study.md"


def outputs() -> dict[Path, str]:
    """The page, from the root, and its text."""
    runs, of_spo = learners.kept(), spo.kept()
    plain = spo.plain(of_spo)
    return {
        PAGE: shown.rendered(
            "study/learners.md.j2",
            count=len(runs),
            planned=len(learners.plan()),
            table=shown.markdown(learners.table(runs)),
            reading=learners.reading(runs),
            reading_scaled=learners.reading(runs, scaled=True),
            seconds=f"{sum(run.seconds for run in runs) / max(len(runs), 1):.0f}",
            steps=", ".join(f"{steps:,} on {name}" for name, (_, steps) in learners.ENVIRONMENTS.items()),
            spo_count=len(of_spo),
            spo_planned=len(spo.plan()),
            spo_table=shown.markdown(learners.table(plain)),
            spo_reading=learners.reading(plain),
            spo_steps=", ".join(f"{task.steps:,} on {task.environment}" for task in spo.TASKS.values()),
            momentum=shown.markdown(spo.momentum_table(of_spo)),
            momentum_reading=spo.momentum_reading(of_spo),
        )
    }
