"""What the priority maths is compared with: batches of weights one answer after the other, and the mathematics."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from rlcores.cores.sumtree.maths import WEIGHT_ONE, weights


def batch_limit(batch: int, batch_max: int, weighted: bool) -> int:
    """Answers in a batch: cfg_batch, 0 counts as 1; with weights at most the buffer's BATCH_MAX."""
    return min(max(batch, 1), batch_max) if weighted else max(batch, 1)


@dataclass(frozen=True)
class Answer:
    """A sampled answer as far as weights need it."""

    status: int
    priority: int
    total: int


def weigh(
    answers: Iterable[Answer | None], batch: int, batch_max: int, beta: int, enable: bool = True
) -> Iterator[tuple[int, bool]]:
    """(weight, last) of each answer, in order. None among them is a restart: it ends the batch there.

    With enable, a batch is complete with its last answer or a restart, and what is left at the end of the answers is
    still inside the unit: it is not given. Without, the weight is 1.0 and a restart only sets the count to 0.
    """
    limit = batch_limit(batch, batch_max, enable)
    waiting: list[Answer] = []
    count = 0
    for answer in answers:
        count = 0 if answer is None else count + 1
        last = count == limit
        if last:
            count = 0
        if not enable:
            if answer is not None:
                yield WEIGHT_ONE, last
            continue
        if answer is not None:
            waiting.append(answer)
        if waiting and (last or answer is None):
            columns = np.array([(a.status, a.priority, a.total) for a in waiting], dtype=np.int64).T
            batch_weights = weights(*columns, beta).tolist()
            yield from ((weight, i == len(batch_weights) - 1) for i, weight in enumerate(batch_weights))
            waiting = []


def priorities_float(delta: np.ndarray, alpha: float, eps: float, scale: float) -> np.ndarray:
    """(|delta| + eps)**alpha * 2**scale in float64, neither rounded nor saturated. delta: float64, any shape."""
    return (np.abs(delta) + eps) ** alpha * 2.0**scale


def weights_float(priority: np.ndarray, total: np.ndarray, beta: float) -> np.ndarray:
    """(P / P_min)**-beta of one batch in float64, P = priority / total; shape [batch]."""
    probability = np.asarray(priority, dtype=np.float64) / np.asarray(total, dtype=np.float64)
    return (probability / probability.min()) ** -beta
