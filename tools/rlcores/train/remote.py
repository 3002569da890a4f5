"""DQN and DDPG on a replay server: the learner draws its batches there and publishes its policies, and actors in other
processes read these and fill it.

The learner's integers are those of rlcores.ReplayLearner, in the same order; what it draws, it says itself. So with one
actor a run's curve is that of one process, bit for bit, whatever the network loses.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from rlcores.cores.common.draws import Xoshiro128pp
from rlcores.cores.learner.model_driver import LearnerModelDriver
from rlcores.cores.learner.native import LearnerNativeDriver
from rlcores.cores.replay_learner.api import ReplayLearner
from rlcores.cores.replay_learner.model import Drawn, Errors, ReplayLearnerModelDriver
from rlcores.cores.replay_server import frames as net
from rlcores.cores.sumtree import model as sumtree
from rlcores.cores.sumtree.maths import DELTA_FRACTION, POWER_ONE
from rlcores.errors import UserError
from rlcores.train.actor import RoundRequest
from rlcores.train.putting import Published, ServerAddress
from rlcores.train.remote_learners import RemoteLearners
from rlcores.train.replaying import ReplayTrainer, make
from rlcores.train.settings import Plan
from rlcores.train.spaces import Spaces

_LEARNERS = {"native": LearnerNativeDriver, "model": LearnerModelDriver}


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
        """backend: of the learner. place: makes a ServerAddress of a layout. bank: that of one of several learners.

        Raises UserError and RunFailed.
        """
        self.LEARNER = _LEARNERS[backend]
        super().__init__(parameters)
        self.place = place(layout=self.layout)
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

    def _learn(self, batch: Any) -> Errors:
        text = self.client.text(batch)
        count = self.registers.batch
        total, _, _ = net.BATCH.unpack_from(text)
        entries = np.frombuffer(text, "<u4", 4 * count, net.BATCH.size).reshape(count, 4)
        records = np.frombuffer(text, "<u4", offset=net.BATCH.size + entries.nbytes).reshape(count, -1)
        answers = np.zeros(count, sumtree.SAMPLE)
        answers["index"], answers["generation"] = entries[:, 0], entries[:, 1] & ~np.uint32(net.GONE_BIT)
        answers["priority"], answers["weight"], answers["total"] = entries[:, 2], entries[:, 3], total
        gone = entries[:, 1] >= net.GONE_BIT  # overwritten before it came: it trains nothing
        self._count(sampled=count, voids=int(gone.sum()))
        return self._learned(Drawn(answers, gone, int(gone.sum())), records[:, : self.layout.elements].copy())

    def update(self, trained: Errors) -> None:
        """Send the priorities of a batch; the server drops those of records that were overwritten."""
        known = trained.known
        self.client.update(known["index"], known["generation"], trained.errors / 2.0**DELTA_FRACTION)
        self._count(batches=1)


class RemoteReplayLearner(ReplayLearner):
    """A ReplayLearner whose experiences come to the server by others; add() is told how many."""

    driver: RemoteDriver
    _what = "a learner at a replay server"

    def __len__(self) -> int:
        """Experiences held, as far as this learner was told."""
        return min(self._filled, self._capacity)

    def add(self, states, actions, rewards, next_states, terminated, priorities=None) -> None:
        """Count transitions, which are at the server already."""
        self._given += len(rewards)
        self._filled += len(rewards)

    def place(self) -> ServerAddress:
        """The server, as actors need it."""
        return replace(self.driver.place, fraction=self._networks.value_formats.act_frac[0])

    def check_server(self, *, empty: bool) -> None:
        """Raises UserError when the server has another shape, or holds records and should be `empty`."""
        client, own = self.driver.client, {name: getattr(self, f"_{name}") for name in ("alpha", "epsilon", "scale")}
        s, where = client.settings, self.driver.place.address
        own |= {"capacity": self._capacity, "priority_width": self.driver.tree_shape.priority_width}
        own["banks"] = banks = self.driver.place.banks
        least = {"record_bytes": self.driver.place.record_bytes, "sample_max": self._batch}
        own |= {name: max(value, getattr(s, name)) for name, value in least.items()}
        differ = [name for name, value in own.items() if getattr(s, name) != value]
        if differ:
            raise UserError(
                f"the server at {where} has {differ[0]} {getattr(s, differ[0])}, this run {own[differ[0]]}; "
                f"start it so: rlcores serve {where} --buffer-size {self._capacity} --record-bytes "
                f"{self.driver.place.record_bytes} --alpha {self._alpha / POWER_ONE:.5f} --priority-epsilon "
                f"{self._epsilon / 2**20:.7f} --priority-width {self.driver.tree_shape.priority_width}"
                + (f" --banks {banks}" if banks > 1 else "")
            )
        if empty and any(one["size"] for one in _each(client.stats())):
            raise UserError(
                f"the server at {where} holds records already; a new run needs an empty one, and --resume "
                "goes on with those of its own"
            )

    # Of the state, what is not at the server.

    def _held(self) -> dict[str, np.ndarray]:
        return {"instance": np.array(self.driver.client.settings.instance, np.int64)}

    def _expected(self, state: Mapping[str, Any]) -> tuple[dict[str, tuple[int, ...]], dict[str, tuple[int, int]]]:
        return {"instance": ()}, {"instance": (0, 2**32 - 1)}

    def _check_held(self, state: Mapping[str, np.ndarray]) -> None:
        if int(state["instance"]) != self.driver.client.settings.instance:
            raise UserError(f"the server at {self.driver.place.address} is not the one of the checkpoint")

    def _restore_held(self, kept: Mapping[str, np.ndarray]) -> None:
        """The server has it."""


def _each(stats: Any) -> list[dict[str, int]]:
    """Of a client's bank, or of all its banks."""
    return stats if isinstance(stats, list) else [stats]


def _at_server(plan: Plan, spaces: Spaces, address: str, key: bytes | None, bank: int | None) -> RemoteReplayLearner:
    """The learner of a plan, or the one of a bank among several learners."""
    s = plan.settings
    known = plan.environment, plan.state_scale, *s.sizes(spaces), s.formats
    place = partial(ServerAddress, address, net.schema_of(known), key=key, banks=s.learners)
    driver = partial(RemoteDriver, backend=plan.backend, place=place, bank=bank)
    return make(plan, spaces, RemoteReplayLearner, driver, 0 if bank is None else bank)


class RemoteTrainer(ReplayTrainer):
    """The learner's side of dqn and ddpg at a replay server: one learner, or several with a bank each."""

    def __init__(
        self,
        plan: Plan,
        spaces: Spaces,
        address: str,
        key: bytes | None = None,
        *,
        resume: bool = False,
        ray: str | None = None,
        **rounds: Any,
    ) -> None:
        """ray: cluster of the learners, where there are several. rounds: quorum and seconds of RemoteLearners.

        Raises UserError, and RunFailed where no server answers.
        """
        if not plan.algorithm.at_server or plan.on_chip or plan.backend not in _LEARNERS:
            raise UserError("--replay is for dqn and ddpg on the backends native and model")
        if plan.settings.ahead is not None:
            raise UserError("--ahead is of a memory in this process; a learner at a replay server is one batch ahead")
        count = plan.settings.learners
        learner: Any = _at_server(plan, spaces, address, key, None)
        learner.check_server(empty=not resume)
        if count > 1:
            each = partial(_at_server, plan, spaces, address, key)
            learner = RemoteLearners(learner, each, count, plan.settings.average, ray=ray, **rounds)
        super().__init__(plan, spaces, learner)
        self._client = learner.driver.client
        # One that was killed may have begun to publish the next one.
        self._version = max(one["version"] for one in _each(self._client.stats())) + 1

    def close(self) -> None:
        if isinstance(self.learner, RemoteLearners):
            self.learner.close()

    def live(self) -> dict[str, float]:
        numbers = super().live()
        if isinstance(self.learner, RemoteLearners) and self.learner.history:
            numbers["learners"] = self.learner.history[-1]
        return numbers

    def order(self, number: int, step: int) -> RoundRequest:
        """As of ReplayTrainer; the weights of the policy are published, and actors read them at the server."""
        order = super().order(number, step)
        self._version += 1
        return replace(order, policy=Published.of(order.policy, self._client, self._version))

    def place(self) -> ServerAddress:
        """Where actors put what they see."""
        return self.learner.place()
