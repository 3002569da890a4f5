"""Fractions that follow their numbers: what is clipped lowers them at once, what is free raises them, and they rest."""

import numpy as np
import pytest

from rlcores.cores.learner.network import NetworkModel, scaled
from rlcores.cores.learner.update import gradient
from rlcores.cores.rl.exponents import WINDOW, Exponent, fitting


def run(exponent: Exponent, sizes: np.ndarray) -> list[int]:
    """The fraction after each batch whose largest number has that size, in real numbers."""
    fractions = []
    for size in sizes:
        code = round(size * 2.0**exponent.frac)
        most = (1 << (exponent.width - 1)) - 1
        exponent.see(min(code, most), int(code > most))
        exponent.move()
        fractions.append(exponent.frac)
    return fractions


@pytest.mark.parametrize("size", [1e-3, 0.07, 1.0, 40.0, 3000.0])
def test_a_tensor_of_one_size_gets_all_bits_but_one_and_stays(size: float) -> None:
    fractions = run(Exponent(12), np.full(400, size))
    wanted = min(31, 16 - int(np.floor(np.log2(size))) - 1)
    assert fractions[-1] == wanted and len(set(fractions[50:])) == 1


def test_numbers_that_grow_are_saturated_for_a_batch_and_no_longer() -> None:
    exponent = Exponent(12)
    run(exponent, np.full(300, 0.5))
    fractions = run(exponent, np.full(8, 4.0))
    # 0.5 had 16 fraction bits, one of 17 free: 4.0 fits with 14, and one is free again when the window has passed.
    assert fractions[:2] == [15, 14] and set(fractions[2:]) <= {13, 14}


def test_one_large_batch_in_many_does_not_make_fractions_swing(seed) -> None:
    sizes = np.where(np.arange(4000) % 100 == 99, 1.0, 0.1)
    exponent = Exponent(12)
    fractions = run(exponent, sizes)
    # A window as long as WINDOW has seen the large ones.
    assert WINDOW > 200 and len(set(fractions[1500:])) == 1


def test_a_tensor_of_zeros_says_nothing() -> None:
    exponent = Exponent(12)
    assert run(exponent, np.zeros(50)) == [12] * 50


def test_a_state_goes_on_where_it_was(seed) -> None:
    rng = np.random.default_rng(seed)
    sizes = np.exp(rng.normal(size=600))
    one, other = Exponent(12), Exponent(3)
    run(one, sizes[:300])
    other.load(one.state())
    assert run(one, sizes[300:]) == run(other, sizes[300:])


def test_fractions_that_make_no_shift_are_lowered(seed) -> None:
    """Whatever the numbers are, the core has every shift: Formats raises where it does not."""
    rng = np.random.default_rng(seed)
    for _ in range(500):
        layers = int(rng.integers(1, 5))
        act = rng.integers(0, 21, layers + 1)
        made = fitting(act, rng.integers(0, 32, layers), rng.integers(0, 48, layers))
        assert all(x <= y for x, y in zip(made.act_frac, act, strict=True))


def test_numbers_move_by_whole_bits_and_halves_go_up() -> None:
    x = np.array([5, -5, 7, -7, 1 << 60, -(1 << 60)])
    assert scaled(x, np.full(6, -1)).tolist() == [3, -2, 4, -3, 1 << 59, -(1 << 59)]
    assert scaled(x, np.full(6, 3))[:4].tolist() == [40, -40, 56, -56]
    assert abs(int(scaled(x, np.full(6, 5))[4])) < 1 << 62


@pytest.mark.parametrize("bits", [-4, -1, 1, 3])
def test_adam_goes_on_as_if_the_gradient_had_always_had_the_new_fraction(bits: int, seed) -> None:
    """A network whose gradients' fraction moved steps as one that had it from the beginning, to the last bits.

    The steps behind the move are compared: the first ones are as coarse as the smallest gradients in their fraction.
    """
    rng = np.random.default_rng(seed)
    sizes, exact = (3, 4, 2), rng.normal(size=(40, 26)) * 0.3
    weights = rng.integers(-(1 << 22), 1 << 22, 26)

    def made(frac: int) -> NetworkModel:
        net = NetworkModel(sizes, fitting([16, 16, 16], [20, 20], [frac, frac]))
        net.start(weights)
        return net

    def step(net: NetworkModel, real: np.ndarray) -> None:
        net.set_optimiser(log_rate=26000, log_eps=-100_000, log_clip=3 * 2048)
        g, _ = gradient(np.round(real * 2.0**36).astype(np.int64), 36 - net.grad_frac, True)
        net.update(g, False)

    moved, always = made(22), made(22 + bits)
    for real in exact[:20]:
        step(moved, real), step(always, real)
    assert moved.reformat(always.formats) == 0
    before = [net.planes[0].copy() for net in (moved, always)]
    for real in exact[20:]:
        step(moved, real), step(always, real)
    ways = [net.planes[0] - start for net, start in zip((moved, always), before, strict=True)]
    apart, longest = np.abs(ways[0] - ways[1]).max(), np.abs(ways[1]).max()
    assert longest > 1000 and apart < longest / 100
