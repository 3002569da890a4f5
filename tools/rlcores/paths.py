"""Where the cores are, and where results go."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def root() -> Path:
    """The folder that holds rtl/, verif/, cores/, configs.yaml and fusesoc.conf.

    The checkout when rlcores runs from one (editable install), else the copy that the wheel carries.
    """
    checkout = _PACKAGE.parent.parent
    if _PACKAGE.parent.name == "tools" and (checkout / "fusesoc.conf").is_file():
        return checkout
    return _PACKAGE / "data"


def build() -> Path:
    """The folder for everything rlcores makes: build/ of the checkout, or of the current folder when installed.

    Created on first use, and marked so that FuseSoC does not look for cores in it.
    """
    home = root()
    folder = (Path.cwd() if home.name == "data" else home) / "build"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "FUSESOC_IGNORE").touch()
    return folder
