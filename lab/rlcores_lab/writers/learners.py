"""Tables of docs/learners.md, from JSON of `rlcores bench learners` and `rlcores bench learners_ppo`."""

from pathlib import Path

from rlcores.base import files
from rlcores_lab import shown

_MEASURED = Path(__file__).resolve().parents[1] / "measured"
_CLOCK = 200e6  # Hz, assumed
_PPO = "ppo.three_slr"


def rounds() -> str:
    """Replay learners: clocks of a step and the scaling factor, for each L and H."""
    known, commit = _figures("learners")
    rows = [("L", "H", "clocks per step", "scaling factor", "equation 5.6")]
    for name in (name for name in known if name.startswith("learners.scaling") and not name.endswith("_model")):
        way, _, average = name.removeprefix("learners.scaling_").rpartition("_h")
        who = way.removeprefix("ddpg_l") + ", DDPG" if way.startswith("ddpg") else way.removeprefix("l")
        # A round of H steps has whole clocks; the factor is rounded.
        each = round(int(average) * known[f"learners.step_{way}"] / known[name]) / int(average)
        rows.append((who, average, f"{each:.2f}", f"{known[name]:.4f}", f"{known[name + '_model']:.4f}"))
    return f"{shown.markdown(rows)}\n(commit {commit})\n"


def iterations() -> str:
    """Three PPO cores of 64-64: clocks of an iteration, speed beside one, and trained steps a second, for each H."""
    known, commit = _figures("learners_ppo_u200")
    rows = [("H, minibatches", "clocks per iteration", "by the model", "speed of one core", "millions a second")]
    steps = known[f"{_PPO}_iteration_alone"] / known[f"{_PPO}_alone"]
    for last in ("_alone", *(n.removeprefix(f"{_PPO}_speedup") for n in known if _speedup(n))):
        one = last == "_alone"
        clocks, model = known[f"{_PPO}_iteration{last}"], known[f"{_PPO}_iteration{last}_model"]
        rate = steps / clocks if one else known[f"{_PPO}_speedup{last}_rate"]
        speed = "1" if one else f"{known[f'{_PPO}_speedup{last}']:.4f}"
        who = "one core alone" if one else last.removeprefix("_h") or "1"
        rows.append((who, f"{clocks:,}", f"{model:,.0f}", speed, f"{_CLOCK * rate / 1e6:.2f}"))
    return f"{shown.markdown(rows)}\n(commit {commit})\n"


def _speedup(name: str) -> bool:
    return name.startswith(f"{_PPO}_speedup") and not name.endswith("_rate")


def _figures(kept: str) -> tuple[dict[str, float], str]:
    document = files.read_json(_MEASURED / f"{kept}.json", "figures of a command")
    return {figure["name"]: figure["value"] for figure in document["figures"]}, document["commit"][:7]
