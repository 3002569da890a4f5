"""Scoreboard: what was expected against what came, in order, by channel; and a digest of all that was compared."""

import hashlib
import os
from collections import Counter, defaultdict, deque
from typing import Any

from pyuvm import uvm_component


class Scoreboard(uvm_component):
    """Compares observed with expected things, one queue a channel.

    A difference is logged at once and fails the check phase, as do things left over and a test that compared
    nothing. `digest` is the transcript of everything observed: equal runs have equal digests.
    """

    # Differences after which a test ends at once.
    ENOUGH = int(os.environ.get("SCOREBOARD_ENOUGH", "10"))

    def build_phase(self) -> None:
        self.compared: Counter[str] = Counter()
        self.errors: list[str] = []
        self._expected: dict[str, deque] = defaultdict(deque)
        self._digest = hashlib.sha256()

    def expect(self, channel: str, *items: Any) -> None:
        """These will come on a channel."""
        self._expected[channel].extend(items)

    def observe(self, channel: str, item: Any, clock: int) -> None:
        """Something came: it must be the oldest expected thing of its channel."""
        self._note(channel, item, clock)
        if not self._expected[channel]:
            self.error(f"{channel}: nothing was expected, but there came {item}")
            return
        expected = self._expected[channel].popleft()
        self.compared[channel] += 1
        if item != expected:
            self.error(f"{channel}: expected {expected}, got {item}")

    def check(self, channel: str, what: str, got: Any, expected: Any, clock: int) -> None:
        """A thing that is compared when it comes, such as a register that is read."""
        self._note(channel, (what, got), clock)
        self.compared[channel] += 1
        if got != expected:
            self.error(f"{channel}: {what} is {_shown(got)} and should be {_shown(expected)}")

    @property
    def waiting(self) -> int:
        """Expected things that have not come yet."""
        return sum(map(len, self._expected.values()))

    def waiting_on(self, channel: str) -> int:
        """Expected things of one channel that have not come yet."""
        return len(self._expected[channel])

    def forget(self, channel: str | None = None, keep: int = 0) -> list[Any]:
        """A reset, or an abort of one channel: what was expected will not come, but the first `keep` of the channel."""
        kept = list(self._expected[channel])[:keep] if channel else []
        if channel is None:
            self._expected.clear()
        else:
            self._expected[channel] = deque(kept)
        return kept

    def error(self, message: str) -> None:
        """Fail the test: at its end, or now when there have been enough."""
        self.errors.append(message)
        self.logger.error(message)
        assert len(self.errors) < self.ENOUGH, f"{len(self.errors)} errors, the first is: {self.errors[0]}"

    def digest(self) -> str:
        """Of all that was observed so far, clocks included."""
        return self._digest.hexdigest()[:16]

    def _note(self, channel: str, item: Any, clock: int) -> None:
        self._digest.update(f"{clock} {channel} {item}\n".encode())

    def check_phase(self) -> None:
        for channel, queue in self._expected.items():
            if queue:
                self.errors.append(f"{channel}: {len(queue)} expected things never came, the first is {queue[0]}")
        if not self.compared:
            self.errors.append("nothing was compared")
        assert not self.errors, f"{len(self.errors)} errors, the first is: {self.errors[0]}"


def _shown(value: Any) -> str:
    return f"0x{value:X}" if isinstance(value, int) else str(value)
