"""The page docs/configurations.md: the parameters of every core, in configs.yaml and in Verilog, and its named sets."""

from pathlib import Path

from rlcores.base import paths
from rlcores.eda import configs, declared
from rlcores_lab import shown


def outputs() -> dict[Path, str]:
    """The page, from the root, and its text."""
    first: dict[declared.Parameter, str] = {}  # where a parameter is listed
    cores = []
    for core in sorted(declared.cores(), key=_made_of):
        parameters = declared.of(core).values()
        own = [p for p in parameters if p not in first]
        others = list(dict.fromkeys(first[p] for p in parameters if p in first))
        first |= dict.fromkeys(own, core)
        page = _contract(core)
        own = [p for p in own if not page or p.key != p.name.lower() or p.wanted != p.range]
        cores.append((core, page, others, own, [configs.get(core, name) for name in configs.names(core)]))
    return {Path("docs") / "configurations.md": shown.rendered("writers/configurations.md.j2", cores=cores)}


def _contract(core: str) -> str | None:
    """The page whose table has the core's parameters."""
    pages = sorted((paths.root() / "docs").glob("*.md"))
    return next((page.name for page in pages if f"<contract of {core}>" in page.read_text()), None)


def _made_of(core: str) -> tuple[int, str]:
    """Cores before those that have their parameters, too."""
    own = set(declared.of(core))
    return sum(set(declared.of(other)) < own for other in declared.cores()), core
