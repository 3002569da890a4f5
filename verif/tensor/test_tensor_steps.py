"""Programs of the tensor unit: clocks, multiply-adds, and the tables of docs/tensor.md."""

import doctest

import numpy as np
import pytest

from rlcores.base import paths
from rlcores.cores.tensor import actor_critic, clocks, dqn, parameters, program, steps, vector
from rlcores.cores.tensor.program import Matrix, TensorShape


def test_the_tables_of_the_page_are_what_the_command_prints() -> None:
    page = (paths.root() / "docs/tensor.md").read_text()
    largest = parameters.group_count(TensorShape(8, 4), Matrix(0, 256, 256, 0))
    assert f"the update of the largest layer takes {largest:,} clocks" in page.replace("\n", " ")
    assert [row for row in steps.counts() if row not in page] == []


def test_the_table_of_whole_steps_is_what_the_command_prints() -> None:
    page = (paths.root() / "docs/tensor.md").read_text()
    rows = clocks.counts()
    assert [row for row in rows if row not in page] == []
    (large,) = (row for row in rows if row.startswith("| SAC, 17-256-256-6, batch 256 | 8 | 4 |"))
    assert int(large.split("|")[-2].replace(",", "")) <= 150_000
    assert [row for row in clocks.activations() if row not in page] == []


def test_a_step_of_sac_keeps_its_limits() -> None:
    step = steps.sac(TensorShape(8, 4, places=512), 17, 6, (256, 256), 256)
    assert step.clocks <= 150_000
    assert step.multiply_adds == 288_686_080
    # The products are those of two actors' passes, six critics', three ways back and three gradients.
    assert len(step.products) == 3 * (2 + 6) + 2 * 2 + 2 * 3 + 2 + 3 * 3


@pytest.mark.parametrize("module", [program, parameters, vector, actor_critic, dqn])
def test_examples_run(module) -> None:
    outcome = doctest.testmod(module, extraglobs={"np": np, "TensorShape": TensorShape, "Matrix": Matrix})
    assert outcome.attempted and not outcome.failed


def test_groups_are_taken_apart_again() -> None:
    rng = np.random.default_rng(1)
    shape = TensorShape(4, 2)
    for outputs, inputs in ((1, 1), (5, 3), (8, 17)):
        layer = Matrix(0, outputs, inputs, 0)
        w, b = rng.integers(-99, 99, (outputs, inputs)), rng.integers(-99, 99, outputs)
        groups = parameters.groups_of(shape, layer, w, b)
        assert len(groups) == parameters.group_count(shape, layer)
        again = parameters.of_groups(shape, layer, groups)
        assert np.array_equal(again[0], w) and np.array_equal(again[1], b)


def test_what_a_field_does_not_hold_is_refused() -> None:
    layer, x = Matrix(1 << 16, 8, 8, 0), program.Tensor(0, 8)
    command = program.forward(TensorShape(), layer, x, x, batch=1, shift=0, bias_shift=0)
    with pytest.raises(ValueError, match="block_base of the word command is 65536; it has 16 bits"):
        command.pack()
    with pytest.raises(ValueError, match="first of the word update is 65536; it has 16 bits"):
        parameters.update(TensorShape(), Matrix(0, 8, 8, 0), first=1 << 16)
    with pytest.raises(ValueError, match="2 words of a row of blocks have no room; the unit has 1 places for sums"):
        program.forward(TensorShape(places=1), x=x, y=x, layer=Matrix(0, 8, 8, 0), batch=64, shift=0, bias_shift=0)
