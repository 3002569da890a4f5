"""A run has one digest: on any instruction set, with any matrix library, any threads and any of NumPy's vector code."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rlcores import native

DIGESTS = {
    "dqn": "9e8e3d66522d4794",
    "ddpg": "1e0d20102216fd5f",
    "dueling": "9edbc80bccaedaac",
    "td3": "4f73e8b0c8f7eaba",
    "sac": "031b88db284f0961",
    "ppo": "78792d2594d590ef",
    "ppo of vectors": "668b452a5199a5a3",
    "bare dqn": "daa045bcae2f84d6",
    "bare ddpg": "94e182c4a9a5aaa9",
    "bare dueling": "5348fc92e92f5479",
    "bare td3": "633fda882db19e71",
    "bare sac": "7c81d319f57f8e30",
    "bare ppo": "9b04842b75ef4cb3",
    "bare ppo of vectors": "c53eb45e8bc7bfb0",
}
# What NumPy has beyond its least, OpenBLAS's kernels for one processor, and the C library without fused products.
PROCESSORS = {
    "portable": {
        "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR",
        "OPENBLAS_CORETYPE": "Prescott",
        "OPENBLAS_NUM_THREADS": "2",
    },
    "avx2": {"NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR", "OPENBLAS_CORETYPE": "Haswell"},
    "avx512": {"OPENBLAS_NUM_THREADS": "1"},
    "amx": {},
    "neon": {},
}


def digests(folder: Path, **environment: str) -> dict[str, str]:
    script = Path(__file__).with_name("digests.py")
    done = subprocess.run(
        [sys.executable, script, folder], env=os.environ | environment, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("isa", native.isas())
def test_a_run_has_one_digest_on_every_processor(isa, tmp_path):
    assert digests(tmp_path, RLCORES_ISA=isa, **PROCESSORS[isa]) == DIGESTS


def test_the_c_library_decides_nothing_but_an_environments_sines(tmp_path):
    without_avx2 = digests(tmp_path, GLIBC_TUNABLES="glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable")
    assert {n: x for n, x in without_avx2.items() if "bare" in n} == {n: x for n, x in DIGESTS.items() if "bare" in n}
