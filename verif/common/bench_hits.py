"""What the tests of one simulation have covered, counted by name, for the test that started it."""

import json
import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

HITS: Counter[str] = Counter()


def leave(what: Mapping[str, object]) -> None:
    """Write coverage.json into RLCORES_RUN_DIR, or the working folder when that is not set."""
    folder = Path(os.environ.get("RLCORES_RUN_DIR", "."))
    (folder / "coverage.json").write_text(json.dumps(what, indent=1) + "\n")


def report(hits: Mapping[str, int] | None = None) -> None:
    """Count these too, and leave the hits of all tests so far."""
    HITS.update(hits or {})
    leave(HITS)
