"""Which codes and steps of a rollout's memory a bench has met: the model's records, which count on the way."""

from collections.abc import Callable

import numpy as np

from rlcores.cores.common.fixed import round_shift
from rlcores.cores.ppo.records import Records

KINDS = ("reward", "value", "advantage")
CODES = ("top", "bottom", "above", "below", "zero")
BINS = (
    *(f"record.{kind}.{what}" for kind in KINDS for what in (*CODES, "all zero", "rises", "falls")),
    *("record.value.falls slowly", "record.advantage.falls slowly", "record.cut off"),
)


class WatchedRecords(Records):
    """The model of a run's records.

    hit: called with BINS and how often. Of codes: the greatest and the least number that fits, numbers above and below
    them that are clipped, a number that becomes 0, nothing but zeros. Of steps: it rises, falls, or would fall by more.
    """

    def __init__(self, bits: int, hit: Callable[[str, int], None]) -> None:
        super().__init__(bits)
        self.hit = hit

    def kept(self, x: np.ndarray, kind: int) -> tuple[np.ndarray, int]:
        exact, most = round_shift(x, int(self.steps[kind])), 1 << self.widths[kind] - 1
        for name, those in (
            ("top", exact == most - 1),
            ("bottom", exact == -most),
            ("above", exact >= most),
            ("below", exact < -most),
            ("zero", (exact == 0) & (x != 0)),
        ):
            self.hit(f"record.{KINDS[kind]}.{name}", int(np.count_nonzero(those)))
        self.hit(f"record.{KINDS[kind]}.all zero", int(x.size and not x.any()))
        return super().kept(x, kind)

    def rollout(self, rewards: np.ndarray, values: np.ndarray, lost: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
        self.hit("record.cut off", int(np.count_nonzero(lost)))
        return super().rollout(rewards, values, lost)

    def follow(self) -> None:
        before, seen = self.steps.copy(), self.seen.copy()
        super().follow()
        for kind, name in enumerate(KINDS):
            self.hit(f"record.{name}.rises", int(self.steps[kind] > before[kind]))
            self.hit(f"record.{name}.falls", int(self.steps[kind] < before[kind]))
            wanted = self._step(int(seen[kind]).bit_length(), self.widths[kind])
            self.hit(f"record.{name}.falls slowly", int(bool(seen[kind]) and wanted < self.steps[kind]))
