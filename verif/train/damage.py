"""Ways in which a checkpoint is damaged, or was never one."""

import io
import json
import os
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from rlcores.train import folder

WRONG = [None, True, -1, 0, 3, 10**30, 1e308, float("nan"), "", "x", "inf", [], [1], [[]], {}, {"a": 1}, "a" * 5000]


def bytes_of(path: Path, rng: np.random.Generator) -> str:
    """Something happens to the file's bytes."""
    data = bytearray(path.read_bytes())
    how = str(rng.choice(["cut", "flip", "zeros", "noise", "more", "swap", "hole"]))
    first, last = sorted(int(x) for x in rng.integers(0, len(data), 2))
    if rng.random() < 0.4:  # the end of a zip is what holds it together
        first = max(len(data) - int(rng.integers(1, 2000)), 0)
        last = min(first + int(rng.integers(1, 200)), len(data))
    if how == "cut":
        del data[first:]
    elif how == "flip":
        for _ in range(int(rng.integers(1, 9))):
            data[int(rng.integers(len(data)))] ^= 1 << int(rng.integers(8))
        data[first] ^= 1 << int(rng.integers(8))
    elif how == "zeros":
        data[first:last] = bytes(last - first)
    elif how == "noise":
        data[first : first + 64] = rng.bytes(len(data[first : first + 64]))
    elif how == "more":
        data += rng.bytes(int(rng.integers(1, 5000)))
    elif how == "swap":
        data = data[first:] + data[:first]
    else:
        del data[first:last]
    path.write_bytes(data)
    return f"bytes {how} {first} {last}"


def file_of(path: Path, rng: np.random.Generator) -> str:
    """Something else stands in the file's place."""
    kinds: dict[str, Callable[[], Any]] = {
        "empty": lambda: path.write_bytes(b""),
        "folder": lambda: (path.unlink(), path.mkdir()),
        "pipe": lambda: (path.unlink(), os.mkfifo(path)),
        "loop": lambda: (path.unlink(), path.symlink_to(path.name)),
        "nowhere": lambda: (path.unlink(), path.symlink_to("/nonexistent/file")),
        "text": lambda: path.write_text("step,return\n1,2\n"),
        "pickle": lambda: path.write_bytes(pickle.dumps({"run": 1})),
        "npy": lambda: np.save(path.open("wb"), np.arange(5)),
        "objects": lambda: np.savez(path.open("wb"), run=np.array([{"a": 1}, None], object)),
        "foreign": lambda: np.savez(path.open("wb"), weights=np.ones(3)),
        "run is no text": lambda: np.savez(path.open("wb"), run=np.ones(3)),
        "bomb": lambda: _bomb(path, zipfile.ZIP_DEFLATED, 1 << 28),
        "lzma bomb": lambda: _bomb(path, zipfile.ZIP_LZMA, 1 << 26),
        "giant": lambda: _giant(path),
        "no arrays": lambda: _zip(path, {"run.txt": b"hello", "other.npy": b"\x93NUMPY"}),
        "twice": lambda: _zip(path, {"run.npy": _npy(np.array("{}")), "a.npy": b""}, again=True),
        "version 9": lambda: _resign(path, lambda d, _: d.update(version=9)),
        "version 1": lambda: _resign(path, lambda d, _: d.update(version=1)),
        "version list": lambda: _resign(path, lambda d, _: d.update(version=[3])),
        "unsigned": lambda: _resign(path, lambda d, _: d["state"].update(step=7), sign=False),
        "json list": lambda: _text(path, "[]"),
        "json deep": lambda: _text(path, "[" * 100_000),
        "json number": lambda: _text(path, '{"version": ' + "9" * 5000 + "}"),
        "json cut": lambda: _text(path, '{"version": 3, "plan"'),
        "json nul": lambda: _text(path, "\x01"),
    }
    how = str(rng.choice(list(kinds)))
    kinds[how]()
    return f"file {how}"


def arrays_of(path: Path, rng: np.random.Generator) -> str:
    """An array is another one, and the digest is right for it."""
    said = ""

    def change(_: dict, arrays: dict[str, np.ndarray]) -> None:
        nonlocal said
        name = str(rng.choice(sorted(arrays)))
        old = arrays[name]
        how = str(rng.choice(["type", "shape", "value", "drop", "name", "add", "text"]))
        said = f"arrays {how} {name}"
        if how == "type":
            kind = rng.choice(["i8", "u1", "f2", "f8", "c16", "?", "U3", "S2", "M8[s]"])
            arrays[name] = np.zeros(old.shape, kind)
        elif how == "shape":
            shapes = [(), (0,), (1,), (*old.shape, 1), old.shape[:-1], (2, *old.shape), old.shape[::-1]]
            arrays[name] = np.zeros(shapes[rng.integers(len(shapes))], old.dtype)
        elif how == "value" and old.size and old.dtype.kind in "iuf":
            new = old.copy()
            wrong = [-1, 2**31, 2**62] if old.dtype.kind in "iu" else [np.nan, np.inf, -np.inf, 1e30, -1e30]
            with np.errstate(all="ignore"):
                new.reshape(-1)[rng.integers(new.size)] = np.array(wrong[rng.integers(len(wrong))]).astype(old.dtype)
            arrays[name] = new
        elif how == "drop":
            del arrays[name]
        elif how == "name":
            other = str(rng.choice(["x", "x.y", "actor.99.number", "best.7", name + "x", "trainer.", "."]))
            arrays[other] = arrays.pop(name)
        elif how == "add":
            arrays[str(rng.choice(["x", "seen.more", "best.9", "trainer.more", "actor.x.number"]))] = old
        else:
            arrays[name] = np.array(str(rng.choice(["", "{", "[]", "{}", "null", "x", '{"a": []}'])))

    _resign(path, change)
    return said


def numbers_of(path: Path, rng: np.random.Generator) -> str:
    """A value of plan or state is another one, and the digest is right for it."""
    said = ""

    def change(document: dict, _: dict) -> None:
        nonlocal said
        at, key = document, str(rng.choice(["plan", "state"]))
        trail = [key]
        while isinstance(at[key], dict | list) and len(at[key]) and (len(trail) == 1 or rng.random() < 0.5):
            at = at[key]
            key = str(rng.choice(sorted(at))) if isinstance(at, dict) else int(rng.integers(len(at)))
            trail.append(key)
        if isinstance(at, dict) and rng.random() < 0.2:
            del at[key]
            said = f"numbers {trail} gone"
        elif isinstance(at, dict) and rng.random() < 0.1:
            at["more"] = 1
            said = f"numbers {trail[:-1]} more"
        else:
            at[key] = WRONG[rng.integers(len(WRONG))]
            said = f"numbers {trail} = {str(at[key])[:20]}"

    _resign(path, change)
    return said


WAYS = [bytes_of, file_of, arrays_of, numbers_of]
# After these the checkpoint says itself that it is whole; what could have been written may be accepted.
SIGNED = {arrays_of, numbers_of}


def _resign(path: Path, change: Callable[[dict, dict], Any], *, sign: bool = True) -> None:
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files}
    document = json.loads(str(arrays.pop("run")))
    change(document, arrays)
    if sign:
        try:
            document["digest"] = folder._digest(document.get("plan"), document.get("state"), arrays)
        except (TypeError, ValueError):
            document["digest"] = ""
    with path.open("wb") as file:
        np.savez(file, run=np.array(json.dumps(document)), **{n: a for n, a in arrays.items() if n != "run"})


def _text(path: Path, text: str) -> None:
    with path.open("wb") as file:
        np.savez(file, run=np.array(text))


def _npy(array: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def _zip(path: Path, entries: dict[str, bytes], again: bool = False) -> None:
    import warnings

    with warnings.catch_warnings(), zipfile.ZipFile(path, "w") as made:
        warnings.simplefilter("ignore")
        for _ in range(1 + again):
            for name, data in entries.items():
                made.writestr(name, data)


def _bomb(path: Path, how: int, size: int) -> None:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "|u1", "fortran_order": False, "shape": (size,)})
    with zipfile.ZipFile(path, "w", how) as made, made.open("run.npy", "w") as entry:
        entry.write(header.getvalue())
        for _ in range(size >> 20):
            entry.write(bytes(1 << 20))


def _giant(path: Path) -> None:
    """Ten bytes that say that they are a terabyte."""
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (1 << 37,)})
    _zip(path, {"run.npy": header.getvalue() + bytes(10)})
