"""dm-reverb under the work of `rlcores bench net`, in the Python that has it.

    python -c "import net_reverb; net_reverb.main()"

Standard input has {"work": …, "sizes": […]} as JSON; each line of standard output has a size and what was found.
"""

import json
import multiprocessing
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from types import SimpleNamespace
from typing import Any

import net_work
import numpy as np
import reverb
import tensorflow

TABLE, ALPHA, BETA = "replay", 0.6, 0.4
_PENDING = 64  # items that may wait for their acknowledgement: reverb asks for a limit


class Client:
    """A trajectory of one step is a record. Batches come from reverb's pipeline of TensorFlow, which draws ahead."""

    def __init__(self, address: str, number: int) -> None:
        self._address, _, size = address.rpartition(":")
        self._shape = tensorflow.TensorShape((int(size),))
        self._writer = reverb.Client(self._address).trajectory_writer(num_keep_alive_refs=1)
        self._batches: dict[int, Iterator] = {}

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self._batches.clear()
        self._writer.close()

    def put(self, rows: np.ndarray, td_errors: np.ndarray) -> None:
        """Records with their priorities."""
        for number, (row, priority) in enumerate(zip(rows, td_errors.tolist(), strict=True)):
            self._writer.append(row)
            self._writer.create_item(TABLE, priority, self._writer.history[-1])
            if number % _PENDING == _PENDING - 1:
                self._writer.flush(block_until_num_items=_PENDING)

    def flush(self) -> None:
        """Until all of them were acknowledged."""
        self._writer.end_episode()

    def sample(self, batch: int) -> Any:
        """A batch with importance weights."""
        if batch not in self._batches:
            self._batches.clear()
            drawn = reverb.TrajectoryDataset(
                self._address, TABLE, tensorflow.uint8, self._shape, max_in_flight_samples_per_worker=2 * batch
            )
            self._batches[batch] = drawn.batch(batch).as_numpy_iterator()
        sample = next(self._batches[batch])
        weights = (sample.info.table_size * sample.info.probability) ** -BETA
        return SimpleNamespace(records=sample.data, weights=weights / weights.max())


def server(pipe: Any, capacity: int) -> None:
    """A process that serves until its pipe is closed."""
    table = reverb.Table(
        TABLE, reverb.selectors.Prioritized(ALPHA), reverb.selectors.Fifo(), capacity, reverb.rate_limiters.MinSize(1)
    )
    served = reverb.Server([table], port=None)
    pipe.send(served.port)
    try:
        pipe.recv()
    except EOFError:
        served.stop()


@contextmanager
def serve(capacity: int, size: int) -> Iterator[str]:
    """A server in a process of its own."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    here, there = context.Pipe()
    process = context.Process(target=server, args=(there, capacity), daemon=True)
    process.start()
    there.close()
    try:
        yield f"localhost:{here.recv()}:{size}"
    finally:
        here.close()
        process.join(5)
        process.kill()


def main() -> None:
    """What is asked on standard input."""
    asked = json.load(sys.stdin)
    work = net_work.Work(**{name: tuple(x) if isinstance(x, list) else x for name, x in asked["work"].items()})
    for size in asked["sizes"]:
        with serve(work.capacity(size), size) as address:
            measured = net_work.measure(work, address, Client, size, (__name__,))
        print(json.dumps({"size": size, **asdict(measured)}), flush=True)
