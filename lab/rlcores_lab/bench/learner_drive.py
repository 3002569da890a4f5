"""The native learner core under its C++ driver: planes in and out, batches of records streamed, every clock noted.

learner_drive.cpp clocks the Verilated core itself. Here its numbers become those of the integer model, so that the two
can be compared, and the model of the same core, formats and registers is made.
"""

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rlcores.cores.learner.format import DdpgFormats, LearnerFormats, LearnerSettings
from rlcores.cores.learner.layout import Matrices, WeightLayout, planes
from rlcores.cores.learner.model import COUNTERS, DdpgLearner, ValueLearner
from rlcores.cores.learner.records import Records, pack_records
from rlcores.cores.learner.registers import ports
from rlcores.cores.learner.shape import LearnerShape
from rlcores.cores.learner.words import NETWORKS
from rlcores.errors import RunFailed
from rlcores_lab.bench.drive import NUMBER, POINTER, Drive, in_words, load

VLNV, TOP = "rlcores:learner:learner", "rlc_learner"

# In the order of Bench::configure.
PORTS = (
    "batch", "double", "lag", "gamma", "reward_scale", "huber", "sync_interval", "tau", "seed", "fracs",
    "optimisers", "pass_delta", "pass_frac",
)  # fmt: skip


class _Result(ctypes.Structure):
    _fields_ = (
        *((name, NUMBER) for name in ("clocks", "priorities", "steps")),
        *((name, NUMBER * COUNTERS) for name in ("busy", "waiting", "saturated")),
        ("wrong", NUMBER),
        ("message", ctypes.c_char * 256),
    )


@dataclass(frozen=True)
class Run:
    """What a run of batches gave. Arrays of 64: by stage, as the core's unit_busy."""

    priorities: list[np.ndarray]  # of each batch, int64
    begun: np.ndarray  # clock in which a batch's first beat was taken
    done: np.ndarray  # clock of its step_done
    clocks: int  # counted ones, to the last step_done
    busy: np.ndarray  # of these, clocks in which the unit worked
    waiting: np.ndarray  # clocks in which it could not
    saturated: np.ndarray

    @property
    def latency(self) -> int:
        """Clocks from a batch's first beat to its new weights, the first batch's."""
        return int(self.done[0] - self.begun[0])

    @property
    def period(self) -> float:
        """Clocks per step, back to back: the mean of all steps but the first."""
        return float(self.done[-1] - self.done[0]) / (len(self.done) - 1)


Learner = ValueLearner | DdpgLearner


class LearnerDrive(Drive):
    """One instance of the Verilated native core under the driver."""

    def __init__(self, parameters: Mapping[str, int | str]) -> None:
        """parameters: Verilog parameters of rlc_learner. Raises RunFailed when it does not build."""
        self.parameters = dict(parameters)
        self.shape = LearnerShape.of(parameters)
        self.layouts = [WeightLayout(net) for net in self.shape.networks]
        super().__init__(
            load(VLNV, TOP, self.parameters, "learner_drive.cpp"),
            reset=(None,),
            configure=(None, POINTER),
            seed=(None,),
            formats_fit=(ctypes.c_int,),
            host=(NUMBER, ctypes.c_int, ctypes.c_int, ctypes.c_uint, POINTER, NUMBER),
            run=(None, *[POINTER] * 6, ctypes.POINTER(_Result)),
        )
        self.steps = 0  # that the core has done since its reset

    def reset(self) -> None:
        """Reset the core: its counters restart, its weights are to be loaded again."""
        self._call("reset")
        self.steps = 0

    def model(self, formats: LearnerFormats | DdpgFormats, settings: LearnerSettings) -> Learner:
        """The integer model of this core."""
        make = ValueLearner if self.shape.actor is None else DdpgLearner
        return make(self.shape, formats, settings)

    def configure(self, formats: LearnerFormats | DdpgFormats, settings: LearnerSettings) -> None:
        """Set the configuration ports. Raises RunFailed when the core finds that the fractions do not fit."""
        by_port = ports(formats, settings)
        values = in_words([by_port[f"cfg_{name}"] for name in PORTS])
        self._call("configure", values.ctypes.data)
        if not self._call("formats_fit"):
            raise RunFailed("the core says that its fractions do not fit together")

    def seed(self) -> None:
        """Start the generators of stochastic rounding with the seed that is configured."""
        self._call("seed")

    def load(self, plane: int, matrices: Matrices, network: int = 0) -> int:
        """Load a plane of a network, integers; returns the clocks it took. Raises RunFailed."""
        words = self.layouts[network].to_stream(matrices)
        return self._host(False, network, plane, words)

    def read(self, plane: int, network: int = 0) -> Matrices:
        """A plane of a network, int64 (W, b) layer by layer. Raises RunFailed."""
        layout = self.layouts[network]
        words = np.zeros(layout.beats, np.int64)
        self._host(True, network, plane, words)
        return layout.from_stream(words)

    def load_model(self, model: Learner) -> int:
        """Load every plane from the integer model's present state; returns the clocks it took."""
        return sum(
            self.load(plane, net.matrices(plane), number)
            for number, net in enumerate(self._networks(model))
            for plane in planes(self.shape)
        )

    def differences(self, model: Learner) -> dict[str, int]:
        """Numbers of each network and plane that are not the integer model's; empty when all are the same."""
        wrong_counts = {}
        for number, net in enumerate(self._networks(model)):
            for plane in planes(self.shape):
                pairs = zip(self.read(plane, number), net.matrices(plane), strict=True)
                wrong = sum(int((x != y).sum()) for mine, other in pairs for x, y in zip(mine, other, strict=True))
                if wrong:
                    wrong_counts[f"{NETWORKS[number]} plane {plane}"] = wrong
        return wrong_counts

    def run(
        self,
        batches: Sequence[Records],
        *,
        alone: bool = False,
        rec_gap: int = 0,
        prio_wait: int = 0,
        seed: int = 1,
    ) -> Run:
        """Train on these batches, which all have the configured length.

        alone: a batch is offered when the one before is done, else always. rec_gap, prio_wait: chances in 256 and a
        clock that no beat is offered, no priority taken. Raises RunFailed when the core hangs or gives out too much.
        """
        beats = np.ascontiguousarray(np.concatenate([pack_records(r, self.shape.value.lanes[0]) for r in batches]))
        count, room = len(batches), sum(len(r) for r in batches)
        priorities, lasts = np.zeros(room, np.uint32), np.zeros(room, np.uint8)
        begun, done = np.zeros((2, count), np.uint64)
        # In the order of the driver's Plan.
        plan = (NUMBER * 7)(seed, count, len(beats) // count, alone, rec_gap, prio_wait, room)
        result = _Result()
        arrays = (x.ctypes.data for x in (beats, priorities, lasts, begun, done))
        self._call("run", ctypes.byref(plan), *arrays, ctypes.byref(result))
        if result.wrong:
            raise RunFailed(f"the learner core fails: {result.message.decode()}")
        self.steps += count
        if result.steps != self.steps:
            raise RunFailed(f"the core counts {result.steps} steps; it has done {self.steps}")
        ends = np.flatnonzero(lasts[: result.priorities]) + 1
        if len(ends) != count or ends[-1] != result.priorities:
            raise RunFailed(f"{count} batches gave {len(ends)} last priorities among {result.priorities}")
        return Run(
            [part.astype(np.int64) for part in np.split(priorities[: result.priorities], ends[:-1])],
            begun.astype(np.int64),
            done.astype(np.int64),
            int(result.clocks),
            *(np.array(x[:], np.int64) for x in (result.busy, result.waiting, result.saturated)),
        )

    def _host(self, read: bool, network: int, plane: int, words: np.ndarray) -> int:
        clocks = self._call("host", read, network, plane, words.ctypes.data, len(words))
        if not clocks:
            raise RunFailed(f"plane {plane} does not {'come out' if read else 'go in'}: wrong length, or no answer")
        return clocks

    @staticmethod
    def _networks(model: Learner) -> list:
        return [model.network] if isinstance(model, ValueLearner) else [model.network, model.actor]
