"""Good, damaged and random frames into the engine's server under GCC's detectors, and on the model."""

import random
import subprocess
import sys
from pathlib import Path

import pytest
from traffic import Traffic, settings

from rlcores.base import paths
from rlcores.cores.replay_server import native
from rlcores.cores.replay_server.server import ServerModel

DETECTORS = "-fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sys.path.insert(0, str(paths.root() / "verif" / "native"))
    import programs

    return programs.built(tmp_path_factory.mktemp("watched"), DETECTORS) / "rlcores_net"


@pytest.mark.slow
def test_a_million_frames_read_nothing_that_is_not_theirs(seed: int, program: Path, tmp_path: Path) -> None:
    for n in range(20):
        rng = random.Random(seed + n)
        s = settings(rng)
        traffic = Traffic(s, native.checks(), rng)
        model = ServerModel(s, native.checks()) if n == 0 else None
        answers = b""
        path = tmp_path / "frames"
        with path.open("wb") as file:
            file.write(native.packed(s))
            for _ in range(5_000 if model else 52_000):
                data = rng.choices([traffic.frame, traffic.mutated, traffic.noise], [10, 6, 1])[0]()
                source = traffic.source(data)
                file.write(source.to_bytes(8, "little") + len(data).to_bytes(4, "little") + data)
                if model:
                    answers += b"".join(model.frame(data, source))
        done = subprocess.run([program, path], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        if model:
            crc32c = native.checks().crc32c
            assert done.stdout.split() == [f"{crc32c(x):08x}" for x in (answers, model.state())]
