"""What sby calls as its abc: Debian's berkeley-abc, which is older than the one sby was written for.

It does not know the option -l of pdr, and ends the last line of a counterexample with its own comment.
"""

import re
import subprocess
import sys
from pathlib import Path


def main() -> int:
    """Run berkeley-abc with sby's arguments; returns its exit code."""
    arguments = [argument.replace("pdr -v -l", "pdr -v") for argument in sys.argv[1:]]
    code = subprocess.run(["berkeley-abc", *arguments]).returncode
    for file in re.findall(r"write_cex -a (\S+)", " ".join(arguments)):
        trace = Path(file)
        if trace.exists():
            trace.write_text(re.sub(r"(?<=[01x])# DONE", "\n# DONE\n", trace.read_text()))
    return code


if __name__ == "__main__":
    sys.exit(main())
