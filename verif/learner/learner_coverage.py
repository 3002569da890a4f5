"""Functional coverage of the learner core: what a shape must see, and what a batch hits."""

from collections.abc import Mapping

import numpy as np
from learner_reference import optimisers_of
from learner_structure import stages, structure
from uvm_coverage import Coverage

from rlcores.cores.learner.format import FACTOR_ONE
from rlcores.cores.learner.layout import planes
from rlcores.cores.learner.optimisers import ADAM, SGD
from rlcores.cores.learner.optimisers.slot import STOCHASTIC
from rlcores.cores.learner.records import Records
from rlcores.cores.learner.shape import LearnerShape

COVERAGE = Coverage()

PORTS = ("s_rec", "m_prio", "s_load", "m_read")
PLANES = ("weights", "target", "first", "second")


def goal(shape: LearnerShape) -> set[str]:
    """The bins that a simulation of this shape must hit."""
    bins = structure(shape) | {f"sat.{stage}" for stage in stages(shape)} | {"sat.none"}
    bins |= {f"stall.{port}" for port in PORTS}
    bins.add("pressure.held")
    bins |= {"batch.one", "batch.most", "batch.between", "batch.again", "batch.other_size"}
    if shape.columns > 1:
        bins |= {"batch.part_of_a_batch_slice", "batch.whole_batch_slices"}
    if shape.columns > 2:
        bins.add("batch.less_than_a_batch_slice")
    bins |= {"loss.squared", "huber.clips", "huber.passes", "terminated.some", "terminated.none", "terminated.all"}
    bins |= {"weight.one", "weight.less", "weight.zero", "weight.over", "reward.over", "reward_scale.one"}
    bins |= {"reward_scale.less", "gamma.one", "gamma.less", "gamma.zero", "priority.zero", "priority.most"}
    if shape.actor is None:
        bins |= {"double.on", "double.off", "action.first", "action.last"}
        bins |= {"action.none", "action.none_last", "action.none_all"}
    else:
        bins |= {"lag.on", "lag.off"}
    bins |= {"sync.off", "sync.every", "sync.not_now", "sync.now", "sync.hard"}
    if shape.polyak:
        bins |= {"sync.average", "sync.average_most"}
    if shape.optimiser == ADAM:
        bins |= {"adam.floor", "adam.clip", "adam.free"}
    else:
        bins |= {"rate.zero", "rate.some", "rate.most"}
        bins |= {"momentum.zero", "momentum.most"} if shape.optimiser != SGD else set()
    if shape.rounding == STOCHASTIC:
        bins |= {"seed.same_again", "seed.goes_on"}
    bins |= {f"{what}.{PLANES[plane]}" for what in ("load", "read") for plane in planes(shape)}
    bins |= {"load.between_steps", "load.first", "run.stopped_inside", "run.idle", "run.again", "config.refused"}
    bins |= {f"abort.{what}" for what in ("inside", "whole", "load", "read", "idle", "stuck", "stale", "again", "run")}
    return bins | {"clear.counters", "reset.inside", "reset.idle", "steps", "records"}


class Sampler:
    """Looks at each batch as the model takes it, and counts bins."""

    def __init__(self, shape: LearnerShape) -> None:
        self.shape = shape
        self.coverage = COVERAGE
        self._stages = stages(shape)
        self._batch = 0
        COVERAGE.want(goal(shape))

    def hit(self, name: str, times: int = 1) -> None:
        """Count a bin."""
        self.coverage.hit(name, times)

    def missing(self, *prefixes: str) -> list[str]:
        """Bins of the goal that begin so and were not hit yet."""
        return [name for name in self.coverage.holes if name.startswith(prefixes)]

    def batch(self, ports: Mapping[str, int], records: Records, priorities: list[int], counted: np.ndarray) -> None:
        """A batch was done with these registers and answers; counted: what it added to the counters."""
        for name in structure(self.shape):
            self.hit(name)
        count, columns = len(records), self.shape.columns
        self.hit("steps")
        self.hit("records", count)
        self.hit("batch.one", count == 1)
        self.hit("batch.most", count == self.shape.batch_max)
        self.hit("batch.between", 1 < count < self.shape.batch_max)
        self.hit("batch.again", count == self._batch)
        self.hit("batch.other_size", self._batch not in (0, count))
        self._batch = count
        if columns > 1:
            self.hit("batch.part_of_a_batch_slice" if count % columns else "batch.whole_batch_slices")
            self.hit("batch.less_than_a_batch_slice", count < columns)
        self._loss(ports, records, priorities)
        self._records(records)
        for name, number in self._stages.items():
            self.hit(f"sat.{name}", int(counted[number]))
        self.hit("sat.none", not counted.any())
        self._optimiser(ports)

    def _loss(self, ports: Mapping[str, int], records: Records, priorities: list[int]) -> None:
        huber = ports["huber"]
        self.hit("loss.squared", huber == 0)
        self.hit("huber.clips", huber and any(p > huber for p in priorities))
        self.hit("huber.passes", huber and any(0 < p <= huber for p in priorities))
        self.hit("priority.zero", 0 in priorities)
        self.hit("priority.most", 2**26 - 1 in priorities)
        for name in ("gamma", "reward_scale"):
            value = ports[name]
            self.hit(f"{name}.{'one' if value == FACTOR_ONE else 'less' if value else 'zero'}")
        if self.shape.actor is None:
            self.hit(f"double.{'on' if ports['double'] else 'off'}")
        else:
            self.hit(f"lag.{'on' if ports['lag'] else 'off'}")

    def _records(self, records: Records) -> None:
        terminated, weights = records.terminated, records.weights
        some = "all" if terminated.all() else "some" if terminated.any() else "none"
        self.hit(f"terminated.{some}")
        self.hit("weight.one", int((weights == FACTOR_ONE).sum()))
        self.hit("weight.less", int(((weights > 0) & (weights < FACTOR_ONE)).sum()))
        self.hit("weight.zero", int((weights == 0).sum()))
        self.hit("weight.over", int((weights > FACTOR_ONE).sum()))
        self.hit("reward.over", int((abs(records.rewards) >= 2**26).sum()))
        if self.shape.actor is None:
            last = self.shape.value.sizes[-1] - 1
            none = records.actions > last
            self.hit("action.first", int((records.actions == 0).sum()))
            self.hit("action.last", int((records.actions == last).sum()))
            self.hit("action.none", bool(none.any()))
            self.hit("action.none_last", bool(none[-1]))
            self.hit("action.none_all", bool(none.all()))

    def _optimiser(self, ports: Mapping[str, int]) -> None:
        fields = optimisers_of(ports, 1)[0]
        if self.shape.optimiser == ADAM:
            eps, clip = fields["log_eps"], fields["log_clip"]
            self.hit("adam.floor", eps > 0)
            self.hit("adam.clip", clip < 0)
            self.hit("adam.free", eps < 0 < clip)
            return
        rate = fields["rate"]
        self.hit("rate.zero" if rate == 0 else "rate.most" if rate == 2**17 - 1 else "rate.some")
        if self.shape.optimiser != SGD:
            self.hit("momentum.zero", fields["momentum"] == 0)
            self.hit("momentum.most", fields["momentum"] == 2**17 - 1)

    def sync(self, ports: Mapping[str, int], steps: int) -> None:
        """Step number `steps` (from 1) is done: did the target follow?"""
        interval, tau = ports["sync_interval"], ports["tau"]
        self.hit("sync.off", interval == 0)
        self.hit("sync.every", interval == 1)
        if interval == 0:
            return
        now = steps % interval == 0
        self.hit("sync.now" if now else "sync.not_now")
        average = self.shape.polyak and tau
        self.hit("sync.average" if average else "sync.hard", now)
        self.hit("sync.average_most", now and average and tau == 2**17 - 1)
