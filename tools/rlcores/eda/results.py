"""What a cocotb run says of itself: its results.xml."""

import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class TestResult:
    """One cocotb test of a run."""

    __test__ = False  # not a test class, whatever pytest thinks of the name

    module: str
    name: str
    passed: bool
    skipped: bool
    seconds: float  # wall clock
    message: str  # why it failed, '' otherwise


def read(path: Path) -> list[TestResult] | None:
    """The tests of a results file; None when the simulator stopped while writing it, [] when there is none."""
    if not path.exists():
        return []
    try:
        return [_test(case) for case in ElementTree.parse(path).iter("testcase")]
    except ElementTree.ParseError:
        return None


def verdict(path: Path) -> str | None:
    """Why a results file does not count as a pass, in one sentence; None when it does."""
    if not path.exists():
        return "no test ended: the test module does not import or has no test, or the simulator stopped early"
    tests = read(path)
    if tests is None:
        return "the test results are not readable: the simulator stopped while writing them"
    failed = [test.name for test in tests if not (test.passed or test.skipped)]
    if failed:
        return f"{len(failed)} of {len(tests)} tests failed: {', '.join(failed)}"
    if all(test.skipped for test in tests):
        return "no test ran: none is left after COCOTB_TEST_FILTER, or all are skipped"
    return None


def _test(case: ElementTree.Element) -> TestResult:
    bad = case.find("failure") if case.find("failure") is not None else case.find("error")
    message = "" if bad is None else (bad.get("error_msg") or bad.get("message") or bad.text or "failed")
    skipped = case.find("skipped") is not None
    names, passed = (case.get("classname", ""), case.get("name", "?")), bad is None and not skipped
    return TestResult(*names, passed, skipped and bad is None, float(case.get("time", 0)), message.strip())
