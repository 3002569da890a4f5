"""Runs tests of a mutated tree, one at a time, each in a fork of this process: what is imported is imported once.

First it tells what each test would build, {test: [[vlnv, top, parameters], ...], ...}. Then it is told by a line of
JSON on standard input and answers with one on standard output:

{"test": name, "mutant": number, "build": first time?, "cpu": seconds, "wall": seconds}
    -> {"passed", "how": "" | "failed" | "time", "cpu", "wall"}
"""

import contextlib
import hashlib
import json
import mmap
import os
import resource
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

from rlcores_lab.mutation import served
from rlcores_lab.mutation.schemata import VARIABLE

SEED = 1
_OPTIONS = ["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", "--seed", str(SEED), "-m", ""]


def main() -> None:
    """`python -m rlcores_lab.mutation.worker LABEL CALL ...` in the mutated tree; CALL: pytest's arguments as JSON."""
    label, *calls = sys.argv[1:]
    log = Path(f"log-{label}.txt").resolve()
    # What tests print must not be taken for answers.
    answers = os.fdopen(os.dup(1), "w")
    _redirect(log)
    # The first difference is enough.
    os.environ.setdefault("COCOTB_MAX_FAILURES", "1")
    os.environ.setdefault("SCOREBOARD_ENOUGH", "1")
    os.environ.setdefault("COCOTB_REWRITE_ASSERTION_FILES", "")
    from rlcores.base import threads

    threads.one()
    import pytest

    worker = Worker(label, log, answers)
    # pytest takes options for all its tests together, so each call is a session that finds names, and one session runs.
    for call in calls:
        before = len(worker.builds)
        pytest.main([*_OPTIONS, *json.loads(call)], plugins=[worker])
        if len(worker.builds) == before:
            worker.answer({"wrong": " ".join(json.loads(call))})
            return
    worker.dry = False
    pytest.main([*_OPTIONS, *worker.builds], plugins=[worker])


def _redirect(log: Path) -> None:
    with log.open("w") as stream:
        os.dup2(stream.fileno(), 1)
        os.dup2(stream.fileno(), 2)


class Worker:
    """The tests, and what surrounds each run."""

    def __init__(self, label: str, log: Path, answers) -> None:
        import pytest
        from edalize.flows.rlcsim import Rlcsim

        from rlcores.eda import library, sim, sources

        self.label, self.log, self.answers = label, log, answers
        self.pytest, self.sim, self.sources = pytest, sim, sources
        self.dry, self.building = True, False
        self.built: list = []
        self.tops: dict = {}
        self.builds: dict[str, list] = {}
        self.lifeline, self._mine = os.pipe()  # of simulators that wait for mutants
        self.elsewhere = mmap.mmap(-1, struct.calcsize("d"))  # seconds that they took in the present run
        self._sim_run, self._flow_run = sim.run, Rlcsim.run
        sim.run = self.sim_run
        library.build = self.noting(library.build)
        worker = self
        Rlcsim.run = lambda flow, args=None: worker.flow_run(flow, args)

    # pytest's hooks.

    def pytest_runtest_setup(self, item) -> None:
        self.built = self.builds.setdefault(item.nodeid, []) if self.dry else []

    def pytest_runtestloop(self, session):
        """Serve, once all names are known."""
        from _pytest.runner import runtestprotocol

        if self.dry:
            for item in session.items:
                # A fixture that several tests share is made for each, and so is seen in each.
                runtestprotocol(item, log=False, nextitem=None)
            return True
        items = {item.nodeid: item for item in session.items}
        for vlnv in {vlnv for built in self.builds.values() for vlnv, *_ in built}:
            self.sources.of_core(vlnv)  # which it remembers, and every child with it
        self.answer(self.builds)
        for line in sys.stdin:
            asked = json.loads(line)
            self.answer(self.run(items[asked.pop("test")], **asked))
        return True

    def answer(self, what) -> None:
        """Answer with one line."""
        self.answers.write(json.dumps(what) + "\n")
        self.answers.flush()

    def run(self, item, mutant: int, build: bool, cpu: float, wall: float) -> dict:
        """One test on one mutant."""
        started, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        self.elsewhere[:] = struct.pack("d", 0.0)
        child = os.fork()
        if child == 0:
            self.child(item, mutant, build, cpu)
        how = ""
        while True:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                break
            if time.monotonic() - started > wall and not how:
                how = "time"
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(child, signal.SIGKILL)
            time.sleep(0.005)
        # Whatever the test has started ends with it.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        used += struct.unpack("d", self.elsewhere)[0]
        passed = os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0
        how = "" if passed else how or ("time" if used > cpu else "failed")
        return {"passed": passed, "how": how, "cpu": used, "wall": time.monotonic() - started}

    def child(self, item, mutant: int, build: bool, cpu: float) -> None:
        """The rest of a forked process."""
        from _pytest.runner import runtestprotocol

        os.setpgid(0, 0)
        code = 1
        try:
            _redirect(self.log)
            # Not the hard limit: a simulator that is started now also runs mutants that may take longer.
            resource.setrlimit(resource.RLIMIT_CPU, (int(cpu) + 1, resource.getrlimit(resource.RLIMIT_CPU)[1]))
            os.environ[VARIABLE] = str(mutant)
            self.building = build
            reports = runtestprotocol(item, log=False, nextitem=None)
            for report in reports:
                if report.failed:
                    print(report.longrepr)
            code = int(any(report.failed for report in reports))  # one that is skipped sees nothing
        except BaseException:
            import traceback

            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    # What tests call.

    def noting(self, build):
        """A function that builds a library, noting what is built."""

        def noted(vlnv, top, parameters=None, *others, **named):
            self.note(vlnv, top, parameters)
            return build(vlnv, top, parameters, *others, **named)

        return noted

    def sim_run(self, vlnv, target="sim", parameters=None, *, build_root=None, **options):
        """sim.run, noting what is built; once it is, only the simulator itself is started."""
        self.note(vlnv, self.top(vlnv, target), parameters)
        what = [vlnv, target, sorted((parameters or {}).items()), *map(options.get, ("module", "testcase", "netlist"))]
        name = hashlib.sha256(json.dumps(what).encode()).hexdigest()[:16]
        place = Path(f"command-{name}.json").resolve()
        if self.building or not place.exists() or build_root:
            self.command = place
            return self._sim_run(vlnv, target, parameters, build_root=build_root, **options)
        return self.simulate(json.loads(place.read_text()), vlnv, target, parameters or {}, **options)

    def flow_run(self, flow, args) -> None:
        """The flow's last step, without the make around it written down."""
        from cocotb_tools import config

        module, folder = flow.flow_options.get("cocotb_module"), Path(os.environ["RLCORES_RUN_DIR"])
        if flow.flow_options["tool"] == "icarus":
            library = config.lib_name_path("vpi", "icarus")
            command = ["vvp", "-n", "-M", str(library.parent), "-m", str(library), flow.edam["name"]]
        else:
            name, arguments, _ = flow.flow.get_node("verilator").inst.run()
            command = [name, *arguments]
        known = {"command": command, "cwd": str(Path(flow.work_root).resolve())}
        self.command.write_text(json.dumps({**known, "env": flow._cocotb_env(module, folder / "results.xml")}))
        self._flow_run(flow, args)

    def simulate(self, known, vlnv, target, parameters, *, testcase=None, seed=None, env=None, check=True, **_):
        """One run of a built simulation."""
        from rlcores.base import tools
        from rlcores.eda import results
        from rlcores.errors import RunFailed

        folder = Path(f"run-{self.label}").resolve()
        folder.mkdir(exist_ok=True)
        file, coverage = folder / "results.xml", folder / "coverage.json"
        for path in (file, coverage):
            path.unlink(missing_ok=True)
        variables = {**tools.env(), **known["env"], "COCOTB_RESULTS_FILE": str(file), "RLCORES_RUN_DIR": str(folder)}
        variables |= {"COCOTB_RANDOM_SEED": str(SEED if seed is None else seed), **(env or {})}
        if testcase:
            variables["COCOTB_TEST_FILTER"] = self.sim.pattern(testcase)
        mutant, log, command = int(os.environ[VARIABLE]), folder / "log.txt", known["command"]
        if command[0].endswith("vvp"):
            code, used = served.run(command, known["cwd"], variables, mutant, log, self.lifeline)
            self.elsewhere[:] = struct.pack("d", struct.unpack("d", self.elsewhere)[0] + used)
        else:  # Verilator's models have threads, which a fork loses
            with log.open("w") as stream:
                code = subprocess.run(command, cwd=known["cwd"], env=variables, stdout=stream, stderr=stream).returncode
        message = results.verdict(file) or ("the simulator stopped" if code else "")
        hits = json.loads(coverage.read_text()) if coverage.exists() else {}
        tests = results.read(file) or []
        result = self.sim.SimResult(
            vlnv, target, dict(parameters), seed or SEED, not message, tests, message, "", folder, folder, hits
        )
        if check and message:
            raise RunFailed(message)
        return result

    def note(self, vlnv: str, top: str, parameters) -> None:
        """A test builds this. While tests are collected it goes no further."""
        what = [vlnv, top, dict(parameters or {})]
        if what not in self.built:
            self.built.append(what)
        if self.dry:
            self.pytest.skip("only collected")

    def top(self, vlnv: str, target: str) -> str:
        """The top module of a core's target."""
        if (vlnv, target) not in self.tops:
            self.tops[vlnv, target] = self.sources.of_core(vlnv, target).tops[0]
        return self.tops[vlnv, target]


if __name__ == "__main__":
    main()
