"""Progress of a run: a progress bar, and TensorBoard's files where TensorBoard is installed."""

import time
from collections import deque
from functools import cached_property
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from rlcores.train.actor import Rollout
from rlcores.train.folder import Folder
from rlcores.train.loop import Callback, Run

_WINDOW = 10.0  # seconds over which rates are taken


class Live(Callback):
    """A bar with the return, gradient steps per second, and how full the replay is."""

    def __init__(self, run: Run, console: Console, folder: Folder) -> None:
        """Use as a context manager around the run."""
        columns = (
            TextColumn("{task.description}"),
            BarColumn(bar_width=10),
            TaskProgressColumn(),
            TextColumn("{task.fields[figures]}"),
            TimeElapsedColumn(),
        )
        self._console, self._start = console, run.state.step
        self._progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._plan = plan = run.plan
        self._bar = self._progress.add_task(
            f"{plan.algo} {plan.environment}", total=plan.steps, completed=run.state.step, figures=""
        )
        self._marks = deque([(time.perf_counter(), run.state.step, run.trainer.updates)])
        self._folder = folder

    def __enter__(self) -> "Live":
        self._progress.start()
        if not self._console.is_terminal:  # the first evaluation may take a while
            plan = self._plan
            self._say(
                f"{plan.algo} on {plan.environment}, from step {self._start:,} to {plan.steps:,}: {self._folder.path}"
            )
        return self

    def __exit__(self, *_) -> None:
        self._progress.stop()
        if self.__dict__.get("_writer") is not None:
            self._writer.close()

    @cached_property
    def _writer(self) -> Any:
        """Made by the first figure, so that a run that ends before it leaves no folder; None without TensorBoard."""
        return tensorboard(self._folder)

    def progress(self, run: Run, seen: Rollout) -> None:
        now = time.perf_counter()
        self._marks.append((now, run.state.step, run.trainer.updates))
        while len(self._marks) > 2 and now - self._marks[0][0] > _WINDOW:
            self._marks.popleft()
        _, updates = self._rates()
        recent = run.state.recent
        parts = [
            f"return {sum(recent) / len(recent):.1f}" if recent else "return -",
            f"best {run.state.best:.1f}",
            f"{updates:,.0f} gradient steps/s",
            *(f"{name} {share:.0%}" for name, share in run.trainer.live().items()),
        ]
        self._progress.update(self._bar, completed=run.state.step, figures=" · ".join(parts))

    def evaluated(self, run: Run, row: list[Any]) -> None:
        if not self._console.is_terminal:  # where there is no bar
            self._say(self._line(run, row))
        if self._writer is None:
            return
        steps, updates = self._rates()
        _, _, episodes, recent, eval_10, eval_50, _ = row
        figures = {"return/training": recent, "return/eval_10": eval_10, "return/eval_50": eval_50}
        figures |= {"episodes": episodes, "rate/gradient_steps": updates, "rate/steps": steps}
        figures |= run.trainer.live()
        for name, value in figures.items():
            if value is not None:
                self._writer.add_scalar(name, float(value), row[0])

    def _say(self, line: str) -> None:
        self._console.print(line, highlight=False, soft_wrap=True)

    def _line(self, run: Run, row: list[Any]) -> str:
        step, updates, episodes, recent, eval_10, eval_50, _ = row
        values = {"return of the last episodes": recent}
        values |= {"evaluation of 10 episodes": eval_10, "evaluation of 50 episodes": eval_50}
        figures = [f"{name} {value:.1f}" for name, value in values.items() if value is not None]
        counts = f"step {step:,} of {run.plan.steps:,}: {updates:,} gradient steps, {episodes:,} episodes"
        return ", ".join([counts, *figures, f"best {run.state.best:.1f}"])

    def _rates(self) -> tuple[float, float]:
        (t0, *first), (t1, *last) = self._marks[0], self._marks[-1]
        return tuple((b - a) / (t1 - t0) if t1 > t0 else 0.0 for a, b in zip(first, last, strict=True))


def tensorboard(folder: Folder) -> Any:
    """A writer of TensorBoard's files into the run's folder; None where TensorBoard is not installed."""
    try:
        from tensorboard.summary import Writer
    except ImportError:
        return None
    return Writer(str(folder.path / "tensorboard"))
