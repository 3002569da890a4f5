"""Damaged and hostile policy files; a program, so that nothing else runs in its process.

`python verif/deploy/fuzz.py COUNT SEED` prints how many were imported and how many were refused. It ends with an error
when a file raises anything but UserError, when a message is no sentence, or when Python reports that code was compiled,
imported or run, a process started, or a file opened for writing.
"""

import random
import sys
import tempfile
import zipfile
from pathlib import Path

from rlcores.base import paths, tools
from rlcores.deploy import imported
from rlcores.errors import UserError

FILES = paths.root() / "verif" / "deploy" / "files"
FORBIDDEN = (
    "exec",
    "compile",
    "import",
    "os.system",
    "subprocess.Popen",
    "pickle.find_class",
    "socket.connect",
    "os.exec",
)


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Bytes changed, cut, doubled, or taken out."""
    mutated = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5, 30))):
        at = rng.randrange(len(mutated) or 1)
        match rng.randrange(6):
            case 0 | 1:
                mutated[at : at + 1] = bytes([rng.randrange(256)])
            case 2:
                mutated[at : at + 4] = rng.choice(
                    (b"\xff\xff\xff\x7f", b"\0\0\0\0", b"\xff\xff\xff\xff", b"\0\0\0\x80")
                )
            case 3:
                del mutated[at : at + rng.randrange(1, 40)]
            case 4:
                mutated[at:at] = mutated[at : at + rng.randrange(1, 40)]
            case 5:
                if rng.random() < 0.2:
                    del mutated[at:]
    return bytes(mutated)


def call(name: bytes) -> bytes:
    """The end of a pickle that calls a function with a command."""
    command = b"touch ran"
    return b"c" + name + b"\n(X" + len(command).to_bytes(4, "little") + command + b"tR."


def hostile(rng: random.Random) -> bytes:
    """A pickle that would run something, in many ways to say it."""
    name = rng.choice((b"os\nsystem", b"builtins\neval", b"builtins\nexec", b"subprocess\nPopen", b"posix\nsystem"))
    end = call(name)
    parts = [b"\x80\x02", b"(", b"}", b"]", b"q\x00", b"h\x00", b"0", b"2", b"\x81", b"b", b"R", b"t", b"u", b"Q", b"e"]
    return rng.choice((end, b"".join(rng.choice(parts) for _ in range(rng.randrange(20))) + end))


def changed(source: Path, folder: Path, rng: random.Random) -> Path:
    """A file made of a real one: damaged as a whole, or in a member, or with a hostile pickle inside."""
    to = folder / f"f{source.suffix}"
    if source.suffix in (".zip", ".pth", ".pt") and rng.random() < 0.8:
        with zipfile.ZipFile(source) as old, zipfile.ZipFile(to, "w") as new:
            members = [i.filename for i in old.infolist()]
            wanted = [m for m in members if m.endswith(("data.pkl", "policy.pth", "data", "data/0"))]
            chosen = rng.choice(wanted)
            for name in members:
                data = old.read(name)
                if name == chosen:
                    data = hostile(rng) if name.endswith("data.pkl") and rng.random() < 0.3 else damaged(data, rng)
                new.writestr(name, data)
    elif source.suffix == ".pkl" and rng.random() < 0.3:
        to.write_bytes(hostile(rng))
    else:
        to.write_bytes(damaged(source.read_bytes(), rng))
    return to


def load(file: Path) -> None:
    settings = {"activation": "tanh", "head": "continuous"} if file.suffix in (".pth", ".pt") else {}
    if file.suffix == ".pkl":
        imported.load(FILES / "ppo_normalised.zip", normaliser=file)
    else:
        imported.load(file, **settings)


def main(count: int, seed: int) -> None:
    names = [f for f in sorted(FILES.iterdir()) if f.suffix in (".zip", ".pth", ".pt", ".pkl", ".onnx")]
    if not tools.have_package("onnx"):
        names = [f for f in names if f.suffix != ".onnx"]
    for file in names:  # what our own code imports on first use is imported now
        load(file)
    rng, watched, seen = random.Random(seed), [False], []

    def hook(event: str, arguments: tuple) -> None:
        if watched[0] and (event in FORBIDDEN or (event == "open" and "w" in str(arguments[1]))):
            seen.append((event, str(arguments)[:100]))

    sys.addaudithook(hook)
    taken = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "leaky.onnx.data").write_bytes((FILES / "leaky.onnx.data").read_bytes())
        for number in range(count):
            file = changed(rng.choice(names), Path(folder), rng)
            watched[0] = True
            try:
                load(file)
                taken += 1
            except UserError as error:
                refused += 1
                if "\n" in str(error) or not 10 < len(str(error)) < 600:
                    raise SystemExit(f"file {number}: no sentence: {str(error)[:1000]!r}") from None
            except BaseException as error:
                raise SystemExit(
                    f"file {number} ({file.suffix}, seed {seed}): {type(error).__name__}: {error}"
                ) from error
            finally:
                watched[0] = False
            if seen:
                raise SystemExit(f"file {number} ({file.suffix}, seed {seed}): {seen}")
    print(taken, refused)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
