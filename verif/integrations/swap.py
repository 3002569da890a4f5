"""A pytest plugin that runs other libraries' own tests with the cores in the place of their classes.

The libraries' wheels bring no tests; with a checkout of theirs at the installed version:

    PYTHONPATH=verif/integrations pytest -p swap CHECKOUT/test/rb/test_prioritized.py     # torchrl; test_samplers.py
    PYTHONPATH=verif/integrations pytest -p swap CHECKOUT/test/objectives/test_values.py -k "gae or GAE"
    PYTHONPATH=verif/integrations pytest -p swap CHECKOUT/test/base/test_buffer.py        # tianshou
    PYTHONPATH=verif/integrations pytest -p swap CHECKOUT/tests/test_buffers.py           # SB3; test_gae.py

With RLCORES_NEAR=1e-4 in the environment numbers are compared within that share of the largest one, and with -s the
largest difference is printed. docs/integrations.md says what comes of it. Nothing but tests may use this: it changes
the libraries for the process.
"""

import atexit
import os
import sys

import numpy as np
import pytest


def everywhere(library: str, original: type, ours: type) -> int:
    """Put `ours` wherever a module of the library says `original`; returns in how many places.

    Not where it is made, nor where something is derived from it: those classes have methods that count on it.
    """
    places = 0
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] != library:
            continue
        classes = [x for x in vars(module).values() if isinstance(x, type) and issubclass(x, original)]
        # __module__ may say something nicer than where a class stands.
        if any(x.__init__.__code__.co_filename == getattr(module, "__file__", None) for x in classes):
            continue
        for key, value in list(vars(module).items()):
            if value is original:
                setattr(module, key, ours)
                places += 1
    return places


def torchrl() -> int:
    flags = sys.getdlopenflags()
    sys.setdlopenflags(os.RTLD_LAZY)
    try:
        import torch
        import torchrl.data  # noqa: F401
        from torchrl.data.replay_buffers.samplers import PrioritizedSampler
    finally:
        sys.setdlopenflags(flags)
    from rlcores.integrations.torchrl import SumTreeSampler

    class Tree:
        """The sampler's priorities, as torchrl's tests look at its trees."""

        def __init__(self, sampler: SumTreeSampler, empty: float) -> None:
            self.sampler, self.empty = sampler._sampler, empty

        def __getitem__(self, index):
            index = torch.as_tensor(index)
            priorities = self.sampler.tree.read(index.reshape(-1).numpy()) / self.sampler.unit
            priorities = torch.as_tensor(np.where(priorities == 0, self.empty, priorities), dtype=torch.float32)
            return priorities.reshape(index.shape) if index.ndim else float(priorities)

    class Swapped(SumTreeSampler):
        """What torchrl's tests look at beside what torchrl documents."""

        @property
        def _sum_tree(self):
            return Tree(self, 0.0)

        @property
        def _min_tree(self):
            return Tree(self, float("inf"))

        @property
        def _max_priority(self):
            priorities = self._sampler.tree.read(np.arange(self._max_capacity))
            return torch.tensor(self.default_priority), int(priorities.argmax())

    Swapped.__name__ = "PrioritizedSampler"
    return everywhere("torchrl", PrioritizedSampler, Swapped)


def torchrl_gae() -> int:
    """torchrl's loop over steps; its vectorised function stays, and the tests compare the two."""
    from torchrl.objectives.value import functional

    from rlcores.integrations.torchrl_gae import generalized_advantage_estimate

    original, places = functional.generalized_advantage_estimate, 0
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] == "torchrl" and getattr(module, original.__name__, None) is original:
            setattr(module, original.__name__, generalized_advantage_estimate)
            places += 1
    return places


def tianshou() -> int:
    import tianshou.data as library

    from rlcores.integrations import tianshou as ours

    one = everywhere("tianshou", library.PrioritizedReplayBuffer, ours.PrioritizedReplayBuffer)
    return one + everywhere("tianshou", library.PrioritizedVectorReplayBuffer, ours.PrioritizedVectorReplayBuffer)


def stable_baselines3() -> int:
    import stable_baselines3  # noqa: F401
    from stable_baselines3.common.buffers import ReplayBuffer, RolloutBuffer

    from rlcores.integrations.sb3 import GaeRolloutBuffer, PrioritizedReplayBuffer

    one = everywhere("stable_baselines3", ReplayBuffer, PrioritizedReplayBuffer)
    return one + everywhere("stable_baselines3", RolloutBuffer, GaeRolloutBuffer)


def near(share: float) -> None:
    """numpy.allclose and torch.testing.assert_close: within this share of the largest number instead of their own.

    The numbers that differ most are printed when the process ends.
    """
    worst = [0.0]

    def differ(actual, expected) -> float:
        if isinstance(expected, tuple | list):
            return max(map(differ, actual, expected))
        actual, expected = (np.asarray(getattr(x, "detach", lambda x=x: x)(), float) for x in (actual, expected))
        largest = float(np.abs(expected).max(initial=0.0))
        ratio = float(np.abs(actual - expected).max(initial=0.0)) / (largest or 1.0)
        worst[0] = max(worst[0], ratio)
        return ratio

    def assert_close(actual, expected, **_) -> None:
        ratio = differ(actual, expected)
        assert ratio <= share, f"they differ by {ratio:.1e} of the largest number"

    np.allclose = lambda actual, expected, **_: differ(actual, expected) <= share
    sys.modules["torch"].testing.assert_close = assert_close
    atexit.register(lambda: print(f"at most {worst[0]:.1e} of the largest number"))


def pytest_configure(config: pytest.Config) -> None:
    for swap in (torchrl, torchrl_gae, tianshou, stable_baselines3):
        try:
            print(f"{swap.__name__}: {swap()} places swapped")
        except ImportError as error:
            print(f"{swap.__name__}: not there ({error})")
    if os.environ.get("RLCORES_NEAR"):
        near(float(os.environ["RLCORES_NEAR"]))
