"""TD3, SAC and dueling DQN at a replay server: learners of rlcores.cores.rl, whose banks are there.

A record is one step of one environment. Returns of several steps are made by the learner, from the records that follow
in the bank: those of an environment are as many slots apart as the bank has environments. Where records are uniformly
drawn, the server has alpha = 0: all of them have one priority then.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlcores.base.states import add_prefix, strip_prefix
from rlcores.cores.common.draws import Xoshiro128pp, state_of
from rlcores.cores.common.native_draws import NativeXoshiro128pp
from rlcores.cores.learners.off_policy import InRounds
from rlcores.cores.learners.rounds import Made, Work, together
from rlcores.cores.replay_server.frames import ServerSettings, padded, schema_of
from rlcores.cores.sumtree.model import SAMPLE
from rlcores.cores.sumtree.settings import ReplaySettings
from rlcores.errors import UserError
from rlcores.net.session import RecordBatch
from rlcores.replay.buffer import ReplayBuffer
from rlcores.train.actor import Rollout
from rlcores.train.off_policy import (
    Drawn,
    OffPolicySide,
    bank_of,
    batch_of,
    exact,
    learner_of,
    no_core,
    prioritized,
    seed_of,
    trained_on,
)
from rlcores.train.putting import ServerAddress
from rlcores.train.settings import Plan
from rlcores.train.spaces import Spaces

_ENDS = ("terminated", "truncated")


@dataclass(frozen=True)
class StepRecords:
    """A step a record. Environment e goes to bank e mod `banks`.

    states: numbers of an observation. actions: of an action; None: it is one whole number. in_turn: returns have
    several steps, so that a bank's records keep the order of environments.
    """

    states: int
    actions: int | None
    banks: int
    in_turn: bool

    @property
    def dtype(self) -> np.dtype:
        """Of a record."""
        action = ("action", "<i4") if self.actions is None else ("action", "<f4", (self.actions,))
        seen = [(name, "<f4", (self.states,)) for name in ("observation", "next_observation")]
        numbers = [("reward", "<f4"), *((name, "?") for name in _ENDS)]
        # The environment and its step of the run tell whether a record follows another.
        return np.dtype([*seen, action, *numbers, ("environment", "<u2"), ("step", "<u4")])

    @property
    def bytes(self) -> int:
        return padded(self.dtype.itemsize)

    def put(self, client: Any, seen: Rollout, number: int, first: int) -> int:
        steps, envs = seen.rewards.shape
        rows = np.zeros((steps, envs), self.dtype)
        rows["environment"], rows["step"] = first + np.arange(envs), number * steps + np.arange(steps)[:, None]
        names = {"observation": "states", "next_observation": "following", "action": "actions", "reward": "rewards"}
        for name in ("observation", "next_observation", "action", "reward", *_ENDS):
            rows[name] = getattr(seen, names.get(name, name))
        self._send(client, rows.reshape(-1))
        return rows.size

    def put_void(self, client: Any, steps: int, envs: int, first: int) -> None:
        rows = np.zeros((steps, envs), self.dtype)
        rows["environment"] = first + np.arange(envs)
        self._send(client, rows.reshape(-1), priorities=np.zeros(rows.size, np.int64))

    def _send(self, client: Any, rows: np.ndarray, **priorities: Any) -> None:
        banks = {"banks": rows["environment"].astype(np.int64) % self.banks} if self.banks > 1 else {}
        client.put(rows, **banks, **priorities)


class ServerBank:
    """A bank of a replay server, with the draws of a ReplayBuffer that has this seed."""

    def __init__(self, plan: Plan, spaces: Spaces, client: Any, records: StepRecords, seed: int) -> None:
        s = plan.settings
        self._client, self._records, self._s = client, records, s
        self._envs, self._prioritized = bank_of(plan)[0], prioritized(s)
        self.beta = s.beta if self._prioritized else 0.0
        self._exact = exact(s)
        self.draws = (Xoshiro128pp if plan.backend == "model" else NativeXoshiro128pp)(state_of(seed))
        self._asked: deque[Any] = deque()
        action = ((), "int64") if records.actions is None else ((records.actions,), "float32")
        self._returns = ReplayBuffer(
            s.n_steps * s.batch_size,
            {"observation": ((records.states,), "float32"), "action": action},
            num_envs=s.batch_size,
            n_steps=s.n_steps,
            gamma=s.gamma,
            prioritized=False,
            backend=plan.backend,
        )

    def begin(self, batches: int) -> None:
        """`batches` are drawn next. Where draws have priorities, none is asked for before the updates."""
        self._asked.clear()
        self._left = batches

    def drawn(self) -> Drawn:
        while True:
            while self._left and len(self._asked) < (1 if self._prioritized else 2):
                self._left -= 1
                self._asked.append(self._ask())
            batch = self._client.batch(self._client.answered(self._asked.popleft()))
            if not batch.gone.all():  # as good as never: all were overwritten on their way
                return self._drawn(batch)
            self._asked.append(self._ask())

    def _ask(self) -> Any:
        count, how = self._s.batch_size, {"stratified": self._prioritized, "weights": self._prioritized}
        request = self._client.ask(count, beta=self.beta, draws=self.draws.state, **how)
        self.draws.skip(count)
        return request

    def _drawn(self, batch: RecordBatch) -> Drawn:
        """Without the records that were overwritten on their way."""
        there = np.flatnonzero(~batch.gone)
        arrays = self._with_returns(batch)
        kept = {name: array[there] for name, array in arrays.items()}
        tags = batch.slots[there], batch.generations[there]
        if not self._exact:
            return Drawn(batch_of(kept, batch.weights[there]), tags)
        answers = np.zeros(len(there), SAMPLE)
        answers["priority"], answers["total"] = batch.priorities[there], batch.total
        return Drawn(batch_of(kept, np.ones(len(there))), tags, answers)

    def _with_returns(self, batch: RecordBatch) -> dict[str, np.ndarray]:
        """The arrays of a ReplayBuffer's batch: each transition with the steps that follow it."""
        first, there = self._rows(batch), ~batch.gone
        steps, masks = [first], [there]
        for k in range(1, self._s.n_steps):
            following = self._following(batch, k)
            rows = self._rows(following)
            goes = masks[-1] & ~(steps[-1]["terminated"] | steps[-1]["truncated"]) & ~following.gone
            goes &= (rows["environment"] == first["environment"]) & (rows["step"] == first["step"] + np.uint32(k))
            steps.append(rows)
            masks.append(goes)
        stacked = {name: np.stack([rows[name] for rows in steps]) for name in self._records.dtype.names[:6]}
        returns = self._returns
        returns.add(mask=np.stack(masks), **stacked)
        returns.end_episode()
        return returns.read(np.arange(len(there)))

    def _rows(self, batch: RecordBatch) -> np.ndarray:
        size = self._records.dtype.itemsize
        return np.ascontiguousarray(batch.records[:, :size]).view(self._records.dtype)[:, 0]

    def _following(self, batch: RecordBatch, k: int) -> RecordBatch:
        """The records of k steps later. Those that have not come, or are gone, have another generation."""
        s = self._client.settings
        laps, slots = np.divmod(batch.slots.astype(np.int64) + k * self._envs, s.capacity)
        generations = batch.generations.astype(np.int64)
        mask = (1 << s.generation_width) - 1
        return self._client.read(slots, generations & ~mask | (generations + laps) & mask)

    def update(self, drawn: Drawn, errors: np.ndarray) -> None:
        if self._prioritized:
            self._client.update(*drawn.tags, errors)


class Learner:
    """The learner of a bank; without one, the only one, or that which holds the averages of several."""

    def __init__(self, plan: Plan, spaces: Spaces, address: str, key: bytes | None, bank: int | None = None) -> None:
        """Raises UserError, and RunFailed where no server answers."""
        no_core(plan)
        s, number = plan.settings, bank or 0
        self._plan, self._spaces = plan, spaces
        self._envs, self.buffer_size = bank_of(plan)
        actions = None if spaces.actions is not None else spaces.action_size
        records = StepRecords(spaces.state_size, actions, s.learners, s.n_steps > 1)
        known = plan.environment, plan.state_scale, records
        self._place = ServerAddress(address, schema_of(known), records, key, s.learners)
        self._own = learner_of(plan, spaces, number)
        self._rounds = InRounds(self._own, s.average if s.learners > 1 else 1)
        self.client = self._place.client(0) if bank is None else self._place.of_bank(1, bank)
        alone = s.learners == 1
        self.bank = (
            ServerBank(plan, spaces, self.client, records, seed_of(plan, number)) if alone or bank is not None else None
        )
        self.held, self.least = 0, 1

    def place(self) -> ServerAddress:
        """The server, as actors need it."""
        return self._place

    def wanted(self) -> dict[str, int]:
        """What the server must be, as its settings."""
        s, size = self._plan.settings, self.buffer_size
        alpha = s.alpha if prioritized(s) else 0.0
        shared = ServerSettings.of(ReplaySettings(buffer_size=size, alpha=alpha, seed=0))
        names = ("alpha", "epsilon", "scale", "priority_width") if alpha else ("alpha",)
        return {name: getattr(shared, name) for name in names} | {"capacity": size, "sample_max": s.batch_size}

    def __len__(self) -> int:
        """Transitions held, as far as this learner was told."""
        return min(self.held, self.buffer_size)

    def add(self, count: int) -> None:
        """Count transitions, which are at the server already."""
        self.held += count

    def set(self, *, beta: float | None = None) -> None:
        """See BankLearner."""
        if beta is not None and self.bank is not None:
            self.bank.beta = beta

    def train(self, steps: int) -> int:
        """Gradient steps of a learner that is alone."""
        together([self.in_round(steps, self.held)])
        return steps

    @property
    def steps(self) -> int:
        """Gradient steps so far."""
        return self._own.steps

    def policy(self) -> Any:
        return self._own.policy()

    def weights(self) -> list[np.ndarray]:
        return self._own.weights()

    # --- in rounds: see BankLearner ---

    def in_round(self, steps: int, held: int) -> Work[None]:
        self.held = held
        self.bank.begin(steps)
        for _ in range(steps):
            yield from trained_on(self.bank, self._rounds)
        self.client.flush()

    def shared(self) -> Made:
        return self._rounds.shared()

    def take(self, shared: Made, *, fresh: bool) -> None:
        self._rounds.take(shared, fractions=fresh)

    def state_dict(self) -> dict[str, np.ndarray]:
        numbers = (self._rounds.since, self.held, self.client.settings.instance)
        state = {"numbers": np.array(numbers, np.int64)}
        if self.bank is not None:
            state["draws"] = np.array(self.bank.draws.state, np.int64)
        state |= add_prefix("learner", self._own.state_dict())
        return state | add_prefix("kept", self._rounds.state_dict())

    def load_state_dict(self, state: Mapping[str, np.ndarray]) -> None:
        numbers = np.asarray(state.get("numbers", []))
        draws = np.asarray(state.get("draws", (1, 0, 0, 0)))
        right = numbers.shape == (3,) and 0 <= numbers[0] < self._rounds.average and numbers[1] >= 0
        if not right or draws.shape != (4,) or draws.min() < 0 or draws.max() >= 2**32:
            raise UserError("the state is damaged: it has no numbers of its round and draws")
        since, held, instance = (int(x) for x in numbers)
        if instance != self.client.settings.instance:
            raise UserError(f"the server at {self._place.address} is not the one of the checkpoint")
        self._own.load_state_dict(strip_prefix(state, "learner"))
        self._rounds.load_state_dict(strip_prefix(state, "kept"), since)
        self.held = held
        if self.bank is not None:
            self.bank.draws = type(self.bank.draws)(draws.tolist())


class RemoteOffPolicyTrainer(OffPolicySide):
    """The learner's side of td3, sac and dueling at a replay server."""

    def __init__(self, plan: Plan, spaces: Spaces, learner: Any) -> None:
        """learner: a Learner, or the RemoteLearners around it."""
        super().__init__(plan, spaces)
        self.learner = learner

    def learn(self, seen: Rollout, step: int) -> None:
        """Do the gradient steps that are due after `step` steps; what was seen is at the server."""
        self.learner.add(seen.rewards.size)
        if prioritized(self._s):
            self.learner.set(beta=self.beta(step))
        if (due := self.due(step)) > 0:
            self.learner.train(due)

    def live(self) -> dict[str, float]:
        return {"replay": len(self.learner) / self.learner.buffer_size}

    def checkpoint(self) -> dict[str, np.ndarray]:
        return add_prefix("learner", self.learner.state_dict())

    def restore(self, kept: Mapping[str, np.ndarray]) -> None:
        self.learner.load_state_dict(strip_prefix(kept, "learner"))
