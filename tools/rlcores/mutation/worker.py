"""Runs tests of a mutated tree, one at a time, each in a fork of this process: what is imported is imported once.

Told by lines of JSON on standard input, answers with one line each on standard output:
{"test": number in the plan, "mutant": number, "build": first time?, "cpu": seconds, "wall": seconds} -> {"passed", "how", "cpu", "wall"}.
"""

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

from rlcores.mutation import plan as plans
from rlcores.mutation.schemata import VARIABLE

SEED = 1
# To children: whether to build, and where to write down what a simulation runs.
_BUILD, _COMMAND = "RLCORES_MUTATION_BUILD", "RLCORES_MUTATION_COMMAND"


def main() -> None:
    """`python -m rlcores.mutation.worker PLAN NAME LABEL`, in the mutated tree."""
    place, name, label = sys.argv[1:]
    plan = plans.load(name, Path(place))
    log = Path(f"log-{label}.txt").resolve()
    # What children print must not be taken for answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    with log.open("w") as stream:
        os.dup2(stream.fileno(), 2)
        os.dup2(stream.fileno(), 1)
    _prepare(plan, label)
    for line in sys.stdin:
        answers.write(json.dumps(_run(plan, label, log, **json.loads(line))) + "\n")
        answers.flush()


def _prepare(plan: plans.Plan, label: str) -> None:
    os.environ.setdefault("COCOTB_MAX_FAILURES", "1")
    from rlcores.train import threads

    threads.one()
    import fusesoc.fusesoc
    import numpy
    import pytest
    from edalize.flows.rlcsim import Rlcsim
    from edalize.tools.icarus import Icarus

    import rlcores.sim
    import rlcores.verilated

    # Two workers must not write the results of one run into one folder.
    named = rlcores.sim._run_name
    rlcores.sim._run_name = lambda *what: f"{named(*what)}-{label}"
    built, ran, make = Rlcsim.build, Rlcsim.run, Icarus.run
    Rlcsim.build = lambda self: built(self) if os.environ[_BUILD] else None

    def run(self, args=None):
        place = os.environ.get(_COMMAND)
        if place:
            Path(place).write_text(json.dumps(_command(self)))
        ran(self, args)

    Rlcsim.run = run

    def run_make(self):
        command, arguments, cwd = make(self)
        return command, [*arguments, f"EXTRA_OPTIONS=+mutant={os.environ[VARIABLE]}"], cwd

    Icarus.run = run_make
    for test in plan.tests:
        if test.pytest:
            os.environ[VARIABLE] = "0"
            pytest.main(["--collect-only", "-q", *_options(test)])


def _options(test: plans.Test) -> list[str]:
    return ["-x", "-q", "-p", "no:cacheprovider", "--seed", str(SEED), "-m", "", *test.pytest]


def _run(plan: plans.Plan, label: str, log: Path, test: int, mutant: int, build: bool, cpu: float, wall: float) -> dict:
    started = time.monotonic()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        code = 1
        try:
            with log.open("w") as stream:
                os.dup2(stream.fileno(), 1)
                os.dup2(stream.fileno(), 2)
            resource.setrlimit(resource.RLIMIT_CPU, (int(cpu) + 1, int(cpu) + 2))
            os.environ.update(plan.tests[test].env, **{VARIABLE: str(mutant), _BUILD: "1" if build else ""})
            code = 0 if _passes(plan.tests[test], test, build, label) else 1
        except BaseException:
            import traceback

            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    how = ""
    while True:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            break
        if time.monotonic() - started > wall and not how:
            how = "time"
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
        time.sleep(0.01)
    # Whatever the test has started ends with it.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    passed = os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0
    how = how or ("time" if used > cpu else "" if passed else "failed")
    return {"passed": passed, "how": how, "cpu": used, "wall": time.monotonic() - started}


def _passes(test: plans.Test, number: int, build: bool, label: str) -> bool:
    if test.pytest:
        import pytest

        code = pytest.main(_options(test))
        if code == pytest.ExitCode.NO_TESTS_COLLECTED:
            raise RuntimeError(f"no test is called {' '.join(test.pytest)}")
        return code == 0
    place = Path(f"command-{number}.json").resolve()
    if not build:
        return _simulate(json.loads(place.read_text()), test, label)
    from rlcores import sim

    os.environ[_COMMAND] = str(place)
    parameters = test.shapes[0].parameters
    result = sim.run(
        test.sim, test.target, parameters, module=test.module, testcase=test.testcase, seed=SEED, check=False
    )
    if not result.passed:
        print(sim.explain(result))
    return result.passed


def _command(flow) -> dict:
    """What a simulation runs in the end, without the make around it."""
    from cocotb_tools import config

    module, folder = flow.flow_options["cocotb_module"], Path(os.environ["RLCORES_RUN_DIR"])
    if flow.flow_options["tool"] == "icarus":
        library = config.lib_name_path("vpi", "icarus")
        command = ["vvp", "-n", "-M", str(library.parent), "-m", str(library), flow.edam["name"]]
    else:
        name, arguments, _ = flow.flow.get_node("verilator").inst.run()
        command = [name, *arguments]
    env = flow._cocotb_env(module, folder / "results.xml")
    if "COCOTB_TEST_FILTER" in os.environ:
        env["COCOTB_TEST_FILTER"] = os.environ["COCOTB_TEST_FILTER"]
    return {"command": command, "cwd": str(Path(flow.work_root).resolve()), "env": env}


def _simulate(known: dict, test: plans.Test, label: str) -> bool:
    from edalize.flows.rlcsim import verdict

    folder = Path(f"run-{label}").resolve()
    folder.mkdir(exist_ok=True)
    results = folder / "results.xml"
    results.unlink(missing_ok=True)
    place = {"COCOTB_RESULTS_FILE": str(results), "RLCORES_RUN_DIR": str(folder)}
    env = {**os.environ, **known["env"], **place, **test.env}
    done = subprocess.run([*known["command"], f"+mutant={os.environ[VARIABLE]}"], cwd=known["cwd"], env=env)
    wrong = verdict(results)
    print(wrong, done.returncode)
    return wrong is None and done.returncode == 0


if __name__ == "__main__":
    main()
