"""Tables of docs/learners.md, from JSON of `rlcores bench learners`."""

from pathlib import Path

from rlcores.base import files
from rlcores_lab import shown

_FILE = Path(__file__).resolve().parents[1] / "measured" / "learners.json"
_CLOCK = 200e6  # Hz, assumed


def rounds() -> str:
    """Replay learners: clocks of a step and the scaling factor, for each L and H."""
    known, commit = _figures()
    rows = [("L", "H", "clocks per step", "scaling factor", "equation 5.6")]
    for name in (name for name in known if name.startswith("learners.scaling") and not name.endswith("_model")):
        way, _, average = name.removeprefix("learners.scaling_").rpartition("_h")
        who = way.removeprefix("ddpg_l") + ", DDPG" if way.startswith("ddpg") else way.removeprefix("l")
        step = known[f"learners.step_{way}"]
        rows.append((who, average, f"{step / known[name]:.2f}", f"{known[name]:.4f}", f"{known[name + '_model']:.4f}"))
    return f"{shown.markdown(rows)}\n(commit {commit})\n"


def iterations() -> str:
    """Three PPO cores: speed beside one, and trained steps a second at 200 MHz, for each H."""
    known, commit = _figures()
    alone = known["ppo.three_slr_alone"]
    rows = [("H, minibatches", "speed of one core", "environment steps per clock", "millions a second at 200 MHz")]
    rows.append(("one core alone", "1", f"{1 / alone:.4f}", f"{_CLOCK / alone / 1e6:.2f}"))
    for name in (name for name in known if name.startswith("ppo.three_slr_speedup") and not name.endswith("_rate")):
        average = name.partition("_h")[2] or "1"
        rate = known[f"{name}_rate"]
        rows.append((average, f"{known[name]:.4f}", f"{rate:.4f}", f"{_CLOCK * rate / 1e6:.2f}"))
    return f"{shown.markdown(rows)}\n(commit {commit})\n"


def _figures() -> tuple[dict[str, float], str]:
    document = files.read_json(_FILE, "figures of a command")
    return {figure["name"]: figure["value"] for figure in document["figures"]}, document["commit"][:7]
