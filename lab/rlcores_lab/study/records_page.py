"""The page docs/ppo_records.md, from the runs that are kept and from what yosys counted of the loop."""

from pathlib import Path

from rlcores.cores.ppo.records import KIND
from rlcores.eda import configs
from rlcores_lab import shown
from rlcores_lab.area import ppo as area
from rlcores_lab.area.estimate import measure
from rlcores_lab.study import records

PAGE = Path("docs") / "ppo_records.md"
_CONFIG = "u200"  # of ppo, whose rollout is counted: 8,192 records of CartPole
_OBSERVATION, _ACTION, _LOG = 4 * 18, 8, 27  # bits of a record of CartPole
_OTHER = _OBSERVATION + _ACTION + _LOG
_WHOLE = 27, 28  # bits of a value; of a reward with its end, or an advantage


def outputs() -> dict[Path, str]:
    """The page, from the root, and its text."""
    runs = records.kept()
    return {
        PAGE: shown.rendered(
            "study/records.md.j2",
            count=len(runs),
            planned=len(records.plan()),
            learned=shown.markdown(records.table(runs)),
            memory=shown.markdown(memory()),
            whole=sum(_WHOLE),
        )
    }


def bits_of(codes: int) -> int:
    """Bits of a record of CartPole; codes: of a reward or a value, 0: 27."""
    return _OTHER + (2 * codes + KIND if codes else sum(_WHOLE))


def memory() -> list[tuple[str, ...]]:
    """A header and a row for the bits of a code: the record, and the loop around the networks."""
    built = configs.load("ppo", _CONFIG)
    envs, steps, batch = (int(built[name]) for name in ("N_ENVS", "STEPS", "BATCH_MAX"))
    parameters = {"BATCH": batch, "OBS_BITS": _OBSERVATION, "RAW_BITS": _ACTION, "MOVE_BITS": _ACTION}
    parameters |= {"N_ENVS": envs, "STEPS": steps}
    counted = {
        m.parameters.get("RECORD_BITS", 0): m.counts
        for m in measure.table()
        if (m.core, m.module, m.config) == ("ppo", "rlc_ppo_train_ctrl", "")  # by itself
        and (m.parameters["N_ENVS"], m.parameters["STEPS"]) == (envs, steps)
    }
    rows = [("bits", "bits of a record", "RAMB36", "LUT", "FF", "DSP", "by")]
    for codes in records.ALL_BITS:
        of = counted.get(codes) or area.LOOP(parameters | {"RECORD_BITS": codes}).counts
        numbers = (f"{of['bram36']:g}", *(f"{of[name]:,.0f}" for name in ("lut", "ff", "dsp")))
        rows.append((str(codes or 27), str(bits_of(codes)), *numbers, "Yosys" if codes in counted else "model"))
    return rows
