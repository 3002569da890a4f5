"""A quadruped's policy as RSL-RL and Isaac Lab export it: ONNX, 48-512-256-128-12 with ELU, its normaliser inside.

`python examples/deploy/locomotion.py policy.onnx FOLDER [OBSERVATIONS.npz]`: a core that answers in 5 us at 200 MHz.
Without recorded observations (an array `obs`) the formats follow from a range of ±5 for each input. It needs the extra
deploy.
"""

import sys
from pathlib import Path

import numpy as np

from rlcores.deploy import folder, imported, observations


def main(file: Path, there: Path, recorded: Path | None) -> None:
    """Import, choose formats, write the folder, say what it takes."""
    policy = imported.load(file)
    if recorded is None:
        seen = observations.drawn(policy, "5", 2000, seed=0)
    else:
        with np.load(recorded) as arrays:
            seen = observations.recorded(arrays, policy)
    done = folder.deploy(policy, seen, there, weight_width=8, act_width=8, latency=5e-6)
    shape = done.quantised.shape
    print(f"{'-'.join(map(str, shape.sizes))}: {done.sized.clocks} clocks, {done.sized.nanoseconds / 1000:.2f} us")
    print(f"an array of {shape.rows} x {shape.cols}; check it with: make -C {there / 'bench'}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]) if len(sys.argv) > 3 else None)
