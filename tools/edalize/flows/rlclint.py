"""The edalize flow `rlclint`: Verilator's lint with all warnings, for every top a target lists.

edalize's own `lint` flow takes one top and needs verilator on PATH. A library of primitives has many tops, and a
module that is no top of the run is hardly looked at.
"""

import os

from edalize.flows.lint import Lint

from rlcores import tools


class Rlclint(Lint):
    """Lint each module of `toplevel` in turn; raise RuntimeError when one has a warning."""

    def __init__(self, edam, work_root, verbose=False):
        os.environ.update(tools.env())
        self.tops = edam["toplevel"].split()
        edam["toplevel"] = self.tops[0]
        try:
            tools.need("verilator", "perl", "make")
        except ValueError as error:
            raise RuntimeError(str(error)) from error
        super().__init__(edam, work_root, verbose)

    def configure_tools(self, flow):
        options = self.edam["tool_options"]["verilator"]
        options["verilator_options"] = ["-Wall", "--quiet-stats", *options.get("verilator_options", [])]
        super().configure_tools(flow)

    def build(self):
        # fusesoc skips this while the core is unchanged, but the flow may be newer than the build folder.
        self.configure()
        name = self.edam["name"]
        failed = []
        for top in self.tops:
            arguments = ["-f", f"{name}.vc", "--top-module", top]
            try:
                self._run_tool("verilator", arguments, cwd=self.work_root)
            except RuntimeError:
                failed.append(top)
        if failed:
            raise RuntimeError(f"lint found warnings or errors in {', '.join(failed)}")
