"""Permutations without a table: each is one, of any length, and they mix."""

import numpy as np
import pytest

from rlcores.cores.common.draws import Xoshiro128pp, state_of
from rlcores.cores.ppo import permute


def made(length: int, generator: Xoshiro128pp) -> np.ndarray:
    return permute.permutation(length, generator.take(permute.KEYS).tolist())


def test_every_length_is_permuted(seed):
    generator = Xoshiro128pp(state_of(seed))
    for length in [*range(1, 2200), 4095, 4096, 4097, 8192, 65536, 100_003]:
        assert (np.sort(made(length, generator)) == np.arange(length)).all(), length


def test_the_network_is_a_permutation_of_its_bits():
    # All ones and all zeros are keys too.
    for keys in ([0] * 12, [2**32 - 1] * 12):
        for bits in range(1, 13):
            assert len(np.unique(permute.mixed(np.arange(1 << bits), bits, keys))) == 1 << bits


def test_reference():
    keys = [0x9E3779B9 * i & 0xFFFFFFFF for i in range(1, 13)]
    assert permute.permutation(10, keys).tolist() == REFERENCE


def test_minibatches_are_mixed():
    """How many of a minibatch come from each quarter of the rollout: as if drawn; always the same 200 epochs."""
    generator, epochs = Xoshiro128pp(state_of(1)), 200
    for length, parts in ((1200, 4), (4096, 4), (8192, 4)):
        counts, together = np.zeros((epochs, parts, parts)), 0
        for epoch in range(epochs):
            order = made(length, generator).reshape(parts, -1)
            counts[epoch] = [np.bincount(row * parts // length, minlength=parts) for row in order]
            # Neighbours in time that stay in one minibatch.
            place = np.empty(length, int)
            place[order.reshape(-1)] = np.repeat(np.arange(parts), length // parts)
            together += int((place[1:] == place[:-1]).sum())
        each = length / parts
        expected = each / parts
        # Hypergeometric: of `each` drawn, those of a quarter.
        variance = expected * (1 - 1 / parts) * (length - each) / (length - 1)
        assert np.abs(counts.mean(0) - expected).max() < 4 * np.sqrt(variance / epochs)
        assert 0.85 * variance < counts.var(0).mean() < 1.15 * variance
        share = together / epochs / (length - 1)
        assert abs(share - (each - 1) / (length - 1)) < 0.005


@pytest.mark.parametrize(("bits", "keys"), [(0, 12), (33, 12), (4, 11)])
def test_what_is_no_network(bits, keys):
    with pytest.raises(ValueError, match=f"these are {bits} and {keys}"):
        permute.mixed(np.arange(2), bits, [0] * keys)


@pytest.mark.parametrize("length", [0, 2**32 + 1])
def test_what_is_no_length(length):
    with pytest.raises(ValueError, match=f"this one has {length}"):
        permute.permutation(length, [0] * 12)


REFERENCE = [6, 0, 5, 7, 4, 8, 2, 9, 3, 1]
