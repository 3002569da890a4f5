"""The net learner without its clock, bit for bit: a server whose memory learns, in one order.

What it is asked over the network is the replay server's protocol: experiences are put, weights are got, and all that a
learner elsewhere would ask is refused. docs/net_learner.md is the contract.
"""

from collections import deque
from dataclasses import dataclass

import numpy as np

from rlcores.cores.net_learner import text
from rlcores.cores.replay_learner.model import Errors, ReplayLearnerModelDriver
from rlcores.cores.replay_server import frames as net
from rlcores.cores.replay_server.checks import Checks
from rlcores.cores.replay_server.frames import Frame, ServerSettings
from rlcores.cores.replay_server.server import ServerModel, StoredAnswer, Weights


@dataclass(frozen=True)
class Schedule:
    """How many gradient steps follow how many experiences, and which weights are published.

    starts          experiences before the first gradient step
    every           experiences between two turns of gradient_steps; 0: gradient steps are train()'s alone
    gradient_steps  of a turn
    publish         this many sets of weights after the last published one, the next one is
    """

    starts: int = 1
    every: int = 0
    gradient_steps: int = 1
    publish: int = 1


def settings_of(
    loop: ReplayLearnerModelDriver, *, part_bytes: int, clients: int, credit: int, **more: int
) -> ServerSettings:
    """What the front of a core with this learner says of it."""
    shape, tree = loop.learner.shape, loop.tree_shape
    return ServerSettings(
        capacity=tree.capacity, record_bytes=text.record_bytes(shape), part_bytes=part_bytes, clients=clients,
        sample_max=1, weights_max=text.text_bytes(text.acting(shape)), priority_width=tree.priority_width,
        generation_width=tree.generation_width, credit=credit, alpha=0, scale=0, epsilon=0, initial=0, assemblies=0,
        **more,
    )  # fmt: skip


class NetLearnerModel(ServerModel):
    """Clients, and the replay learner that they feed.

    loop: configured, and nothing in it. Nothing is on its way between two calls, but priorities that are not due.
    """

    def __init__(
        self,
        settings: ServerSettings,
        loop: ReplayLearnerModelDriver,
        schedule: Schedule | None = None,
        checks: Checks | None = None,
    ) -> None:
        super().__init__(settings, checks)
        self.loop, self.tree = loop, loop.tree.model
        self.steps = self.sets = 0  # gradient steps, and sets of weights that were shown
        self._left = 0  # sets behind the next one, before one is published
        self.begin(schedule or Schedule())

    def begin(self, schedule: Schedule) -> None:
        """Another schedule, from its beginning, after finish()."""
        self.schedule = schedule
        self._room = schedule.starts  # experiences before the next turn
        self._waiting: deque[Errors] = deque()

    def loaded(self, acting: bool) -> None:
        """The host has loaded a plane: the weights of the network that acts, or another one."""
        self._left = 0
        if acting:
            self._show()

    def train(self, batches: int) -> None:
        """Gradient steps, and all their updates."""
        for _ in range(batches):
            self._step()
        self.finish()

    def finish(self) -> None:
        """The updates that were not due: the loop stops."""
        while self._waiting:
            self.loop.update(self._waiting.popleft())

    def stat(self) -> bytes:
        told = bytearray(super().stat())
        told[:8] = self.settings.capacity.to_bytes(8, "little")
        return bytes(told)

    # --- what is done ---

    def _put(self, f: Frame) -> int:
        data = np.frombuffer(f.payload, np.uint8).reshape(f.count, -1)
        if (data[:, 4:8].copy().view("<u4") != net.LARGEST).any():
            return net.REFUSED
        for row in text.from_records(self.loop.learner.shape, data[:, 8:].copy()):
            self.loop.insert(row[None])
            self.counts["records"] += 1
            if self.schedule.every:
                self._room -= 1
                if not self._room:
                    for _ in range(self.schedule.gradient_steps):
                        self._step()
                    self._room = self.schedule.every
        return net.OK

    def _step(self) -> None:
        self._waiting.append(self.loop.sample())
        self.steps += 1
        self._show()
        if len(self._waiting) > self.loop.registers.ahead:
            self.loop.update(self._waiting.popleft())

    def _show(self) -> None:
        """A set of weights goes by."""
        self.sets += 1
        if self._left:
            self._left -= 1
            return
        networks = self.loop.learner.model.networks
        data = text.to_text(text.acting(self.loop.learner.shape), networks[-1].matrices())
        self.published = [Weights(self.sets, bytearray(data)), *self.published[:1]]
        self._left = max(self.schedule.publish, 1) - 1

    def _sample(self, f: Frame) -> StoredAnswer:
        return StoredAnswer(f.sequence, net.REFUSED)

    def _read(self, f: Frame) -> StoredAnswer:
        return StoredAnswer(f.sequence, net.REFUSED)

    def _batch(self, f: Frame, kept: StoredAnswer) -> list[Frame]:
        return [self._answer(f, kept.status)]

    def _prio(self, f: Frame) -> int:
        return net.REFUSED

    def _weights(self, f: Frame) -> int:
        return net.REFUSED
