"""`rlcores lint`: which linters look at which configuration, in a minute and with --whole."""

import pytest

from rlcores import cli
from rlcores.eda import configs, lint


@pytest.fixture
def linted(monkeypatch: pytest.MonkeyPatch) -> list[tuple]:
    """What the command lints, each time: parameters, whether thoroughly, in all passes, and with Verilator at all."""
    seen = []

    def run(vlnv, parameters=None, *, thorough, whole, verilator):
        seen.append((parameters, thorough, whole, verilator))
        return True, ""

    monkeypatch.setattr(lint, "run", run)
    return seen


def linted_as(seen: list[tuple], config: str | None) -> tuple:
    """How the command lints a configuration of the learner, or its defaults."""
    parameters = configs.load("learner", config) if config else None
    return next(how for what, *how in seen if what == parameters)


def test_slang_reads_every_configuration_and_verilator_the_defaults_and_what_is_simulated(linted) -> None:
    assert cli.run(["lint", "learner"]) == 0
    names = configs.names("learner")
    assert len(linted) == 1 + len(names)
    assert linted_as(linted, "tiny") == [True, True, True]
    assert linted_as(linted, None) == [False, False, True]
    simulated = {config.name for config in configs.simulated("learner")} - {"tiny"}
    assert len(simulated) > 5 and {"u200", "zcu106", "ddpg_u200"} <= set(names) - simulated
    for name in set(names) - {"tiny"}:
        assert linted_as(linted, name) == [False, False, name in simulated], name


def test_all_passes_of_verilator_run_on_every_configuration_with_whole(linted) -> None:
    assert cli.run(["lint", "learner", "--whole"]) == 0
    assert len(linted) == 1 + len(configs.names("learner"))
    assert all(whole and verilator for _, _, whole, verilator in linted)
    assert linted_as(linted, "tiny") == linted_as(linted, None) == [True, True, True]


def test_a_core_without_configurations_is_linted_by_all(linted) -> None:
    assert cli.run(["lint", "common"]) == 0
    assert linted == [(None, True, True, True)]
