"""policy.json: what a deployed core takes and gives, written beside it and read when weights are swapped."""

import math
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from rlcores.cores.mlp.norm import Norm
from rlcores.cores.mlp.shape import OUT_WIDTH, MlpShape
from rlcores.deploy.formats import Observations, Quantised
from rlcores.deploy.sizing import Sized
from rlcores.errors import UserError

VERSION = 2


def _end(value: float) -> float | None:
    """A limit; JSON has no word for an endless one."""
    return float(value) if math.isfinite(value) else None


def answer_limits(action: dict[str, Any]) -> tuple[int, int]:
    """The least and the greatest answer of the core whose action is within its limits: for rlc_mlp_guard.

    >>> answer_limits({"gain": 0.5, "offset": 1.0, "low": -1.25, "high": None})
    (-4, 131071)
    """
    ends = [-(1 << (OUT_WIDTH - 1)), (1 << (OUT_WIDTH - 1)) - 1]
    for n, (name, whole) in enumerate((("low", math.ceil), ("high", math.floor))):
        if action[name] is not None:
            limit = whole((action[name] - action["offset"]) / action["gain"])
            ends[n] = min(max(limit, ends[0]), ends[1])
    return ends[0], ends[1]


def written(quantised: Quantised, sized: Sized) -> dict[str, Any]:
    """The contract as a dictionary for JSON.

    An observation x of input i becomes limit(floor(x · 2^frac + ½) - offset, low, high). A continuous action is
    limit(answer · gain + offset, low, high).
    """
    shape, seen, head = quantised.shape, quantised.observations, quantised.policy.head
    inputs = [
        {"index": i, "frac": int(f), "offset": int(o), "low": int(low), "high": int(high)}
        for i, (f, o, low, high) in enumerate(zip(seen.fracs, seen.offsets, seen.low, seen.high, strict=True))
    ]
    actions: list[dict[str, Any]] = [{"index": 0, "choices": shape.sizes[-1]}]
    if not shape.argmax:
        unit = 2.0 ** -shape.act_fracs[-1]
        actions = [
            {"index": i, "gain": float(g) * unit, "offset": float(o), "low": _end(low), "high": _end(high)}
            for i, (g, o, low, high) in enumerate(zip(head.gain, head.offset, head.low, head.high, strict=True))
        ]
        for action in actions:
            action["answer_low"], action["answer_high"] = answer_limits(action)
    return {
        "version": VERSION,
        "source": quantised.policy.source,
        "identity": f"{shape.identity:08x}",
        "shape": asdict(shape),
        "observations": {"bits": shape.act_width, "per_word": shape.cols, "order": "first lowest", "inputs": inputs},
        "actions": {
            "kind": "index" if shape.argmax else "continuous",
            "bits": 10 if shape.argmax else 18,
            "of": actions,
        },
        "timing": {
            "clocks": sized.clocks,
            "clock_mhz": sized.clock.mhz,
            "clock_of": sized.clock.whose,
            "latency_ns": sized.nanoseconds,
            "actions_per_second": sized.rate,
        },
    }


def read(contract: Any) -> tuple[MlpShape, Observations]:
    """Shape and formats of observations from a contract. Raises UserError, one sentence, if it is not one."""
    try:
        if contract["version"] != VERSION:
            raise UserError(f"policy.json has version {contract['version']}; this rlcores reads {VERSION}")
        plain = {f.name: contract["shape"][f.name] for f in fields(MlpShape)}
        plain["norms"] = [None if norm is None else Norm(*map(int, norm)) for norm in plain["norms"]]
        shape = MlpShape(**{k: tuple(v) if isinstance(v, list) else v for k, v in plain.items()})
        inputs = contract["observations"]["inputs"]
        columns = [np.array([int(i[name]) for i in inputs]) for name in ("frac", "offset", "low", "high")]
        if f"{shape.identity:08x}" != contract["identity"] or len(inputs) != shape.sizes[0]:
            raise UserError("policy.json contradicts itself: its identity is not that of its shape")
        return shape, Observations(*columns)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        if isinstance(error, UserError):
            raise
        raise UserError("policy.json is damaged or no contract of a deployed policy") from error
