"""Where the cores are, and where results go."""

import os
from pathlib import Path

from rlcores.errors import UserError

_PACKAGE = Path(__file__).resolve().parents[1]
_ANOTHER = "the variable RLCORES_BUILD may name another one"
_LEAST_ROOM = 4 << 20  # bytes below which a failure is the disk's


def root() -> Path:
    """The folder that holds rtl/, cores/, configs.yaml and fusesoc.conf.

    The checkout when rlcores runs from one (editable install), else the copy that the wheel carries.
    """
    checkout = _PACKAGE.parent.parent
    if _PACKAGE.parent.name == "tools" and (checkout / "fusesoc.conf").is_file():
        return checkout
    return _PACKAGE / "data"


def clone() -> Path:
    """root(), for a command that changes files of the repository.

    Raises UserError in an installation: its copy is nobody's to change.
    """
    home = root()
    if home.name == "data":
        raise UserError("this changes the repository: run .venv/bin/rlcores in a clone, where `make demo` makes .venv")
    return home


def verif() -> Path:
    """The folder of the tests and proofs. Raises UserError when they are not installed."""
    folder = root() / "verif"
    if not folder.is_dir():
        raise UserError(
            "the tests and proofs of the cores are not installed: `pip install ./lab` in a clone of rlcores brings them"
        )
    return folder


def build() -> Path:
    """The folder for everything rlcores makes: build/ of the checkout, or of the current folder when installed.

    The environment variable RLCORES_BUILD names another one. Created on first use, and marked so that FuseSoC does not
    look for cores in it. Raises UserError when it cannot be made or written.
    """
    home = root()
    setting = os.environ.get("RLCORES_BUILD")
    folder = Path(setting).absolute() if setting else (Path.cwd() if home.name == "data" else home) / "build"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "FUSESOC_IGNORE").touch()
    except OSError as error:
        raise UserError(f"the folder '{folder}' cannot be written: {error.strerror}; {_ANOTHER}") from error
    return folder


def full() -> str | None:
    """A sentence when the disk of the build folder has no room: a tool that failed would blame something else."""
    try:
        folder = build()
        left = os.statvfs(folder)
    except (OSError, UserError):
        return None
    room = left.f_bavail * left.f_frsize
    if room >= _LEAST_ROOM:
        return None
    return f"the disk of '{folder}' is full: {room >> 10:,} KiB are left; {_ANOTHER}"
