"""What a sum tree and a sampler give: slots, samples, batches. Arrays (n,), in order."""

from typing import Any, NamedTuple

import numpy as np

from rlcores.base.arrays import is_array
from rlcores.errors import UserError

INT64, FLOAT32, FLOAT64 = map(np.dtype, (np.int64, np.float32, np.float64))
_BATCH = (INT64, FLOAT32, INT64, INT64, FLOAT64)  # types of a Batch's arrays
_empty = np.empty
_tuple: Any = getattr(tuple, "__new__")  # noqa: B009  # looked up once


class Slots(NamedTuple):
    """Slots that were written, in order: int64 (n,) each. Keep the generations with the transitions' batch."""

    indices: np.ndarray
    generations: np.ndarray

    def __repr__(self) -> str:
        return _short(self)


class Samples(NamedTuple):
    """Sampled slots, in order: int64 (n,) each. totals: the sum of all priorities that each was drawn from."""

    indices: np.ndarray
    priorities: np.ndarray
    generations: np.ndarray
    totals: np.ndarray

    def __repr__(self) -> str:
        return _short(self)


class PrioritizedBatch(NamedTuple):
    """What PrioritizedSampler.sample gives; arrays (batch_size,), in order."""

    indices: np.ndarray  # int64: slots of the transitions
    weights: np.ndarray  # float32: importance weights, the batch's largest is 1
    priorities: np.ndarray  # int64, as the tree holds them
    generations: np.ndarray  # int64: hand them back to update()
    probabilities: np.ndarray  # float64: priority / total

    def __repr__(self) -> str:
        return _short(self)


def _short(arrays: Any) -> str:
    """A repr that a terminal holds: the name and the first numbers of each array."""
    shown = (
        f"{name}={np.array2string(np.asarray(x), threshold=6, edgeitems=3, precision=4, separator=', ')}"
        for name, x in zip(arrays._fields, arrays, strict=True)
    )
    return f"{type(arrays).__name__}({len(arrays.indices)}: {', '.join(shown)})"


def new_batch(count: int) -> PrioritizedBatch:
    i64, empty = INT64, _empty
    batch: PrioritizedBatch = _tuple(
        PrioritizedBatch,
        (empty(count, i64), empty(count, FLOAT32), empty(count, i64), empty(count, i64), empty(count, FLOAT64)),
    )
    return batch


def checked_batch(out: PrioritizedBatch, count: int) -> PrioritizedBatch:
    """Arrays that a caller gave for a batch of this size."""
    if not isinstance(out, PrioritizedBatch):
        raise UserError(f"out is of type {type(out).__name__}; it must be a PrioritizedBatch that sample() gave")
    for name, array, dtype in zip(PrioritizedBatch._fields, out, _BATCH, strict=True):
        if not (is_array(array) and array.dtype == dtype and array.shape == (count,) and array.flags.carray):
            raise UserError(f"out.{name} must be an array of {count} {dtype} that can be written")
    return out


def samples_of(answers: np.ndarray) -> Samples:
    """The answers of a driver, in order."""
    return Samples(*(answers[name].astype(np.int64) for name in ("index", "priority", "generation", "total")))
