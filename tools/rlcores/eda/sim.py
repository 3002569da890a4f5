"""Simulate a core: the `.core` file's own target, one build folder per parameter set."""

import contextlib
import fcntl
import hashlib
import json
import random
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rlcores.base import forks, paths, tools
from rlcores.eda import results, sources
from rlcores.eda.results import TestResult
from rlcores.errors import RunFailed, UserError

# Simulator -> the target of a .core file that uses it.
TARGETS = {"verilator": "sim", "icarus": "sim_icarus"}


@dataclass(frozen=True)
class SimResult:
    """One simulation: what ran, what came out, and where to look."""

    vlnv: str
    target: str
    parameters: dict[str, int | str]
    seed: int
    passed: bool
    tests: list[TestResult]
    message: str  # why it did not pass, one sentence; '' otherwise
    repeat: str  # the command that repeats it, from the repository root
    folder: Path  # of the run: results.xml, log.txt, what the tests left
    build: Path  # of the model
    coverage: dict[str, int] = field(default_factory=dict)  # coverage.json of the tests: bin -> hits


def run(
    vlnv: str,
    target: str = "sim",
    parameters: Mapping[str, int | str] | None = None,
    *,
    module: str | None = None,
    testcase: str | None = None,
    seed: int | None = None,
    netlist: str | None = None,
    structural: bool = False,
    env: Mapping[str, str] | None = None,
    build_root: Path | None = None,
    check: bool = True,
) -> SimResult:
    """Build (if needed) and run the simulation target of a core, as `fusesoc run` does.

    parameters are Verilog parameters of the top, as the .core file declares them; module replaces the target's cocotb
    module(s); testcase runs one test by name; seed is drawn when None; env is added to the tests' environment. netlist
    names a family, ecp5 or xcup: the tests then run on what yosys makes of the top for it, in Verilator. With
    structural Verilator counts lines, branches and toggles into structural.dat in the run's folder. Builds live
    under build_root (default build/sim), one folder per core, target and parameter set, so parallel runs never share a
    half-made model and an unchanged one is used again. Cores are looked for in rlcores and, as fusesoc does, in the
    folders that FUSESOC_CORES names.

    The tests' own files belong in the folder that RLCORES_RUN_DIR names; a coverage.json there, {bin: hits}, comes
    back in the result.

    Raises RunFailed when check is set and the build or a test fails (message: why, the end of the log, and the
    command that repeats it), and UserError when the core, the target or a parameter does not exist.
    """
    if vlnv.startswith("rlcores:"):
        paths.verif()  # our targets depend on benches, which are installed, or this says how they come
    parameters = dict(parameters or {})
    seed = random.randrange(2**31) if seed is None else seed
    variant = netlist or ("structural" if structural else None)
    work_root = _build_folder(build_root or paths.build() / "sim", vlnv, target, parameters, variant)
    names = (part.replace(",", "+") for part in (module, testcase) if part)
    folder = work_root / "runs" / re.sub(r"[^\w.+-]", "_", "-".join([*names, str(seed)]))
    folder.mkdir(parents=True, exist_ok=True)
    # What an earlier run of the same name left must not be read as this one's.
    for name in ("results.xml", "coverage.json"):
        (folder / name).unlink(missing_ok=True)
    options = {"cocotb_module": module} if module else {}
    options |= {"netlist": netlist} if netlist else {}
    options |= {"structural": "true"} if structural else {}
    arguments = [f"--{name}={value}" for name, value in {**options, **parameters}.items()]
    variables = {"COCOTB_RANDOM_SEED": str(seed)} | ({"COCOTB_TEST_FILTER": pattern(testcase)} if testcase else {})
    command = [str(_shown(tools.scripts() / "fusesoc")), "run", "--target", target, vlnv, *arguments]
    repeat = " ".join([*(f"{name}={shlex.quote(value)}" for name, value in variables.items()), shlex.join(command)])
    variables |= {"RLCORES_RUN_DIR": str(folder), **(env or {})}
    log = folder / "log.txt"
    message = ""
    with log.open("w") as stream, tools.environment(variables):
        try:
            quiet = contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream)
            with _locked(work_root / ".lock") as share, quiet[0], quiet[1]:
                backend = _backend(vlnv, target, work_root, arguments)
                backend.stdout = backend.stderr = stream
                backend.build()
                share()
                backend.run()
        except RuntimeError as error:
            message = str(error).partition("\n")[0]
    tests = results.read(folder / "results.xml") or []
    coverage_file = folder / "coverage.json"
    coverage = json.loads(coverage_file.read_text()) if coverage_file.exists() else {}
    result = SimResult(vlnv, target, parameters, seed, not message, tests, message, repeat, folder, work_root, coverage)
    if check and message:
        raise RunFailed(explain(result))
    return result


def explain(result: SimResult, lines: int = 60) -> str:
    """Why a run failed, the end of its log, and the command that repeats it."""
    tail = (result.folder / "log.txt").read_text(errors="replace").splitlines()[-lines:]
    log = _shown(result.folder / "log.txt")
    return "\n".join(
        [f"{result.vlnv} {result.target}: {result.message}", f"the end of {log}:", *tail, f"To repeat: {result.repeat}"]
    )


def _backend(vlnv: str, target: str, work_root: Path, arguments: list[str]):
    """The edalize flow object of a target, configured for work_root."""
    tools.need_package("fusesoc")
    from fusesoc.coremanager import DependencyError

    fusesoc = sources.database()
    fusesoc.config.args_work_root, fusesoc.config.args_no_export = str(work_root), True
    try:
        core = fusesoc.get_core(vlnv)
        flags = dict(core.get_flags(target), target=target)
    except (DependencyError, SyntaxError, RuntimeError) as error:
        raise UserError(f"core '{vlnv}' with target '{target}' was not found: {error}") from error
    try:
        return fusesoc.get_backend(core, flags, arguments)[1]
    except SystemExit as error:  # argparse has already said which argument
        raise UserError(f"'{vlnv}' does not take one of: {' '.join(arguments)}") from error


def pattern(testcase: str) -> str:
    """What cocotb searches in 'module.test' for a test's name; a pattern of the user's own is left alone."""
    return rf"\.{testcase}$" if testcase.isidentifier() else testcase


def _build_folder(
    build_root: Path, vlnv: str, target: str, parameters: Mapping[str, int | str], variant: str | None
) -> Path:
    key = json.dumps(sorted((k, str(v)) for k, v in parameters.items()))
    digest = hashlib.sha256(key.encode()).hexdigest()[:10] if parameters else "default"
    place = f"{target}_{variant}" if variant else target
    folder = Path(build_root).resolve() / vlnv.replace(":", "_") / place / digest
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "FUSESOC_IGNORE").touch()
    (folder / "parameters.json").write_text(key + "\n")
    return folder


@contextlib.contextmanager
def _locked(path: Path) -> Iterator:
    """Hold a folder alone while it is set up and built; the yielded call lets other runs of the model in."""
    with path.open("w") as lock:
        forks.leave_in_child(lock, lambda file: file.close())
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield lambda: fcntl.flock(lock, fcntl.LOCK_SH)


def _shown(path: Path) -> Path:
    """A path as a person would type it in the repository root."""
    home = paths.root()
    return path.relative_to(home) if path.is_relative_to(home) else path
