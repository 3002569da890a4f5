"""The driver of the integer model of a learner core; what it offers is what every driver of the core offers.

All numbers are raw, as in the core's registers and streams; rlcores.cores.learner.api has units and checks.
"""

from operator import attrgetter
from typing import Any

import numpy as np

from rlcores.cores.learner.format import DdpgFormats, LearnerFormats, LearnerSettings
from rlcores.cores.learner.layout import WEIGHTS, Matrices, plane_range, planes
from rlcores.cores.learner.model import DdpgLearner, ValueLearner
from rlcores.cores.learner.records import Records
from rlcores.cores.learner.shape import LearnerShape
from rlcores.errors import RunFailed, UserError


class LearnerError(RunFailed):
    """The core is not what was expected, or refused what was asked; nothing was changed."""


def check_records(shape: LearnerShape, records: Records, batch: int) -> None:
    """Raises UserError when records are not a batch of this length for this core."""
    if len(records) != batch:
        raise UserError(f"the batch has {len(records)} records; register BATCH says {batch}")
    sizes = {
        "states": (records.states, (batch, shape.state_size)),
        "next_states": (records.next_states, (batch, shape.state_size)),
        "actions": (records.actions, (batch, shape.action_size) if shape.actor else (batch,)),
    }
    for name, (array, wanted) in sizes.items():
        if array.shape != wanted:
            raise UserError(f"{name} have shape {array.shape}; this core takes {wanted}")


def priorities_of(shape: LearnerShape, records: Records) -> int:
    """How many priorities the core gives for a batch."""
    if shape.actor:
        return len(records)
    valid = (records.actions >= 0) & (records.actions < shape.value.sizes[-1])
    return int(valid.sum()) + (not valid[-1])


def check_plane(shape: LearnerShape, plane: int, network: int) -> None:
    """Raises UserError when the core has no such plane or network."""
    if not 0 <= network < len(shape.networks):
        raise UserError(f"network is {network}; this core has numbers 0 to {len(shape.networks) - 1}")
    if plane not in planes(shape):
        raise UserError(f"plane {plane} does not exist; this core's optimiser has {', '.join(map(str, planes(shape)))}")


def check_range(shape: LearnerShape, plane: int, values: np.ndarray) -> None:
    """Raises UserError when a value does not fit the plane."""
    low, high = plane_range(plane, shape.optimiser, shape.polyak)
    if values.min() < low or values.max() > high:
        wrong = values[(values < low) | (values > high)][0]
        raise UserError(f"a value of plane {plane} is {wrong}; it must be {low} to {high}")


def check_batch(shape: LearnerShape, batch: int) -> None:
    """Raises UserError when a batch of this length does not fit the core."""
    if not 1 <= batch <= shape.batch_max:
        raise UserError(f"the batch has {batch} records; this core takes 1 to {shape.batch_max}")


class LearnerModelDriver:
    """Driver over the integer model. Planes are numbered as in rlcores.cores.learner.layout.

    Raises LearnerError when the core refuses, and UserError for what can be seen before; nothing is changed then.
    """

    MODELS: tuple[type[ValueLearner], type[DdpgLearner]] = ValueLearner, DdpgLearner

    def __init__(self, shape: LearnerShape) -> None:
        """The core as it is after reset, its weights all 0."""
        self.shape = shape
        self._model: ValueLearner | DdpgLearner | None = None
        self._formats: LearnerFormats | DdpgFormats | None = None
        self._running = False

    def __setstate__(self, state: dict[str, Any]) -> None:
        """From pickle or copy, which part the views of arrays from the arrays: the model is made anew."""
        self.__dict__.update(state)
        if self._model is not None:
            self._rebuild(self._formats, self._model.settings)

    @property
    def model(self) -> ValueLearner | DdpgLearner:
        """The model itself. Raises UserError before configure()."""
        if self._model is None:
            raise UserError("the learner is not configured yet: it has no formats")
        return self._model

    def configure(self, formats: LearnerFormats | DdpgFormats, settings: LearnerSettings) -> None:
        """Write what differs from before; a new seed restarts the generators of stochastic rounding."""
        self._idle("its registers were not changed")
        if self._model is not None and settings is self._model.settings and formats is self._formats:
            return
        check_batch(self.shape, settings.batch)
        if formats is not self._formats and formats != self._formats:
            self._rebuild(formats, settings)
            return
        new_seed = settings.seed != self.model.settings.seed
        self.model.settings = settings
        if new_seed:
            self.model.seed(settings.seed)

    def _rebuild(self, formats: LearnerFormats | DdpgFormats, settings: LearnerSettings) -> None:
        kind = self.MODELS[self.shape.actor is not None]
        new, old = kind(self.shape, formats, settings), self._model
        if old is not None:
            for made, held in zip(new.networks, old.networks, strict=True):
                for plane in planes(self.shape):
                    made.set_flat(held.planes[plane].copy(), plane)
                if settings.seed == old.settings.seed:
                    # Only a new seed restarts the generators of stochastic rounding.
                    made.continue_dither(held)
            new.steps, new.since_sync, new.counters = old.steps, old.since_sync, old.counters
        self._model, self._formats = new, formats

    def load(self, matrices: Matrices, plane: int = WEIGHTS, network: int = 0) -> None:
        """Set a plane of a network from (W, b) layer by layer. Not while the core runs."""
        check_plane(self.shape, plane, network)
        self._idle("the weights were not loaded")
        self.model.networks[network].set_matrices(matrices, plane)

    def read(self, plane: int = WEIGHTS, network: int = 0) -> Matrices:
        """A plane of a network, int64 (W, b) layer by layer. Not while the core runs."""
        check_plane(self.shape, plane, network)
        self._idle("the weights were not read")
        return self.model.networks[network].matrices(plane)

    def step(self, records: Records) -> np.ndarray:
        """Train on one batch of LearnerSettings.batch records: |TD error| of the valid ones, int64, in order.

        A record of an action that does not exist is not valid; if it is the last one, a 0 stands for it.
        """
        check_records(self.shape, records, self.model.settings.batch)
        return self.model.step_records(records)

    def start(self) -> None:
        """Let the core take batches: registers and weights are refused until stop(). step() does it by itself."""
        self._running = True

    def abort(self) -> None:
        """Back to idle from wherever a core is, as after a call that failed; nothing is ever under way here.

        Batches taken in whole are trained; half a batch is forgotten, and a load or a read is given up: a plane that
        was loaded in part must be loaded again.
        """

    def stop(self) -> None:
        """Take no new batch; returns when the core is idle."""
        self._running = False

    def continue_from(self, since_sync: int, seed: int) -> None:
        """Forget the weights; the next target update counts `since_sync` steps, and the rounding begins at this seed.

        All that configure() writes must be written again.
        """
        self.model.since_sync = since_sync
        self.model.seed(seed)

    steps = property(attrgetter("model.steps"), doc="Steps since reset.")

    def counters(self) -> np.ndarray:
        """Saturations of every stage since reset or clear_counters(), int64 (64,)."""
        return np.minimum(self.model.counters, 2**32 - 1)

    def clear_counters(self) -> None:
        """Set all counters to 0."""
        self.model.counters[:] = 0

    def _idle(self, otherwise: str) -> None:
        if self._running:
            raise LearnerError(f"the learner is running: {otherwise}")
