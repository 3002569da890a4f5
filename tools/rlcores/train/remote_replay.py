"""DQN and DDPG at a replay server: the integers of rlcores.ReplayLearner, whose tree and experiences are there."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from rlcores.cores.common.draws import Xoshiro128pp
from rlcores.cores.learner.model_driver import LearnerModelDriver
from rlcores.cores.learner.native import LearnerNativeDriver
from rlcores.cores.learner.records import Lost
from rlcores.cores.learners.model import InRounds
from rlcores.cores.learners.rounds import Made, Work
from rlcores.cores.replay_learner.api import ReplayLearner
from rlcores.cores.replay_learner.model import Drawn, Errors, ReplayLearnerModelDriver
from rlcores.cores.replay_learner.records import RecordLayout
from rlcores.cores.replay_server import frames as net
from rlcores.cores.sumtree import model as sumtree
from rlcores.cores.sumtree.maths import DELTA_FRACTION, POWER_ONE
from rlcores.errors import UserError
from rlcores.train.actor import Rollout
from rlcores.train.algorithms.algorithm import ALL
from rlcores.train.putting import ServerAddress
from rlcores.train.replaying import make
from rlcores.train.settings import Plan
from rlcores.train.spaces import Spaces

_LEARNERS = {"native": LearnerNativeDriver, "model": LearnerModelDriver}


class QuantisedRecords:
    """Records of the replay learner, with the TD errors of actors where they give them."""

    in_turn = False

    def __init__(self, layout: RecordLayout, fraction: int = 0) -> None:
        """fraction: of the numbers of a state."""
        self._layout, self._fraction, self._lost = layout, fraction, Lost(fraction)

    @property
    def bytes(self) -> int:
        return net.padded(4 * self._layout.elements)

    def put(self, client: Any, seen: Rollout, number: int, first: int) -> int:
        rows = self._layout.rows(*seen.experiences()[:5], self._fraction, lost=self._lost)
        client.put(rows.view(np.uint8), td_errors=None if seen.errors is None else seen.errors.reshape(-1))
        return len(rows)

    def put_void(self, client: Any, steps: int, envs: int, first: int) -> None:
        """Records of such a run need none."""


@dataclass
class ReceivedBatch(Drawn):
    """A batch that has come, with its records."""

    records: np.ndarray


class _Tree:
    """Of a driver's tree, what the server does not have: the registers, and the draws."""

    def __init__(self, shape: sumtree.SumTreeShape) -> None:
        self.shape, self.registers = shape, {}
        self.draws = Xoshiro128pp((1, 0, 0, 0))

    def configure(self, **registers: int | None) -> None:
        self.registers |= {name: value for name, value in registers.items() if value is not None}

    def load_draws(self, state: tuple[int, int, int, int]) -> None:
        self.draws = Xoshiro128pp(state)

    def restart(self) -> None:
        """Every request says where its draws begin."""

    def clear(self) -> None:
        """The server's records are not ours to forget."""


class RemoteDriver(ReplayLearnerModelDriver):
    """Driver of a replay learner whose tree and experiences are at a server."""

    TREE = _Tree

    def __init__(
        self, parameters: Mapping[str, int | str], *, backend: str, place: partial, bank: int | None = None
    ) -> None:
        """backend: of the learner. place: makes a ServerAddress of records. bank: that of one of several learners.

        Raises UserError and RunFailed.
        """
        self.LEARNER = _LEARNERS[backend]
        super().__init__(parameters)
        self.place = place(records=QuantisedRecords(self.layout))
        self.client = self.place.client(0) if bank is None else self.place.of_bank(1, bank)

    def train(self, batches: int, unreadable: Collection[int] = ()) -> None:
        """As of the model; all priorities are at the server when it returns."""
        super().train(batches)
        self.client.flush()

    def drawn(self, unreadable: Collection[int] = ()) -> Any:
        """Asks for a batch, and does not wait for it."""
        tree, count = self.tree, self.registers.batch
        options = {"beta": tree.registers["beta"] / POWER_ONE, "stratified": bool(tree.registers["stratified"])}
        request = self.client.ask(count, draws=tree.draws.state, **options)
        tree.draws.skip(count)
        return request

    def answered(self, drawn: Any) -> ReceivedBatch:
        text = self.client.text(drawn)
        count = self.registers.batch
        total, _, _ = net.BATCH.unpack_from(text)
        entries = np.frombuffer(text, "<u4", 4 * count, net.BATCH.size).reshape(count, 4)
        records = np.frombuffer(text, "<u4", offset=net.BATCH.size + entries.nbytes).reshape(count, -1)
        answers = np.zeros(count, sumtree.SAMPLE)
        answers["index"], answers["generation"] = entries[:, 0], entries[:, 1] & ~np.uint32(net.GONE_BIT)
        answers["priority"], answers["weight"], answers["total"] = entries[:, 2], entries[:, 3], total
        gone = entries[:, 1] >= net.GONE_BIT  # overwritten before it came: it trains nothing
        answers["status"] = np.where(gone, sumtree.STALE, sumtree.OK)
        self._count(sampled=count, voids=int(gone.sum()))
        return ReceivedBatch(answers, gone, int(gone.sum()), records[:, : self.layout.elements].copy())

    def _learn(self, batch: Any) -> Errors:
        received = batch if isinstance(batch, ReceivedBatch) else self.answered(batch)
        return self._learned(received, received.records)

    def update(self, trained: Errors) -> None:
        """Send the priorities of a batch; the server drops those of records that were overwritten."""
        known = trained.known
        self.client.update(known["index"], known["generation"], trained.errors / 2.0**DELTA_FRACTION)
        self._count(batches=1)


class RemoteReplayLearner(ReplayLearner):
    """A ReplayLearner whose experiences come to the server by others; add() is told how many."""

    driver: RemoteDriver
    _what = "a learner at a replay server"
    _rounds: InRounds | None = None

    def __len__(self) -> int:
        """Experiences held, as far as this learner was told."""
        return min(self._filled, self._capacity)

    def add(self, states, actions, rewards, next_states, terminated, priorities=None) -> None:
        """Count transitions, which are at the server already."""
        self._given += len(rewards)
        self._filled += len(rewards)

    @property
    def held(self) -> int:
        """Experiences that came."""
        return self._filled

    @property
    def least(self) -> int:
        """Experiences of a bank with which training begins."""
        return self._batch

    def place(self) -> ServerAddress:
        """The server, as actors need it."""
        records = QuantisedRecords(self.driver.layout, self._networks.value_formats.act_frac[0])
        return replace(self.driver.place, records=records)

    @property
    def client(self) -> Any:
        """The learner's at the server."""
        return self.driver.client

    def wanted(self) -> dict[str, int]:
        """What the server must be, as its settings."""
        own = {name: getattr(self, f"_{name}") for name in ("alpha", "epsilon", "scale")}
        width = self.driver.tree_shape.priority_width
        return own | {"capacity": self._capacity, "priority_width": width, "sample_max": self._batch}

    # --- in rounds ---

    def begin_rounds(self, average: int, exact: bool) -> None:
        """From now on the learner is one of several."""
        self._rounds = InRounds(self.driver, average, exact)

    def in_round(self, steps: int, held: int) -> Work[None]:
        """See BankLearner, as those that follow."""
        self._filled = held
        self._prepare()
        yield from self._in_rounds.train(steps, self._beta)
        self.client.flush()
        self._trained(steps)

    def shared(self) -> Made:
        return self._in_rounds.shared()

    def take(self, shared: Made, *, fresh: bool) -> None:
        self._in_rounds.take(shared)

    @property
    def _in_rounds(self) -> InRounds:
        assert self._rounds is not None
        return self._rounds

    # Of the state, what is not at the server.

    def _held(self) -> dict[str, np.ndarray]:
        held = {"instance": np.array(self.client.settings.instance, np.int64)}
        if self._rounds is not None:
            numbers = (self._rounds.since, self.driver.learner.model.since_sync)
            held["round"] = np.array(numbers, np.int64)
        return held

    def _expected(self, state: Mapping[str, Any]) -> tuple[dict[str, tuple[int, ...]], dict[str, tuple[int, int]]]:
        rounds = {} if self._rounds is None else {"round": (2,)}
        return {"instance": (), **rounds}, {"instance": (0, 2**32 - 1)}

    def _check_held(self, state: Mapping[str, np.ndarray]) -> None:
        if int(state["instance"]) != self.driver.client.settings.instance:
            raise UserError(f"the server at {self.driver.place.address} is not the one of the checkpoint")

    def _restore_held(self, kept: Mapping[str, np.ndarray]) -> None:
        """The server has the experiences."""
        if self._rounds is not None:
            self._rounds.since, self.driver.learner.model.since_sync = (int(x) for x in kept["round"])


def learner(
    plan: Plan, spaces: Spaces, address: str, key: bytes | None, bank: int | None = None
) -> RemoteReplayLearner:
    """The learner of a plan, or the one of a bank among several learners. Raises UserError and RunFailed."""
    s = plan.settings
    if s.ahead is not None:
        raise UserError("--ahead is of a memory in this process; a learner at a replay server is one batch ahead")
    known = plan.environment, plan.state_scale, *s.sizes(spaces), s.formats
    place = partial(ServerAddress, address, net.schema_of(known), key=key, banks=s.learners)
    driver = partial(RemoteDriver, backend=plan.backend, place=place, bank=bank)
    made = make(plan, spaces, RemoteReplayLearner, driver, 0 if bank is None else bank)
    if s.learners > 1:
        made.begin_rounds(s.average, s.importance == ALL)
    return made
