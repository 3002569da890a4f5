"""What learners in rounds make together, whoever carries it from one to the other: one process, or one for each.

A learner's work is a generator. Where it needs what all learners make of something, it yields its Share of that, and
gets what all made. So who carries shares knows no algorithm, and an algorithm does not know who carries.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from rlcores.cores.learners.average import log_weights, mean, weights_of

MEAN, LARGEST = "mean", "largest"
_MAKE: dict[str, Callable[[np.ndarray], np.ndarray]] = {MEAN: mean, LARGEST: lambda numbers: numbers.max(axis=0)}

Result = TypeVar("Result")
Made = dict[str, np.ndarray]


@dataclass(frozen=True)
class Share:
    """Numbers by name, int64 arrays of any shape. kind: what is made of those of all learners, MEAN or LARGEST."""

    kind: str
    arrays: Made


Work = Generator[Share, Made, Result]


def made(shares: Sequence[Share]) -> Made:
    """What learners make of their shares; each has the same kind and names.

    >>> shares = [Share(MEAN, {"weights": np.array(x)}) for x in ([1, 4], [2, 4])]
    >>> made(shares)["weights"].tolist()
    [2, 4]
    """
    make = _MAKE[shares[0].kind]
    return {name: make(np.stack([one.arrays[name] for one in shares])) for name in shares[0].arrays}


def together(works: Sequence[Work[Result]], make: Callable[[Sequence[Share]], Made] = made) -> list[Result]:
    """Carry out the works of all learners in this process; what each returns. They yield equally often."""
    results: list[Result] = []
    answer: Made | None = None
    while not results:
        shares = []
        for work in works:
            try:
                shares.append(work.send(answer) if answer is not None else next(work))
            except StopIteration as end:
                results.append(end.value)
        if shares:
            answer = make(shares)
    return results


def over_all_banks(answers: np.ndarray, beta: int, unit: int = 0) -> Work[np.ndarray]:
    """Importance weights of a learner's batch as part of one over all banks; see average.importance."""
    logs = log_weights(answers, beta, unit)
    largest = yield Share(LARGEST, {"log": logs.max(initial=np.iinfo(np.int64).min)})
    return weights_of(logs, int(largest["log"]))
