"""PPO core, what it will take: clocks and multipliers of the shape that is to be built."""

import pytest

from rlcores.cores.ppo.shape import balanced
from rlcores_lab.area import ppo as area
from rlcores_lab.cycles import ppo as cycles


def test_the_shape_to_build_keeps_the_targets_clocks_and_multipliers():
    shape = balanced()
    counted = cycles.cycles(shape, truncated=0.005)
    assert counted.per_step <= 72 and area.dsp(shape) <= 2280
    # The networks alone have these multiply-adds a step; no core of these multipliers can take fewer clocks.
    forward = sum(a * b for net in shape.networks.values() for a, b in zip(net.sizes, net.sizes[1:], strict=False))
    first = sum(net.sizes[0] * net.sizes[1] for net in shape.networks.values())
    macs = forward + shape.epochs * (3 * forward - first)
    assert macs == 113_600
    assert counted.per_step > macs / area.parts(shape)["tensor units"]


def test_every_unit_of_the_shape_to_build_keeps_one_pace():
    shape = balanced()
    assert cycles.t_forward(shape) == cycles.t_max(shape) == 64


def test_few_environments_wait_for_their_own_answers():
    few, many = balanced(), balanced()
    few = few.__class__(**{**few.__dict__, "environments": 8, "steps": 1024})
    assert few.records == many.records
    assert cycles.collect(few) >= cycles.loop(few) * 1024 > 2 * cycles.collect(many)


def test_networks_that_see_different_observations_are_refused():
    shape = balanced()
    other = shape.with_sizes(6, 3).critic
    with pytest.raises(ValueError, match="see the same observation"):
        shape.__class__(shape.actor, other).check()
