"""Types of options name all options, and no others."""

import inspect
from dataclasses import asdict

from rlcores import Gae
from rlcores.cores.gae.api import GaeOptions
from rlcores.cores.learner.loss_settings import OPTIONAL, LossOptions, LossRegisters, LossSettings, bits, codes
from rlcores.cores.learner.networks import HYPER_DEFAULTS, LearnerOptions
from rlcores.eda import registers


def test_every_option_has_a_type() -> None:
    assert set(LearnerOptions.__annotations__) == set(HYPER_DEFAULTS)
    taken = inspect.signature(Gae).parameters.values()
    assert set(GaeOptions.__annotations__) == {p.name for p in taken if p.kind is p.KEYWORD_ONLY}


def test_a_setting_of_a_loss_is_declared_in_real_numbers_and_as_a_register() -> None:
    names = [list(kind.__annotations__) for kind in (LossOptions, LossSettings, LossRegisters)]
    assert names[0] == names[1] == names[2]
    known = registers.load("learner")
    for name in LossRegisters.__annotations__:
        if name.upper() in known:  # else it is a bit of CONTROL
            assert known[name.upper()].mask("rw").bit_length() == bits(name), name


def test_the_register_of_a_setting_has_its_default_and_its_range() -> None:
    assert LossRegisters(**codes(asdict(LossSettings(huber=None)), 16)) == LossRegisters()
    assert codes({"huber": 1.0}, 16) == {"huber": 1 << 16} and {"huber"} == OPTIONAL
