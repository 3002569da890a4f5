"""The edalize flow `rlclint`: rlcores.eda.lint for every top a target lists.

edalize's own `lint` flow takes one top and one linter. A library of primitives has many tops, and a module that is no
top of the run is hardly looked at.
"""

from pathlib import Path
from typing import ClassVar

from edalize.flows.lint import Lint

from rlcores.base import tools
from rlcores.eda import configs, lint


class Rlclint(Lint):
    """Lint each module of `toplevel` in turn; raise RuntimeError when one has a warning."""

    FLOW_OPTIONS: ClassVar = {**Lint.FLOW_OPTIONS, **configs.OPTION}

    def __init__(self, edam, work_root, verbose=False):
        tools.adopt()
        self.tops = edam["toplevel"].split()
        edam["toplevel"] = self.tops[0]
        with configs.for_flows():
            configs.apply(edam)
            tools.require_commands("verilator", "perl", "make")
        super().__init__(edam, work_root, verbose)

    def build(self):
        # fusesoc skips this while the core is unchanged, but the flow may be newer than the build folder.
        self.configure()
        failed = []
        for linted in lint.of_edam(self.edam, Path(self.work_root), self.tops):
            said = lint.problems(linted)
            if said:
                print(said, flush=True)
                failed.append(linted.design.top)
        if failed:
            raise RuntimeError(f"lint found warnings or errors in {', '.join(failed)}")
