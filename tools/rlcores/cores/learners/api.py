"""Several replay learners that train one network together: local SGD, a bank of the replay buffer for each.

`ReplayLearners` has the calls of rlcores.ReplayLearner. Its experiences are dealt to the banks in turn; train(n) does n
gradient steps of every learner, each on a batch of its own, and after every `average` of them the weights of all
learners become their average (Zhang 2022, chapter 5).

Wrong input is a UserError (a ValueError) with one sentence, raised before anything changes.
"""

import secrets
from collections.abc import Mapping
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base.arguments import check_bool, check_int, choice
from rlcores.base.arrays import plain
from rlcores.base.attributes import Guarded
from rlcores.base.states import add_prefix, strip_prefix
from rlcores.base.threads import alone
from rlcores.cores.learner.networks import LearnerOptions
from rlcores.cores.learner.policy import Policy
from rlcores.cores.learners.driver import ReplayLearnersDriver
from rlcores.cores.learners.model import LearnersModel
from rlcores.cores.replay_learner.api import ReplayLearner
from rlcores.cores.replay_learner.driver import ReplayLearnerDriver
from rlcores.cores.replay_learner.model import ReplayLearnerModelDriver
from rlcores.cores.sumtree.maths import POWER_ONE
from rlcores.errors import UserError

BACKENDS = ("native", "model", "rtl")
MOST = 16  # learners


class _Cores:
    """Makes the drivers of the learners of one simulated core, one after the other, when the first one is asked for.

    driver: of all of them, from then on.
    """

    driver: ReplayLearnersDriver

    def __init__(self, count: int) -> None:
        self._count, self._made = count, 0

    def __call__(self, parameters: Mapping[str, int | str]) -> ReplayLearnerDriver:
        if not self._made:
            self.driver = ReplayLearnersDriver.verilated({**parameters, "LEARNERS": self._count, "CROSS": 1})
        self._made += 1
        return self.driver.learners[self._made - 1]


class ReplayLearners(Guarded):
    """L replay buffers that train one network.

    network, **options  as of rlcores.ReplayLearner; of what is counted, batch_size is each learner's;
                      backend "rtl" is the simulated core of several learners
    learners          L, 1 to 16
    average           H: gradient steps of a round, whose last one averages the weights; 1 averages every step
    exact             True: importance weights are those of one batch over all banks; False: of each bank's batch
    buffer_size       experiences of all banks
    target_update_interval   in gradient steps of a learner; a multiple of H, so that targets stand still in a round

    >>> agent = ReplayLearners((4, 8, 2), learners=2, average=5, buffer_size=1024, batch_size=16, seed=1)
    >>> states = np.zeros((100, 4))
    >>> agent.add(states, np.zeros(100, int), np.ones(100), states, np.ones(100, bool))
    >>> len(agent), agent.train(5), agent.rounds
    (100, 5, 1)
    """

    def __init__(
        self,
        network: Any,
        *,
        learners: int = 2,
        average: int = 10,
        exact: bool = True,
        backend: str = "native",
        buffer_size: int = 2**14,
        batch_size: int = 64,
        learning_starts: int | None = None,
        target_update_interval: int = 100,
        seed: int | None = None,
        **options: Any,
    ) -> None:
        """Raises UserError when an argument is not allowed."""
        count = check_int("learners", learners, 1, MOST)
        self._average = check_int("average", average, 1, 1 << 16)
        choice("backend", backend, BACKENDS)
        if backend == "rtl" and count == 1:
            raise UserError("one learner on the simulated core is a rlcores.ReplayLearner")
        if not options.get("lag", True):
            raise UserError("lag=False is of one replay learner; several average both networks' weights at once")
        if options.get("relaxed"):
            raise UserError(
                "relaxed=True is of one replay learner; learners that average end each call with its updates"
            )
        self._check(target_update_interval)
        starts = batch_size * count if learning_starts is None else learning_starts
        self._starts = -(-check_int("learning_starts", starts, 1, buffer_size) // count)
        self._exact = check_bool("exact", exact)
        cores = _Cores(count) if backend == "rtl" else None
        first = secrets.randbits(64) if seed is None else check_int("seed", seed, 0, (1 << 64) - 1)
        self._learners = [
            ReplayLearner(
                network,
                backend=cores or backend,
                buffer_size=-(-buffer_size // count),
                batch_size=batch_size,
                target_update_interval=target_update_interval,
                seed=(first + number) % (1 << 64),
                **options,
            )
            for number in range(count)
        ]
        drivers = [one.driver for one in self._learners if isinstance(one.driver, ReplayLearnerModelDriver)]
        self._together: LearnersModel | ReplayLearnersDriver = (
            cores.driver if cores else LearnersModel(drivers, self._average, self._exact)
        )
        self._dealt = self._since = self._rounds = 0
        self._together.begin()
        self._together.begin_rounds(self._average, exact=self._exact)

    # --- experiences ---

    def __len__(self) -> int:
        """Experiences held in all banks."""
        return sum(map(len, self._learners))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self._learners)} × {self._learners[0]!r}, H = {self._average})"

    @property
    def learners(self) -> tuple[ReplayLearner, ...]:
        """The learners, a bank each."""
        return tuple(self._learners)

    @property
    def buffer_size(self) -> int:
        """Most experiences held."""
        return sum(one.buffer_size for one in self._learners)

    @alone
    def add(
        self,
        states: ArrayLike,
        actions: ArrayLike,
        rewards: ArrayLike,
        next_states: ArrayLike,
        terminated: ArrayLike,
        priorities: ArrayLike | None = None,
    ) -> None:
        """Keep n experiences, dealt to the banks in turn; arguments as of ReplayLearner.add(). Raises UserError."""
        names = "states", "actions", "rewards", "next_states", "terminated"
        columns = [
            plain(name, x) for name, x in zip(names, (states, actions, rewards, next_states, terminated), strict=True)
        ]
        count = len(columns[2])
        if priorities is not None:
            columns.append(np.broadcast_to(plain("priorities", priorities), count))
        if wrong := [name for name, x in zip(names, columns, strict=False) if len(x) != count]:
            raise UserError(f"there are {count} rewards; {wrong[0]} must have as many rows")
        bank = (self._dealt + np.arange(count)) % len(self._learners)
        for number, one in enumerate(self._learners):
            mine = bank == number
            if mine.any():
                one.add(*(x[mine] for x in columns))
        self._dealt += count

    # --- training ---

    @alone
    def train(self, steps: int) -> int:
        """`steps` gradient steps of every learner; returns how many were done: 0 while a bank holds too little."""
        steps = check_int("steps", steps, 0, (1 << 32) - 1)
        if not steps or any(len(one) < self._starts for one in self._learners):
            return 0
        for one in self._learners:
            one._prepare()
        self._together.train(steps, round(self.beta * POWER_ONE))
        self._rounds += (self._since + steps) // self._average
        self._since = (self._since + steps) % self._average
        for one in self._learners:
            one._record_progress(0, steps)
        return steps

    @property
    def steps(self) -> int:
        """Gradient steps of each learner so far."""
        return self._learners[0].steps

    @property
    def rounds(self) -> int:
        """How often the weights were averaged since start or load_state_dict()."""
        return self._rounds

    @alone
    def set(self, **hyper: Unpack[LearnerOptions]) -> None:
        """Change settings of all learners between calls; see ReplayLearner.set. Raises UserError, nothing changed."""
        self._check(hyper.get("target_update_interval", 0))
        for one in self._learners:
            one.set(**hyper)

    @property
    def beta(self) -> float:
        """Exponent of the importance weights, as the core holds it."""
        return self._learners[0].beta

    # --- networks ---

    @property
    def networks(self) -> tuple[str, ...]:
        """Names of the networks, as of Learner."""
        return self._learners[0].networks

    @alone
    def weights(self, network: str = "network") -> dict[str, Any]:
        """The weights of a network by PyTorch's names: within a round those of the first learner."""
        return self._learners[0].weights(network)

    @alone
    def load_weights(self, state: Mapping[str, Any], network: str = "network", *, target: bool = True) -> None:
        """Set the weights of a network in all learners; see Learner.load_weights."""
        for one in self._learners:
            one.load_weights(state, network, target=target)

    @alone
    def values(self, states: ArrayLike, actions: ArrayLike | None = None) -> np.ndarray:
        """Q of states (B, N_s); see Learner.values."""
        return self._learners[0].values(states, actions)

    @alone
    def act(self, states: ArrayLike) -> np.ndarray:
        """The greedy actions of states (B, N_s); see Learner.act."""
        return self._learners[0].act(states)

    def policy(self) -> Policy:
        """The greedy policy of the present weights; see Learner.policy."""
        return self._learners[0].policy()

    # --- what happened ---

    @alone
    def counters(self) -> dict[str, int]:
        """The counters of all learners, added up."""
        counters = [one.counters() for one in self._learners]
        return {name: sum(each[name] for each in counters) for name in counters[0]}

    @alone
    def saturations(self) -> dict[str, int]:
        """How often a number did not fit, in all learners; see Learner.saturations."""
        counts: dict[str, int] = {}
        for one in self._learners:
            for name, count in one.saturations().items():
                counts[name] = counts.get(name, 0) + count
        return counts

    # --- state ---

    @alone
    def state_dict(self) -> dict[str, np.ndarray]:
        """Everything that load_state_dict() needs to resume identically, as arrays: numpy.savez keeps them."""
        numbers = {"dealt": self._dealt, "since": self._since, "average": self._average}
        state = {name: np.array(value, np.int64) for name, value in numbers.items()}
        for number, one in enumerate(self._learners):
            state |= add_prefix(f"learner.{number}", one.state_dict())
        return state

    @alone
    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on as the learners that gave the state would. Raises UserError, when it is that of others or damaged."""
        parts = {name.split(".")[1] for name in state if name.startswith("learner.")}
        if len(parts) != len(self._learners) or "average" not in state:
            raise UserError(f"the state is of {len(parts)} learners; these are {len(self._learners)}")
        numbers = {name: int(state.get(name, -1)) for name in ("dealt", "since", "average")}
        if numbers["average"] != self._average:
            raise UserError(f"the state is of average = {numbers['average']}; these learners have {self._average}")
        if not 0 <= numbers["since"] < self._average or numbers["dealt"] < 0:
            raise UserError("the state is damaged: its round has no such step")
        self._together.begin_rounds(0, exact=False)  # the core's counts of steps are set one learner after the other
        for number, one in enumerate(self._learners):
            one.load_state_dict(strip_prefix(state, f"learner.{number}"))
        self._dealt, self._since, self._rounds = numbers["dealt"], numbers["since"], 0
        self._together.begin_rounds(self._average, exact=self._exact, done=self._since)

    def _check(self, interval: int) -> None:
        if interval % self._average:
            raise UserError(
                f"target_update_interval is {interval}; it must be a multiple of average = {self._average}, so that "
                "targets stand still within a round"
            )
