"""Files that are read whole or refused in one sentence, and written whole or not at all."""

import contextlib
import errno
import json
import os
import stat
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import UnionType
from typing import Any, BinaryIO, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from numpy.lib import format as npy

from rlcores.base import paths
from rlcores.errors import UserError

T = TypeVar("T")
_LARGEST_TEXT = 1 << 28  # bytes of a JSON or YAML file; what rlcores writes is far below
_LARGEST_UNPACKED = 1 << 31  # bytes of the arrays of a packed file
_parts: set[Path] = set()  # temporary files of this process that are being written
os.register_at_fork(after_in_child=_parts.clear)


def reason(error: BaseException) -> str:
    """What is wrong, in one line."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    text = " ".join(str(error).split())
    return text[:200] if text else type(error).__name__


def replace(path: Path, data: bytes | memoryview | str) -> None:
    """Replace the contents of a file. A reader sees the old or the new contents, also after a loss of power.

    Two writers do not meet, because each has a temporary file of its own. Raises UserError when it cannot be written.
    """
    data = data.encode() if isinstance(data, str) else data
    _replace(path, lambda file: file.write(data))


def write_arrays(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Arrays as an .npz file without compression, so that map_arrays() can read it; as replace(), piece by piece."""
    _replace(path, lambda file: np.savez(file, allow_pickle=False, **arrays))


def _replace(path: Path, write: Callable[[BinaryIO], Any]) -> None:
    part: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        number, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        part = Path(name)
        _parts.add(part)
        with os.fdopen(number, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(part, 0o666 & ~_umask())
        os.replace(part, path)
        _sync(path.parent)
    except OSError as error:
        raise UserError(f"cannot write '{path}': {reason(error)}") from error
    finally:
        if part is not None:
            with contextlib.suppress(OSError):
                part.unlink()
            _parts.discard(part)


def reserve(file: BinaryIO, size: int) -> None:
    """Room on the disk for `size` bytes of a file that is to be mapped: a page without any would end the process.

    Raises OSError, whose words say how many bytes are missing.
    """
    try:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, size)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        os.ftruncate(file.fileno(), 0)  # what it took before there was no more
        disk = os.fstatvfs(file.fileno())
        free = disk.f_bavail * disk.f_frsize
        raise OSError(errno.ENOSPC, f"{size:,} bytes are needed, and the disk has {free:,} free") from error


def abandon() -> None:
    """Remove what is being written, when the process ends in the middle of it."""
    for part in list(_parts):
        with contextlib.suppress(OSError):
            part.unlink()


def _sync(folder: Path) -> None:
    """The name too must be on the disk. Some file systems cannot do it for a folder."""
    with contextlib.suppress(OSError):
        number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _umask() -> int:
    now = os.umask(0o077)
    os.umask(now)
    return now


def _regular(path: Path, what: str) -> None:
    """Raises UserError for what is no file: opening a pipe would wait for ever."""
    try:
        kind = os.stat(path).st_mode
    except (OSError, ValueError) as error:
        raise UserError(f"'{path}' is not {what}: {reason(error)}") from error
    if not stat.S_ISREG(kind):
        raise UserError(f"'{path}' is not {what}: it is {'a folder' if stat.S_ISDIR(kind) else 'no regular file'}")


def read_text(path: Path, what: str) -> str:
    """A text file. what: what it should be, with its article. Raises UserError."""
    _regular(path, what)
    try:
        if path.stat().st_size > _LARGEST_TEXT:
            raise UserError(f"'{path}' is not {what}: it has {path.stat().st_size:,} bytes")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"'{path}' is not {what}: {reason(error)}") from error


def read_json(path: Path, what: str, kind: type = dict) -> Any:
    """A JSON file whose outermost value is a `kind`. Raises UserError."""
    return parse_json(read_text(path, what), f"'{path}' is not {what}", kind)


def parse_json(text: str, sentence: str, kind: type = dict) -> Any:
    """JSON text whose outermost value is a `kind`. Raises UserError with this sentence and why."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{sentence}: {reason(error)}") from error
    if not isinstance(value, kind):
        raise UserError(f"{sentence}: it holds {type(value).__name__}, not {kind.__name__}")
    return value


def read_yaml(path: Path, what: str, kind: type = dict) -> Any:
    """A YAML file whose outermost value is a `kind`; an empty one gives an empty value. Raises UserError."""
    import yaml  # takes as long as half of NumPy, and most calls read no YAML

    text = read_text(path, what).removeprefix("CAPI=2:")
    # libyaml is ten times as fast, but a text that nests deep enough ends the process: it reads our own files only.
    ours = yaml.__with_libyaml__ and path.is_relative_to(paths.root())
    try:
        value = yaml.load(text, yaml.CSafeLoader if ours else yaml.SafeLoader)
    except (yaml.YAMLError, ValueError, RecursionError, OverflowError, TypeError) as error:
        raise UserError(f"'{path}' is not {what}: {reason(error)}") from error
    if value is None:
        return kind()
    if not isinstance(value, kind):
        raise UserError(f"'{path}' is not {what}: it holds {type(value).__name__}, not {kind.__name__}")
    return value


@contextlib.contextmanager
def _archive(path: Path, what: str) -> Iterator[tuple[BinaryIO, zipfile.ZipFile]]:
    """An .npz file. zipfile, zlib and NumPy raise what they like on damaged ones; here that is a UserError."""
    _regular(path, what)
    try:
        with path.open("rb") as file, zipfile.ZipFile(file) as whole:
            yield file, whole
    except Exception as error:
        raise UserError(f"'{path}' is not {what}: {reason(error)}") from error


def read_arrays(path: Path, what: str) -> dict[str, np.ndarray]:
    """The arrays of an .npz file, none of objects. Raises UserError.

    Nothing is unpacked beyond what the file itself is long: numpy would believe any size that an array claims.
    """
    with _archive(path, what) as (file, whole):
        entries = whole.infolist()
        size = os.fstat(file.fileno()).st_size
        packed = any(e.compress_type != zipfile.ZIP_STORED for e in entries)
        room = max(size, min(1000 * size, _LARGEST_UNPACKED)) if packed else size
        if sum(e.file_size for e in entries) > room or len({e.filename for e in entries}) != len(entries):
            raise ValueError("its entries are larger than the file, or have the same names")
        return {e.filename.removesuffix(".npy"): _array(whole, e) for e in entries}


def map_arrays(path: Path, what: str) -> dict[str, np.ndarray]:
    """The arrays that write_arrays() wrote, mapped and not read: they may be larger than memory. Raises UserError."""
    with _archive(path, what) as (file, whole):
        arrays = {}
        for entry in whole.infolist():
            if entry.compress_type != zipfile.ZIP_STORED:
                raise ValueError(f"'{entry.filename}' is compressed")
            with whole.open(entry) as inside:
                shape, fortran, dtype, count = _header(inside, entry)
                while inside.read(1 << 24):  # to the end, where its checksum is compared
                    pass
            order = "F" if fortran else "C"
            start = _start(file, entry) + entry.file_size - count * dtype.itemsize
            name = entry.filename.removesuffix(".npy")
            empty = np.zeros(shape, dtype, order)
            arrays[name] = np.memmap(path, dtype, "r", start, shape, order) if count * dtype.itemsize else empty
        return arrays


def _start(file: BinaryIO, entry: zipfile.ZipInfo) -> int:
    """Where the bytes of an entry begin: behind its own header, whose last two numbers are lengths of what follows."""
    file.seek(entry.header_offset + 26)
    lengths = file.read(4)
    return entry.header_offset + 30 + int.from_bytes(lengths[:2], "little") + int.from_bytes(lengths[2:], "little")


def _header(file: Any, entry: zipfile.ZipInfo) -> tuple[tuple[int, ...], bool, np.dtype, int]:
    """Shape, order, type and count of an array, whose size was compared with that of its entry."""
    version = npy.read_magic(file)
    if version not in ((1, 0), (2, 0)):
        raise ValueError(f"'{entry.filename}' has array format {version}")
    header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, fortran, dtype = header(file)
    if dtype.hasobject or dtype.names or dtype.subdtype:
        raise ValueError(f"'{entry.filename}' holds {dtype}")
    count = 1
    for n in shape:
        count *= int(n)
    if min(shape, default=0) < 0 or count * dtype.itemsize != entry.file_size - file.tell():
        raise ValueError(f"'{entry.filename}' has another size than it says")
    return shape, fortran, dtype, count


def _array(whole: zipfile.ZipFile, entry: zipfile.ZipInfo) -> np.ndarray:
    with whole.open(entry) as file:
        shape, fortran, dtype, count = _header(file, entry)
        data = file.read()
        flat = np.frombuffer(data, dtype, count) if dtype.itemsize else np.zeros(count, dtype)
        return flat.reshape(shape, order="F" if fortran else "C").copy()


def checked(numbers: Mapping[str, Any], kinds: Mapping[str, type | tuple[type, ...]], sentence: str) -> None:
    """Raises UserError unless each of these entries is there and of its kind; a bool is no number."""
    for name, kind in kinds.items():
        if name not in numbers:
            raise UserError(f"{sentence}: it has no '{name}'")
        value = numbers[name]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise UserError(f"{sentence}: its '{name}' is {type(value).__name__}")


def read_as(path: Path, what: str, make: Callable[[Any], Any], kind: type = dict) -> Any:
    """What make() has from a JSON file, whatever it stumbles over being the file's fault. Raises UserError."""
    content = read_json(path, what, kind)
    try:
        return make(content)
    except UserError:
        raise
    except Exception as error:
        why = f"it has no {error}" if isinstance(error, KeyError) else reason(error)
        raise UserError(f"'{path}' is not {what}: {why}") from error


def entry(cls: type[T], mapping: Any) -> T:
    """A dataclass from a dictionary of its fields. Raises TypeError when one is missing, unknown or of another type."""
    if not isinstance(mapping, dict):
        raise TypeError(f"an entry is {type(mapping).__name__}")
    instance = cls(**mapping)
    for name, hint in get_type_hints(cls).items():
        kinds = tuple(get_origin(k) or k for k in (get_args(hint) if get_origin(hint) is UnionType else (hint,)))
        if float in kinds:
            kinds += (int,)
        value = getattr(instance, name)
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise TypeError(f"its '{name}' is {type(value).__name__}")
        inner = get_args(hint)
        if isinstance(value, dict) and len(inner) == 2:
            value_kinds = tuple(get_args(inner[1])) or (inner[1],)
            value_kinds += (int,) if float in value_kinds else ()
            if not all(isinstance(x, tuple(get_origin(k) or k for k in value_kinds)) for x in value.values()):
                raise TypeError(f"its '{name}' holds more than {', '.join(k.__name__ for k in value_kinds)}")
    return instance
