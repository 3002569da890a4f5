"""Prioritised replay on the sum tree: TD errors in, transitions with importance weights out.

`PrioritizedSampler` takes the place of the sampler in a replay buffer; the transitions themselves stay in the user's
own arrays, at the slots given here. Where the core clips a number, a CoreWarning says which and how often.

It can be pickled and copied as its tree can; rlcores.cores.sumtree.tree says what a slot, a tag and a backend are.
"""

import copy
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base.arguments import check_backend, check_bool, check_float, check_int
from rlcores.base.attributes import Guarded, setting
from rlcores.cores.sumtree import arguments
from rlcores.cores.sumtree import maths as sumtree_maths
from rlcores.cores.sumtree.calls import EngineCalls, fill
from rlcores.cores.sumtree.driver import Driver
from rlcores.cores.sumtree.maths import LEAST_FINE, POWER_ONE
from rlcores.cores.sumtree.model import COMMIT, GIVEN, INSERT, UPDATE
from rlcores.cores.sumtree.results import PrioritizedBatch, Slots, checked_batch, new_batch
from rlcores.cores.sumtree.settings import MOST_BATCH, MOST_SLOTS, ReplaySettings, need_software, power_code
from rlcores.cores.sumtree.state import sampler_state
from rlcores.cores.sumtree.tree import BACKENDS, DRAW_WIDTH, SumTree, widest
from rlcores.errors import UserError, WarningCounter, warn


class PrioritizedSampler(Guarded):
    """Prioritised experience replay (Schaul et al. 2016) with the priority maths of the core.

    The priority of a TD error d is (|d| + priority_epsilon)**alpha in units of 2**-scale, rounded, and at least 1.
    Where one is larger than priority_width bits, the scale moves by whole bits, and with it every priority held. A new
    transition gets the largest priority seen. A priority below 50 units is off by more than 1 %: saturations() counts
    these, and a CoreWarning says so. With 32 bits and alpha 0.6 that begins 13 decades below the largest TD error seen.
    The weight of a sample is (P / P_min)**-beta, P its probability and
    P_min the smallest one of the batch: (N*P)**-beta divided by the batch's largest. docs/sumtree_maths.md says how
    exact both are.

    buffer_size       transitions, 1 to 2**24, any number
    alpha             0 to 2, above 1 with the backends "native" and "model"; may be set between samples
    beta              0 to 1; may be set between samples, to anneal it
    priority_epsilon  added to |TD error|, 0 or more
    batch_size        what sample() takes unless told otherwise, 1 to batch_max; may be set between samples
    stratified        each sample of a batch from its own equal part of the total; may be set between samples
    seed              64-bit seed of the draws; None: from the system's entropy. The attribute says it
    scale             log2 of the priority of |TD error| + priority_epsilon = 1, which is also the first largest one.
                      None: priority_width - 2, and it moves as above. A number stays, and priorities end there, counted
    priority_width    bits of a priority; None: the most that every backend has, 32, above 2**20 slots 52 less log2 of
                      them
    backend, generation_width, batch_max, max_priority_within_buffer, banks: as for SumTree

    >>> sampler = PrioritizedSampler(100, batch_size=4, seed=1)
    >>> slots = sampler.add(10)
    >>> batch = sampler.sample()
    >>> batch.indices.shape, float(batch.weights.max())
    ((4,), 1.0)
    >>> sampler.update(batch.indices, [0.5, 0.1, 2.0, 0.0], batch.generations).all()
    np.True_

    Slots are first in, first out: write transition k of add() to row indices[k] of your arrays. rlcores.integrations
    has it as the sampler of torchrl, tianshou and Stable-Baselines3.
    """

    batch_size: int = setting(lambda sampler, _, count: sampler._count(count))
    stratified: bool = setting(lambda _, name, value: check_bool(name, value))

    def __init__(
        self,
        buffer_size: int,
        *,
        alpha: float = 0.6,
        beta: float = 0.4,
        priority_epsilon: float = 1e-6,
        batch_size: int = 64,
        stratified: bool = True,
        seed: int | None = None,
        scale: float | None = None,
        backend: str | Driver = "native",
        priority_width: int | None = None,
        generation_width: int = 16,
        batch_max: int = 1024,
        max_priority_within_buffer: bool = False,
        banks: int = 1,
    ) -> None:
        """Raises UserError when an argument is out of its range, RunFailed when the core does not build."""
        batch_max = check_int("batch_max", batch_max, 1, MOST_BATCH)
        settings = ReplaySettings.within(
            {"batch_size": (1, batch_max)},
            buffer_size=buffer_size,
            alpha=alpha,
            beta=beta,
            priority_epsilon=priority_epsilon,
            batch_size=batch_size,
            stratified=stratified,
            seed=seed,
        )
        need_software(settings.alpha, check_backend(backend, BACKENDS, "shape", "a driver"))
        self._settings, self._backend = settings, backend if isinstance(backend, str) else None
        self._alpha, self._beta, self._offset = settings.alpha_code, settings.beta_code, settings.priority_epsilon
        if priority_width is None:
            priority_width = widest(settings.buffer_size) if isinstance(backend, str) else backend.shape.priority_width
        priority_width = check_int("priority_width", priority_width, 1, 32)
        self._follows = scale is None
        self._first_scale = max(priority_width - 2, 0) if scale is None else check_float("scale", scale, -127, 127)
        self._scale = round(self._first_scale * 256)
        self.tree = SumTree(
            settings.buffer_size,
            backend=backend,
            priority_width=priority_width,
            generation_width=generation_width,
            initial=_initial(self._scale, priority_width),
            seed=settings.seed,
            batch_max=batch_max,
            max_priority_within_buffer=max_priority_within_buffer,
            banks=banks,
        )
        self._tally = WarningCounter()
        self._configure()
        self.batch_size, self.stratified = settings.batch_size, settings.stratified

    def __len__(self) -> int:
        """Transitions held."""
        return len(self.tree)

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({len(self):,} of {self.buffer_size:,} transitions, {self.tree.backend}, "
            f"alpha {self.alpha:.3g}, beta {self.beta:.3g})"
        )

    @property
    def buffer_size(self) -> int:
        """Most transitions held."""
        return self.tree.capacity

    @property
    def settings(self) -> ReplaySettings:
        """The settings as they are now, frozen."""
        now = {"alpha": self.alpha, "beta": self.beta, "batch_size": self.batch_size, "stratified": self.stratified}
        return self._settings.but(**now, seed=self.seed)

    @property
    def alpha(self) -> float:
        """Exponent of the priorities, as the core holds it.

        Setting it gives every slot the priority of its TD error with the new exponent, p**(new / old) in units of
        2**-scale, and the scale moves where the largest one asks for it; tags stay. A priority p was rounded to whole
        units, so the new one is exact to new / (2 * old * p) of itself. From alpha 0 there is no way back: all
        priorities stay equal until they are updated, with a warning. All slots are read and then written: what another
        thread writes meanwhile is lost.
        """
        return self._alpha / POWER_ONE

    @alpha.setter
    def alpha(self, alpha: float) -> None:
        old, new = self._alpha, power_code("alpha", alpha)
        need_software(new / POWER_ONE, self._backend)
        if new == old:
            return
        if old:
            width, scale = self._driver.shape.priority_width, self._now()
            held = self.tree._calls.seen
            if self._follows and held:
                most = sumtree_maths.recoded_whole(held, old, new, scale)
                self._scale = min(round(self._first_scale * 256), (width - 2 - most) * 256)
            self.tree._calls.recode(lambda p: sumtree_maths.recode(p, old, new, scale, self._scale, width))
        elif self.tree.total:
            warn("alpha moves away from 0, where all priorities are equal: those held stay so until they are updated")
        self._alpha = new
        self._configure()

    @property
    def priority_epsilon(self) -> float:
        """Added to |TD error|."""
        return self._offset

    @property
    def seed(self) -> int:
        """The seed that the draws began with, given or drawn."""
        return self.tree.initial_seed

    @property
    def unit(self) -> float:
        """The priority of |TD error| + priority_epsilon = 1, 2**scale: it changes when the scale moves."""
        return float(2.0 ** (self._now() / 256))

    @property
    def beta(self) -> float:
        """Exponent of the weights, as the core holds it."""
        return self._beta / POWER_ONE

    @beta.setter
    def beta(self, beta: float) -> None:
        raw = power_code("beta", beta)
        if raw != self._beta:
            self._driver.configure(beta=raw)
            self._beta = raw

    def add(self, count: int | None = None, *, td_errors: ArrayLike | None = None) -> Slots:
        """Take slots for new transitions: `count` (default 1) with the largest priority seen, or one a TD error (n,).

        A full buffer gives the slots of its oldest transitions.
        """
        if td_errors is None:
            return self.tree.insert(count=count)
        count = None if count is None else check_int("count", count, 0, MOST_SLOTS)
        return self.tree._calls.insert(INSERT, td_errors, count, self._offset)

    def place(self, indices: ArrayLike, td_errors: ArrayLike | None = None) -> None:
        """Give transitions priorities where the caller chose the slots: of TD errors, or as add() the largest one.

        Tags stay. A slot may be one that add() never gave. Unlike update(), it does not ask whether it was.
        """
        if td_errors is None:
            self.tree.place(indices)
        else:
            self._write(UPDATE, indices, td_errors, None, only_taken=False)

    def make_room(self, largest: float) -> None:
        """Move the scale where a priority of `largest` units would not fit: before priorities are written to .tree."""
        width = self._driver.shape.priority_width
        bits_needed = math.frexp(largest * self.unit)[1] - 1
        if self._follows and bits_needed >= width - 1:
            bits = bits_needed - (width - 2)
            if lost := self._move(bits):
                self._say_saturated(0, 0, 0, lost, bits)

    def reserve(self, count: int = 1) -> Slots:
        """Take slots that are not sampled until commit(): for transitions that another program writes."""
        return self.tree.reserve(count)

    def commit(self, indices: ArrayLike, generations: ArrayLike, td_errors: ArrayLike | None = None) -> np.ndarray:
        """Let reserved slots be sampled, by default with the largest priority seen.

        Returns bool (n,): False where the slot was overwritten since, and nothing was changed.
        """
        if td_errors is None or generations is None:
            return self.tree.commit(indices, generations)
        return self._write(COMMIT, indices, td_errors, generations)

    def update(self, indices: ArrayLike, td_errors: ArrayLike, generations: ArrayLike | None = None) -> np.ndarray:
        """Set priorities from new TD errors; with generations only of transitions that are still there.

        Returns bool (n,): False where the transition was overwritten, and nothing was changed. Raises UserError for a
        slot that holds no transition: neither add() nor reserve() gave it, and place() gave it no priority.
        """
        return self._write(UPDATE, indices, td_errors, generations)

    def sample(
        self,
        batch_size: int | None = None,
        *,
        beta: float | None = None,
        draws: ArrayLike | None = None,
        out: PrioritizedBatch | None = None,
    ) -> PrioritizedBatch:
        """A batch of transitions. beta: sets .beta. Raises UserError when there is nothing to sample.

        draws: one whole number below 2**32 a sample, uniform, from a generator of the caller's instead of the core's.
        out: an earlier batch of this size, whose arrays are filled instead of new ones.
        """
        calls = self.tree._calls
        count = self.batch_size if batch_size is None else self._count(batch_size)
        own_draws = None if draws is None else arguments.wholes("draws", draws, 0, (1 << DRAW_WIDTH) - 1, count)
        to = new_batch(count) if out is None else checked_batch(out, count)
        if beta is not None:
            self._set_beta(beta)
        indices, weights, priorities, generations, probabilities = to
        if own_draws is None:
            calls.draw(count, self.stratified, indices, priorities, generations, None, weights, probabilities)
            return to
        if self.stratified:  # as the core cuts its own draws into strata
            own_draws = ((np.arange(count) << DRAW_WIDTH) + own_draws) // count
        fill(calls.answers(GIVEN, own_draws, count), indices, priorities, generations, None, weights, probabilities)
        return to

    def _fill(self, batch_size: int | None, beta: float | None, draw: Callable[[Any, int, bool], bool]) -> bool:
        """sample() by somebody else in the engine: draw(tree, count, stratified), False where the total is 0.

        Returns False, and nothing is done, when this sampler does not run on the engine. Raises as sample() does.
        """
        calls = self.tree._calls
        if not isinstance(calls, EngineCalls):
            return False
        count = self.batch_size if batch_size is None else self._count(batch_size)
        if beta is not None:
            self._set_beta(beta)
        calls.drew(draw(calls.engine, count, self.stratified), count, self.stratified)
        return True

    def _count(self, batch_size: int) -> int:
        count, most = check_int("batch_size", batch_size, 1, MOST_BATCH), self._driver.batch_max
        if count > most:
            raise UserError(
                f"batch_size is {count}, and this sampler draws at most {most}; make it with batch_max={count} (a "
                f"ReplayBuffer with sampler_options={{'batch_max': {count}}})"
            )
        return count

    def _set_beta(self, beta: float) -> None:
        beta = check_float("beta", beta, 0, 1)
        self.tree._calls.require_total()
        self.beta = beta

    def saturations(self) -> dict[str, int]:
        """How many priorities were clipped because the core's numbers end there, if any.

        "priorities": those that a fixed scale limits to priority_width bits. "coarse": those that were written below 50
        units, which are off by more than 1 %. "rescaled": those that came there when the scale moved.
        """
        return dict(self._tally.counts)

    def clear_saturations(self) -> None:
        """Count from 0 again."""
        self._tally = WarningCounter()

    @property
    def stale(self) -> int:
        """Priorities that were dropped, because their transition was overwritten since it was sampled."""
        return self.tree.stale

    def clear(self) -> None:
        """Forget all transitions; the largest priority seen is the first one again."""
        self._scale = round(self._first_scale * 256)
        self._configure()
        self.tree.clear()

    def state_dict(self) -> dict[str, Any]:
        """All that load_state_dict needs: numbers and numpy arrays."""
        own = {"alpha": self._alpha, "beta": self._beta, "priority_epsilon": self._offset, "follows": self._follows}
        return {"tree": self.tree.state_dict(), "scale": self._now(), **own}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue as the sampler that gave the state would, with its alpha and beta; see SumTree.load_state_dict.

        Raises UserError when priority_epsilon, a fixed scale or the sizes differ.
        """
        own = sampler_state(state, self._offset, self._follows, None if self._follows else self._scale)
        held = self.tree._state_of(state["tree"])  # before anything changes
        need_software(own.alpha / POWER_ONE, self._backend)
        self._alpha, self._beta, self._scale = own
        self._configure()
        self.tree._restore(held)
        self._configure()

    def __getstate__(self) -> dict[str, Any]:
        """For pickle and copy; see SumTree."""
        self._scale = self._now()
        return {name: value for name, value in vars(self).items() if name != "_driver"}

    def __copy__(self) -> "PrioritizedSampler":
        return copy.deepcopy(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._configure()

    def _configure(self) -> None:
        """Write the core's registers. Priorities of TD errors come from here or the engine, not the core's unit."""
        tree, self._driver = self.tree, self.tree.driver
        initial = tree._initial = _initial(self._scale, self._driver.shape.priority_width)
        engine: dict[str, Any] = {}
        if isinstance(calls := tree._calls, EngineCalls):
            calls.saturated, engine = self._saturated, {"scale": self._scale, "follow": self._follows}
        else:
            calls.priorities, calls.initial = self._priorities, initial
        self._driver.configure(alpha=self._alpha, beta=self._beta, initial=initial, weights=True, **engine)

    def _now(self) -> int:
        """log2 of the unit, in steps of 1/256."""
        calls = self.tree._calls
        return calls.engine.scale if isinstance(calls, EngineCalls) else self._scale

    def _write(
        self,
        kind: int,
        indices: ArrayLike,
        td_errors: ArrayLike,
        generations: ArrayLike | None,
        only_taken: bool = True,
    ) -> np.ndarray:
        """Writes of TD errors."""
        return self.tree._calls.write(kind, indices, td_errors, generations, self._offset, only_taken)

    def _priorities(
        self, errors: np.ndarray, indices: np.ndarray | None = None, tags: np.ndarray | None = None
    ) -> np.ndarray:
        """Priorities of finite TD errors (n,), after the scale moved where they ask for it.

        A CoreWarning reports clipped ones. tags: what is stale by them moves nothing.
        """
        if not len(errors):
            return np.empty(0, np.int64)
        width, bits, lost = self._driver.shape.priority_width, 0, 0
        made = sumtree_maths.of_errors(errors, self._alpha, self._offset, self._scale, width)
        if (
            made.above
            and self._follows
            and indices is not None
            and tags is not None
            and self._driver.shape.generation_width
        ):
            fresh = self.tree.generations(indices) == tags
            errors = np.where(fresh, errors, np.abs(errors[fresh]).max(initial=0))
            made = sumtree_maths.of_errors(errors, self._alpha, self._offset, self._scale, width)
        if made.above and self._follows:
            bits = made.whole - (width - 2)
            lost = self._move(bits)
            made = sumtree_maths.of_errors(errors, self._alpha, self._offset, self._scale, width)
        if made.above or made.coarse or lost:
            self._say_saturated(len(errors), made.above, made.coarse, lost, bits)
        return made.priorities

    def _move(self, bits: int) -> int:
        """Take units 2**bits as large. Returns how many priorities became coarse."""
        before, after = self.tree._calls.recode(lambda p: sumtree_maths.moved(p, bits))
        self._scale = self._now() - bits * 256
        self._configure()
        return int(((after > 0) & (after < LEAST_FINE) & (before >= LEAST_FINE)).sum())

    def _saturated(self, count: int) -> None:
        """The engine clipped some priorities of a call of `count`."""
        calls = self.tree._calls
        if isinstance(calls, EngineCalls):
            self._say_saturated(count, *calls.engine.saturated())

    def _say_saturated(self, count: int, above: int, coarse: int, lost: int, bits: int) -> None:
        width = self._driver.shape.priority_width
        if above:
            least = self._error_of((1 << width) - 0.5)
            self._tally.add(
                "priorities",
                above,
                f"{above} of {count} TD errors have the largest priority that fits: those from {least:g} on are told "
                "apart with a smaller scale, without one, or with a larger priority_width",
            )
        if coarse:
            self._tally.add(
                "coarse",
                coarse,
                f"{coarse} of {count} TD errors are so small beside the largest one seen that their priority is below "
                f"50 units and their share off by more than 1 %: the least that is not is {self._least_fine():.3g}; "
                "a smaller alpha, a larger priority_epsilon or max_priority_within_buffer tell smaller ones apart",
            )
        if lost:
            self._tally.add(
                "rescaled",
                lost,
                f"a TD error was so large that the scale moved by {bits} bits: {lost} smaller priorities are now below "
                "50 units, and their share is off by more than 1 %",
            )

    def _least_fine(self) -> float:
        """The least |TD error| whose priority is within 1 %."""
        return self._error_of(LEAST_FINE)

    def _error_of(self, priority: float) -> float:
        """The |TD error| of a priority."""
        return max(sumtree_maths.error_of(priority, self._alpha, self._now()) - self._offset, 0.0)


def _initial(scale: int, width: int) -> int:
    """The priority of 1.0 in units of 2**-(scale/256), as a tree of `width` bits holds it."""
    return int(min(max(round(2.0 ** min(scale / 256, 64)), 1), (1 << width) - 1))
