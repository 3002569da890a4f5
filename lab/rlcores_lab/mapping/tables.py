"""What `rlcores map` shows: the mapping beside Table 4.3, the times behind it, where it differs, the split of cores."""

from collections.abc import Mapping, Sequence

from rlcores.base.report import Figure
from rlcores.train.split import Split
from rlcores_lab import shown
from rlcores_lab.mapping import choose, roofline
from rlcores_lab.mapping.choose import DeviceMapping
from rlcores_lab.mapping.forward import Forward
from rlcores_lab.mapping.profiles import Profile
from rlcores_lab.mapping.replay import Curve
from rlcores_lab.mapping.roofline import Point, Roof
from rlcores_lab.mapping.workloads import CPU, DEVICES

Rows = list[tuple[str, ...]]  # a header, then lines
PARTS = ("RMM", "learner", "storage")
_NAME = {"cpu": "CPU", "gpu": "GPU", "fpga": "FPGA"}


def time(seconds: float | None) -> str:
    """1.23 µs, 45.6 ms …; '' for None."""
    if seconds is None:
        return ""
    for unit, scale in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def rate(per_second: float) -> str:
    """12,345 or 1.23."""
    return f"{per_second:,.0f}" if per_second >= 10 else f"{per_second:.3g}"


def ours(mapping: DeviceMapping) -> dict[str, str]:
    """Part -> device."""
    return dict(zip(PARTS, (mapping.chosen.rmm, mapping.chosen.learner, mapping.storage), strict=True))


def theirs(mapping: DeviceMapping) -> dict[str, str]:
    """Part -> device in Table 4.3; empty for a batch that it has not."""
    return dict(zip(PARTS, mapping.workload.paper.get(mapping.batch, ()), strict=False))


def mapped(mappings: Sequence[DeviceMapping]) -> Rows:
    """One line per batch: what goes where, where the paper has it, steps per second, and what they wait for."""
    rows: Rows = [
        ("environment", "batch", *PARTS, "Zhang (2022)", "per step", "steps/s", "waits for", "moved per step")
    ]
    for m in mappings:
        here, paper = ours(m), theirs(m)
        said = "–" if not paper else "the same" if paper == here else " ".join(_NAME[paper[p]] for p in PARTS)
        seconds = m.chosen.seconds
        waits = {"rmm": "RMM", "learner": "learner"}[m.bound]
        moved = f"{m.traffic / 1024:,.1f} KiB"
        cells = (*(_NAME[here[p]] for p in PARTS), said, time(seconds), rate(1 / seconds), waits, moved)
        rows.append((m.workload.title, f"{m.batch:,}", *cells))
    return rows


def times(mappings: Sequence[DeviceMapping]) -> Rows:
    """Seconds of both primitives on each device."""
    devices = [d for d in DEVICES if any(d in m.train for m in mappings)]
    heads = [f"{what}, {_NAME[d]}" for what in ("training", "RMM") for d in devices]
    rows: Rows = [("environment", "batch", *heads)]
    for m in mappings:
        cells = [time(table.get(d)) or "–" for table in (m.train, m.rmm) for d in devices]
        rows.append((m.workload.title, f"{m.batch:,}", *cells))
    return rows


def optimum(mapping: DeviceMapping) -> float:
    """Gradient steps a second that the fastest learner would do if replay took no time, as Figure 4.11 has it."""
    return 1 / min(seconds for seconds in mapping.train.values() if seconds is not None)


def pairs(mappings: Sequence[DeviceMapping]) -> Rows:
    """Gradient steps a second of every pair of devices, learner-RMM, the chosen one in brackets; and the optimum."""
    known = [(a, b) for a in DEVICES for b in DEVICES if any((a, b) in _rates(m) for m in mappings)]
    heads = [f"{_NAME[a]}-{_NAME[b]}" for a, b in known]
    rows: Rows = [("environment", "batch", *heads, "optimum", "chosen", "slowest")]
    for m in mappings:
        rates, best = _rates(m), optimum(m)
        chosen = m.chosen.learner, m.chosen.rmm
        cells = [(f"[{rate(rates[p])}]" if p == chosen else rate(rates[p])) if p in rates else "–" for p in known]
        share = f"{100 * rates[chosen] / best:.0f} %"
        slowest = f"1/{rates[chosen] / min(rates.values()):,.0f}"
        rows.append((m.workload.title, f"{m.batch:,}", *cells, rate(best), share, slowest))
    return rows


def _rates(mapping: DeviceMapping) -> dict[tuple[str, str], float]:
    return {(o.learner, o.rmm): 1 / o.seconds for o in mapping.options}


def replays(curves: Sequence[Curve]) -> tuple[Rows, Rows]:
    """Samples and updates of a batch on each device: two tables over the batch."""
    batches = sorted({b for c in curves for b in c.sample})
    header = ("batch", *(c.title for c in curves))
    return tuple(
        [header, *((f"{b:,}", *(time(getattr(c, part).get(b)) or "–" for c in curves)) for b in batches)]
        for part in ("sample", "update")
    )


def passes(curves: Sequence[Forward]) -> Rows:
    """A forward pass on each device, over the batch."""
    batches = sorted({b for c in curves for b in c.seconds})
    header = ("batch", *(c.title for c in curves))
    return [header, *((f"{b:,}", *(time(c.seconds.get(b)) or "–" for c in curves)) for b in batches)]


def roofs(listed: Sequence[Roof], points: Sequence[Point]) -> Rows:
    """What each primitive reaches at its largest and smallest batch, of what its roof allows."""
    by = {roof.device: roof for roof in listed}
    rows: Rows = [("device", "primitive", "batch", "operations a byte", "Gop/s", "of its roof")]
    for p in points:
        what = p.what if p.what == "RMM" else f"learner, {p.workload}"
        share = roofline.share(p, by)
        numbers = f"{p.intensity:.3g}", f"{p.reached / 1e9:.3g}", f"{100 * share:.3g} %"
        rows.append((_NAME[p.device], what, f"{p.batch:,}", *numbers))
    return rows


def splits(divided: Sequence[tuple[DeviceMapping, Split]]) -> Rows:
    """One line per batch: cores for actors and for learners, and what comes of it."""
    rows: Rows = [
        ("environment", "batch", "actors", "learners", "gradient steps/s", "environment steps per step", "limit")
    ]
    for m, s in divided:
        learners = f"{s.learners}" if s.learners else f"0 ({_NAME[m.chosen.learner]})"
        numbers = (rate(s.rate), f"{s.ratio:.3g}")
        rows.append((m.workload.title, f"{m.batch:,}", f"{s.actors}", learners, *numbers, s.bound))
    return rows


def differences(
    mappings: Sequence[DeviceMapping], profiles: Mapping[str, Profile], actors: int, capacity: int
) -> list[str]:
    """A sentence for every cell in which Table 4.3 has another device, with the figures that decide it here.

    None for a storage that follows its learner here and in the paper.
    """
    sentences = []
    for m in mappings:
        paper, here = theirs(m), ours(m)
        moved = [part for part in PARTS if paper and paper[part] != here[part]]
        if "learner" in moved and (paper["storage"], here["storage"]) == (paper["learner"], here["learner"]):
            moved.remove("storage")
        why = {"RMM": _rmm, "learner": _learner, "storage": lambda *a: _storage(*a, actors, capacity)}
        for part in moved:
            before, now = paper[part], here[part]
            text = f"{part} on the {_NAME[now]}, in the paper on the {_NAME[before]}"
            sentences.append(f"{m.workload.title}, batch {m.batch:,}: {text}: {why[part](m, before, now, profiles)}")
    return sentences


def _learner(m: DeviceMapping, before: str, now: str, profiles: Mapping[str, Profile]) -> str:
    step = f"a training step takes {time(m.train[now])}"
    if before not in profiles:
        return f"{step}, and no {_NAME[before]} was profiled"
    if m.train[before] is None:
        return f"{step}, and {profiles[before].unfit.get(f'{m.workload.name} {m.batch}', 'the other was not profiled')}"
    return f"{step}, {time(m.train[before])} on the {_NAME[before]}"


def _rmm(m: DeviceMapping, before: str, now: str, profiles: Mapping[str, Profile]) -> str:
    took = f"it takes {time(m.rmm[now])}" + (f", {time(m.rmm[before])} there" if before in m.rmm else "")
    if m.bound == "rmm":
        return f"{took}, and the step waits for it"
    return f"{took}, beside a training step of {time(m.train[m.chosen.learner])}"


def _storage(
    m: DeviceMapping, before: str, now: str, profiles: Mapping[str, Profile], actors: int, capacity: int
) -> str:
    if before in profiles and profiles[before].memory_gib < (needed := choose.gib(m.workload, capacity)):
        return f"{capacity:,} experiences take {needed:.3g} GiB, that device has {profiles[before].memory_gib:g}"
    there = choose.traffic(m.workload, m.batch, actors, before, m.chosen.learner, m.chosen.rmm)
    return f"{m.traffic:,} bytes per step move between devices, with the paper's {there:,}"


def figures(
    mappings: Sequence[DeviceMapping], profiles: Mapping[str, Profile], divided: Sequence[tuple[DeviceMapping, Split]]
) -> list[Figure]:
    """In the house's form. A choice is no better founded than the worst of its profiles."""
    how = "assumed" if any(p.how == "assumed" for p in profiles.values()) else "model"
    if all(p.how == "measured" for p in profiles.values()):
        how = "measured"
    result = []
    for m in mappings:
        prefix = f"map.{m.workload.name}.{m.batch}"
        result += [Figure(f"{prefix}.{part.lower()}", device, "device", how) for part, device in ours(m).items()]
        result.append(Figure(f"{prefix}.step", round(m.chosen.seconds * 1e6, 3), "µs", how))
        for what, table in (("training", m.train), ("rmm", m.rmm)):
            for device, seconds in table.items():
                value = None if seconds is None else round(seconds * 1e6, 3)
                result.append(Figure(f"{prefix}.{what}.{device}", value, "µs", profiles[device].how))
    for m, s in divided:
        prefix = f"map.{m.workload.name}.{m.batch}.split"
        for what, value, unit in (
            ("actors", s.actors, "cores"),
            ("learners", s.learners, "cores"),
            ("rate", s.rate, "steps/s"),
        ):
            result.append(Figure(f"{prefix}.{what}", round(value, 3), unit, how))
    return result


def more_figures(
    mappings: Sequence[DeviceMapping],
    curves: Sequence[Curve],
    forwards: Sequence[Forward],
    roofs: Sequence[Roof],
    points: Sequence[Point],
) -> list[Figure]:
    """Of all pairs, of replay and forward passes over the batch, of rooflines."""
    result = []
    for one in forwards:
        name = f"map.forward.{one.device}.batch"
        result += [Figure(f"{name}{b}", round(1e6 * s, 3), "µs", one.how) for b, s in one.seconds.items()]
    for curve in curves:
        name = curve.device if curve.device != CPU else f"cpu{curve.title.split()[1]}"
        for part in ("sample", "update"):
            result += [
                Figure(f"map.replay.{name}.{part}{b}", round(1e6 * s, 3), "µs", curve.how)
                for b, s in getattr(curve, part).items()
            ]
    shares = [_rates(m)[m.chosen.learner, m.chosen.rmm] / optimum(m) for m in mappings]
    gains = [max(_rates(m).values()) / min(_rates(m).values()) for m in mappings]
    how = "assumed" if any(roof.how == "assumed" for roof in roofs) else "model"
    result.append(Figure("map.pairs.least_share", round(100 * min(shares), 1), "% of the optimum", how))
    result.append(Figure("map.pairs.most", round(max(gains), 1), "times the slowest pair", how))
    by = {roof.device: roof for roof in roofs}
    for roof in roofs:
        for what in ("learner", "RMM"):
            own = [100 * roofline.share(p, by) for p in points if (p.device, p.what) == (roof.device, what)]
            if own:
                name = f"map.roof.{roof.device}.{what.lower()}"
                result.append(Figure(f"{name}.least", round(min(own), 2), "% of its roof", roof.how))
                result.append(Figure(f"{name}.most", round(max(own), 2), "% of its roof", roof.how))
    return result


def markdown(sections: Sequence[tuple[str, Rows]], lines: Sequence[str]) -> str:
    """Tables with their titles, then the lines as a list."""
    text = "".join(f"{title}:\n\n{shown.markdown(rows)}\n" for title, rows in sections)
    return text + "".join(f"- {line}\n" for line in lines)
