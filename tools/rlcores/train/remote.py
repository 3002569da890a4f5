"""Training at a replay server: learners draw their batches there and publish policies, actors read these and fill it.

How an algorithm learns there is its own (algorithm.AtServer). What it draws, it says itself. So with one actor a run's
curve is that of one process, bit for bit, whatever the network loses.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from rlcores.cores.learner.policy import Policy
from rlcores.cores.sumtree.maths import DELTA_FRACTION, POWER_ONE
from rlcores.errors import UserError
from rlcores.train import algorithms
from rlcores.train.actor import Rollout, RoundRequest
from rlcores.train.putting import Published, ServerAddress
from rlcores.train.remote_learners import RemoteLearners
from rlcores.train.settings import Plan
from rlcores.train.spaces import Spaces
from rlcores.train.trainer import Trainer

_BACKENDS = ("native", "model")
_OPTIONS = {
    "capacity": "--buffer-size {}",
    "record_bytes": "--record-bytes {}",
    "sample_max": "--sample-max {}",
    "alpha": "--alpha {:.5f}",
    "epsilon": "--priority-epsilon {:.7f}",
    "priority_width": "--priority-width {}",
    "banks": "--banks {}",
}
_UNITS = {"alpha": 1 / POWER_ONE, "epsilon": 2.0**-DELTA_FRACTION}
_LEAST = ("record_bytes", "sample_max")  # which may be more


class RemoteTrainer(Trainer):
    """The learner's side of a run at a replay server: one learner, or several with a bank each."""

    looks = True

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
        at = plan.algorithm.at_server
        if at is None or plan.on_chip or plan.backend not in _BACKENDS:
            *names, last = (one.name for one in algorithms.ALL.values() if one.at_server)
            raise UserError(f"--replay is for {', '.join(names)} and {last} on the backends {' and '.join(_BACKENDS)}")
        count = plan.settings.learners
        self.learner: Any = at.learner(plan, spaces, address, key)
        _check(self.learner, empty=not resume)
        if count > 1:
            each = partial(at.learner, plan, spaces, address, key)
            self.learner = RemoteLearners(self.learner, each, count, plan.settings.average, ray=ray, **rounds)
        self._own = at.trainer(plan, spaces, self.learner)
        self.kind, self.ahead, self._client = self._own.kind, self._own.ahead, self.learner.client
        # One that was killed may have begun to publish the next one.
        self._version = max(one["version"] for one in _each(self._client.stats())) + 1

    def place(self) -> ServerAddress:
        """Where actors put what they see."""
        return self.learner.place()

    def order(self, number: int, step: int) -> RoundRequest:
        """The weights of the policy are published, and actors read them at the server."""
        order = self._own.order(number, step)
        self._version += 1
        return replace(order, policy=Published.of(order.policy, self._client, self._version))

    def learn(self, seen: Rollout, step: int) -> None:
        self._own.learn(seen, step)

    def policy(self) -> Policy:
        return self._own.policy()

    def weights(self) -> list[np.ndarray]:
        return self._own.weights()

    @property
    def updates(self) -> int:
        return self._own.updates

    def live(self) -> dict[str, float]:
        numbers = self._own.live()
        if isinstance(self.learner, RemoteLearners) and self.learner.history:
            numbers["learners"] = self.learner.history[-1]
        return numbers

    def close(self) -> None:
        if isinstance(self.learner, RemoteLearners):
            self.learner.close()

    def checkpoint(self) -> dict[str, np.ndarray]:
        return self._own.checkpoint()

    def restore(self, kept: Mapping[str, np.ndarray]) -> None:
        self._own.restore(kept)


def _check(learner: Any, *, empty: bool) -> None:
    """Raises UserError when the server is not as the learner wants it, or holds records and should be `empty`."""
    client, place = learner.client, learner.place()
    wanted = learner.wanted() | {"record_bytes": place.records.bytes, "banks": place.banks}
    has = {name: getattr(client.settings, name) for name in wanted}
    differ = [n for n, x in wanted.items() if (has[n] < x if n in _LEAST else has[n] != x)]
    if differ:
        shown = {name: wanted[name] for name in _OPTIONS if name in wanted and (name != "banks" or place.banks > 1)}
        if wanted["sample_max"] <= client.settings.sample_max:
            del shown["sample_max"]
        options = " ".join(_OPTIONS[name].format(x * _UNITS.get(name, 1)) for name, x in shown.items())
        raise UserError(
            f"the server at {place.address} has {differ[0]} {has[differ[0]]}, this run {wanted[differ[0]]}; start it "
            f"so: rlcores serve {place.address} {options}"
        )
    if empty and any(one["size"] for one in _each(client.stats())):
        raise UserError(
            f"the server at {place.address} holds records already; a new run needs an empty one, and --resume goes on "
            "with those of its own"
        )


def _each(stats: Any) -> list[dict[str, int]]:
    """Of a client's bank, or of all its banks."""
    return stats if isinstance(stats, list) else [stats]
