"""Actors at a replay server: they take their policies from it, and put what they saw straight into it."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from rlcores.cores.learner.policy import Policy
from rlcores.errors import RunFailed
from rlcores.net import BankedClient, ReplayClient
from rlcores.train.actor import Actor, Rollout, RoundRequest

_TIMEOUT = 60.0  # seconds that a server may be away


class Records(Protocol):
    """How an algorithm's transitions become a server's records."""

    in_turn: bool  # actors put one after the other, and who stands for a lost one puts as many void records

    @property
    def bytes(self) -> int:
        """Of a record."""

    def put(self, client: Any, seen: Rollout, number: int, first: int) -> int:
        """Put round `number` of the environments from the first on; the number of records."""

    def put_void(self, client: Any, steps: int, envs: int, first: int) -> None:
        """Put void records, where they are in turn."""


@dataclass(frozen=True)
class ServerAddress:
    """A replay server, and what a run's records are there."""

    address: str
    schema: int  # hash of what is in a record
    records: Records
    key: bytes | None = None
    banks: int = 1  # of the server, one for each learner

    def client(self, number: int) -> ReplayClient | BankedClient:
        """Participant `number`, of all banks; requests are carried out in their order. Raises UserError and RunFailed.

        It has client numbers number · banks and those behind it, one a bank.
        """
        first = number * self.banks
        if self.banks == 1:
            return ReplayClient(self.address, first, **self._options)
        return BankedClient(self.address, first, seed=0, **self._options)  # which draws nothing

    def of_bank(self, number: int, bank: int) -> ReplayClient:
        """Participant `number`'s client of one bank alone. Raises UserError and RunFailed."""
        return ReplayClient(self.address, number * self.banks + bank, **self._options)

    @property
    def _options(self) -> dict[str, Any]:
        return {"schema": self.schema, "key": self.key, "timeout": _TIMEOUT, "ordered": True}


@dataclass(frozen=True)
class Published:
    """What an order says of a policy whose weights are at the server: their version, and all but the weights."""

    version: int
    make: partial  # gives a Policy of its `weights`

    @classmethod
    def of(cls, policy: Policy, client: ReplayClient | BankedClient, version: int) -> "Published":
        """Publish a policy's weights. Raises UserError and RunFailed."""
        client.put_weights(policy.weights.astype("<i4").tobytes(), version)
        p = policy
        return cls(
            version,
            partial(
                Policy,
                p.sizes,
                p.formats,
                squashes=p.squashes,
                backend=p.backend,
                activation=p.activation,
                normalised=p.normalised,
            ),
        )

    def policy(self, client: ReplayClient | BankedClient) -> Policy:
        """It, with the weights that the server has. Raises RunFailed when those are gone."""
        newest = client.get_weights(self.version)
        if newest is None:
            raise RunFailed(
                f"{client.address} does not hold version {self.version} of the weights; is another run there?"
            )
        return self.make(weights=np.frombuffer(newest[1], "<i4").astype(np.int64))


class PuttingActor(Actor):
    """An actor with a client of a replay server: participant 1 + that of its first environment, 2 + with learners."""

    def __init__(self, *arguments: Any) -> None:
        """arguments: as of Actor, the last before the span a ServerAddress. Raises UserError and RunFailed."""
        *own, place, span = arguments
        super().__init__(*own, span)
        self._place, self._client = place, place.client(1 + (place.banks > 1) + span[0])
        self._span, self._held, self._round = span, None, 0

    _held: Rollout | None

    def collect(self, order: RoundRequest) -> Rollout:
        """As an actor does, with the policy that is at the server; what it saw stays here until put()."""
        self._held = super().collect(replace(order, policy=order.policy.policy(self._client)))
        self._round = order.number
        return self._held.summary()

    def put(self, steps: int) -> int:
        """Hand over what was collected in a round of `steps` steps; the number of records.

        They are stored, each once, when this returns.
        """
        seen, self._held = self._held, None
        records, (first, last) = self._place.records, self._span
        if seen is None and records.in_turn:
            records.put_void(self._client, steps, last - first, first)
        count = 0 if seen is None else records.put(self._client, seen, self._round, first)
        self._client.flush()
        return count
