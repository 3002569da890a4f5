"""Work spread over processes of this machine, or over a Ray cluster; the caller sees a list of results."""

import multiprocessing
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import TypeVar

from rlcores.errors import RunFailed

Work = TypeVar("Work")
Result = TypeVar("Result")


def spread(
    function: Callable[[Work], Result],
    work: Iterable[Work],
    jobs: int | None = None,
    ray: str | None = None,
    done: Callable[[Result], object] = lambda result: None,
) -> list[Result]:
    """function of every item of work, in order; `done` is called with each result.

    jobs: processes (default: all cores); 1 stays in this one. ray: the address of a cluster instead. Raises UserError
    when Ray is not installed or not there, and whatever the function raises.
    """
    work = list(work)
    if ray is not None:
        return _on_ray(function, work, ray)
    jobs = min(jobs or os.cpu_count() or 1, len(work))
    if jobs <= 1:
        results = []
        for item in work:
            results.append(function(item))
            done(results[-1])
        return results
    # A fresh interpreter a process: a fork of one that has threads may hang.
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        futures = [pool.submit(function, item) for item in work]
        for future in as_completed(futures):
            done(future.result())
        return [future.result() for future in futures]


def _on_ray(function: Callable[[Work], Result], work: list[Work], address: str) -> list[Result]:
    from rlcores.train.pool import connect

    ray = connect(address)
    try:
        remote = ray.remote(num_cpus=1)(function)
        return ray.get([remote.remote(item) for item in work])
    except ray.exceptions.RayTaskError as error:
        raise error.as_instanceof_cause() from error
    except ray.exceptions.RayError as error:
        raise RunFailed(f"the Ray cluster at '{address}' failed: {' '.join(str(error).split())}") from error
    finally:
        ray.shutdown()
