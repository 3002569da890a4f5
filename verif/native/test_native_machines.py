"""What Python asks of the engine, repeated without Python on other machines and under detectors: the bits are the same.

The traffic is that of the other tests here, which compare it with the models while the tape runs.
"""

import itertools
import os
import platform
import re
import shutil
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import _rlcores_native
import numpy as np
import pytest
import test_native_banked as banked
import test_native_envs as envs
import test_native_floats as floats
import test_native_gae as gae
import test_native_learner as learner
import test_native_policy as policy
import test_native_ppo as ppo
import test_native_sumtree as sumtree
import test_native_trained as trained
from programs import built
from tape import Tape

from rlcores import PrioritizedSampler, ReplayBuffer, ReplayLearner, native
from rlcores.base import paths
from rlcores.cores.env import native as env_native
from rlcores.cores.gae import native as gae_native
from rlcores.cores.learner import native as learner_native
from rlcores.cores.learner import policy as learner_policy
from rlcores.cores.policy import native as policy_native
from rlcores.cores.ppo import native as ppo_native
from rlcores.cores.rl import native as rl_native
from rlcores.cores.rl import native_stages
from rlcores.cores.sumtree import native_driver as sumtree_native
from rlcores.native import floats as native_floats
from rlcores.replay import store

pytestmark = [pytest.mark.slow, pytest.mark.skipif(paths.root().name == "data", reason="needs a checkout")]

COMPILER, OBJDUMP, EMULATOR = "aarch64-linux-gnu-g++", "aarch64-linux-gnu-objdump", "qemu-aarch64"
ABSENT = [tool for tool in (COMPILER, OBJDUMP, EMULATOR) if not shutil.which(tool)]
needs_aarch64 = pytest.mark.skipif(
    bool(ABSENT),
    reason=f"{', '.join(ABSENT)}: not installed; the system packages are g++-aarch64-linux-gnu and qemu-user",
)
DETECTORS = "-fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all"


def of_samplers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    both = [PrioritizedSampler(50, backend=backend, seed=seed, batch_size=16) for backend in ("native", "model")]
    for _ in range(30):
        errors, lazy = rng.normal(size=7), rng.lognormal(size=3).astype(np.float32)
        for sampler in both:
            sampler.add(td_errors=errors)
            slots = sampler.reserve(3)
            sampler.commit(*slots, lazy)
        batches = [sampler.sample() for sampler in both]
        assert all(a.tobytes() == b.tobytes() for a, b in zip(*batches, strict=True))
        for sampler, batch in zip(both, batches, strict=True):
            sampler.update(batch.indices, np.arange(16.0) - 8, batch.generations)


def of_replay_learners(seed: int) -> None:
    rng = np.random.default_rng(seed)
    options = {"buffer_size": 40, "batch_size": 8, "seed": 0}
    both = [ReplayLearner((3, 8, 2), backend=backend, **options) for backend in ("native", "model")]
    for _ in range(4):
        states, following = rng.normal(size=(2, 12, 3))
        experiences = states, rng.integers(0, 2, 12), rng.normal(size=12), following, rng.random(12) < 0.2
        for one in both:
            one.add(*experiences)
            one.train(5)
        weights = [one.weights() for one in both]
        assert all(np.array_equal(weights[0][name], weights[1][name]) for name in weights[1])


def of_replay_buffers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    arrays = {"observation": ((3,), "float32"), "action": ((), "int64")}
    options = {"num_envs": 2, "n_steps": 3, "frame_stack": 2, "seed": seed}
    both = [ReplayBuffer(20, arrays, backend=backend, **options) for backend in ("native", "model")]
    following = rng.normal(size=(2, 3)).astype(np.float32)
    for _ in range(40):
        seen, following = following, rng.normal(size=(2, 3)).astype(np.float32)
        ends = rng.random((2, 2)) < 0.1
        step = {"observation": seen, "next_observation": following, "action": rng.integers(0, 4, 2)}
        step |= {"reward": rng.normal(size=2).astype(np.float32), "terminated": ends[0], "truncated": ends[1]}
        for buffer in both:
            buffer.add(**step)
        slots = rng.integers(0, len(both[0]), 9)
        for read in ([buffer.read(slots) for buffer in both], [buffer.sample(5).arrays for buffer in both]):
            assert all(read[0][name].tobytes() == read[1][name].tobytes() for name in read[1])


KINDS = list(itertools.product(learner.OPTIMISERS, learner.ROUNDINGS))
TRAFFIC: dict[str, Callable[[int], object]] = {
    "sum tree": lambda seed: [
        sumtree.test_random_traffic_gives_the_models_integers(name, seed) for name in sumtree.SHAPES
    ],
    "sum tree in banks": lambda seed: [
        banked.test_random_traffic_gives_the_models_integers(name, 4, seed) for name in ("small", "no tags", "both")
    ],
    "samplers": of_samplers,
    "gae": lambda seed: [gae.test_every_number_is_the_models(core, seed) for core in [None, *gae.parameters()]],
    "gae kinds": gae.test_rewards_of_every_kind_are_the_models,
    "gae floats": lambda seed: [
        gae.test_plain_floats_are_those_of_numpys_loop_to_the_bit(accuracy, seed) for accuracy in gae.FLOATS
    ],
    "learner": lambda seed: [learner.test_every_step_is_the_models(*one, seed) for one in KINDS],
    "ddpg": lambda seed: [learner.test_every_step_of_ddpg_is_the_models(*one, seed) for one in KINDS],
    "environments": lambda seed: [envs.test_random_traffic_gives_the_models_answers(name, seed) for name in envs.NAMES],
    "ppo": lambda seed: [
        *(
            ppo.test_gradient_steps_are_the_models(seed, *one, 0.2)
            for one in itertools.product((False, True), repeat=2)
        ),
        *(
            ppo.test_iterations_are_the_models(seed, physics, False, True, bits)
            for physics, bits in itertools.product(ppo.ENVIRONMENTS, (0, 8))
        ),
    ],
    "policies": lambda seed: [
        policy.test_every_answer_is_the_models(*network, continuous, native.isa(), seed)
        for network, continuous in itertools.product(policy.NETWORKS, (False, True))
    ],
    "floats": lambda seed: [
        floats.test_exp_and_log_are_these_operations_and_near_the_mathematics(seed),
        floats.test_normal_numbers_are_quantiles(),
        *(floats.test_a_product_adds_its_terms_in_order(dtype, seed) for dtype in (np.float32, np.float64)),
    ],
    "trained networks": lambda seed: [
        *(
            trained.test_a_run_has_the_models_bits_at_odd_shapes(algo, 5, 2, (33, 17), (1, 31), seed)
            for algo in trained.LEARNERS
        ),
        trained.test_stages_have_the_models_bits_at_every_width(27, 18, seed),
        trained.test_stages_have_the_models_bits_at_every_width(9, 8, seed),
        trained.test_sums_that_leave_the_accumulators_are_the_models(seed),
        trained.test_what_is_no_networks_has_the_models_bits(3, seed),
        trained.test_other_hidden_layers_go_by_stages_with_the_same_bits({"activation": "silu"}, seed),
    ],
    "accumulators": learner.test_sums_beyond_the_accumulators_are_the_models,
    "replay learners": of_replay_learners,
    "replay buffers": of_replay_buffers,
}


@pytest.fixture(scope="module")
def tapes(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, int]:
    """The traffic of the run's seed, with how many calls it has."""
    tapes = {}
    folder = tmp_path_factory.mktemp("tapes")
    for name, traffic in TRAFFIC.items():
        tape = Tape(_rlcores_native)
        with pytest.MonkeyPatch.context() as patched:
            users = (
                env_native,
                gae_native,
                learner_native,
                learner_policy,
                policy_native,
                native_floats,
                ppo_native,
                rl_native,
                native_stages,
                sumtree_native,
                store,
            )
            for user in users:
                patched.setattr(user, "engine", tape)
            patched.setattr(gae_native, "_here", threading.local())
            traffic(int(os.environ["RLCORES_TEST_SEED"]))
        tapes[folder / name.replace(" ", "_")] = tape.write(folder / name.replace(" ", "_"))
        assert tape.calls > 10, name
    return tapes


def repeated(tapes: dict[Path, int], isas: list[str], *command: object) -> None:
    done = subprocess.run([*command, *tapes], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stdout + done.stderr
    wanted = [f"{isa}: {calls} calls of {tape} are the same" for isa in isas for tape, calls in tapes.items()]
    assert done.stdout.splitlines() == wanted


@pytest.mark.parametrize("flags", ["", DETECTORS], ids=["plain", "detectors"])
def test_every_instruction_set_gives_the_bits_of_the_tape(tapes: dict[Path, int], tmp_path: Path, flags: str) -> None:
    repeated(tapes, native.isas(), built(tmp_path, flags) / "rlcores_tape")


@pytest.mark.skipif(not shutil.which("clang++"), reason="clang++: not installed; the system package is clang")
def test_clang_gives_the_bits_of_the_tape(tapes: dict[Path, int], tmp_path: Path) -> None:
    folder = built(tmp_path, compiler="clang++", processor=platform.machine())
    repeated(tapes, native.isas(), folder / "rlcores_tape")


@needs_aarch64
def test_aarch64_gives_the_bits_of_the_tape(tapes: dict[Path, int], tmp_path: Path, seed: int) -> None:
    """And its threads those of the order reported, and its kernels are NEON's."""
    folder = built(tmp_path, "-static", COMPILER, "aarch64")
    repeated(tapes, ["portable", "neon"], EMULATOR, folder / "rlcores_tape")
    done = subprocess.run([EMULATOR, folder / "rlcores_stress", "1000000", str(seed)], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stdout + done.stderr
    arithmetic = r"\tf?(add|sub|mul|mla)\tv\d+\.(2d|4s)"
    for name, vectors in (("learner", r"\tfmla\tv\d+\.2d"), ("gae", arithmetic), ("sumtree_maths", arithmetic)):
        file = folder / "CMakeFiles" / "kernels_neon.dir" / "kernels" / f"{name}.cpp.o"
        text = subprocess.run([OBJDUMP, "-d", file], capture_output=True, text=True, check=True).stdout
        assert len(re.findall(vectors, text)) >= 8, f"{name}: no vectors in its loops"
