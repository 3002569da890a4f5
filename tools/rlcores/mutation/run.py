"""Choose mutants, build them all once, and run the core's tests on each until one fails."""

import contextlib
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from rlcores import paths, verilated
from rlcores.errors import RunFailed, UserError
from rlcores.mutation import live, plan as plans, points, schemata
from rlcores.mutation.schemata import Mutant

# What a mutated tree holds of the checkout.
_TREE = ("rtl", "verif", "tools", "cores", "constraints", "docs", "sw", "configs.yaml", "fusesoc.conf", "pyproject.toml")
# A test may take so much more of the processor than it does on the core as it is, plus so many seconds.
_SLOWER, _MORE = 4, 10
_WALL = 20  # and so many times that on the wall clock, because the machine has other work

STATUSES = ("killed", "equal", "survived", "stillborn")


@dataclass
class Outcome:
    """What became of one mutant: killed by a test, proved or argued equal, survived, or stillborn."""

    mutant: Mutant
    status: str = ""
    by: str = ""  # the test that failed, the proof or the argument
    how: str = ""  # 'failed' or 'time'
    ran: list[str] = field(default_factory=list)  # tests that passed

    def row(self) -> dict:
        """For JSON."""
        site = self.mutant.site
        return {
            "number": self.mutant.number, "file": str(site.file.relative_to(paths.root())), "line": site.line,
            "module": site.module, "kind": self.mutant.change.kind, "before": schemata.one_line(site.before),
            "after": self.mutant.after, "status": self.status, "by": self.by, "how": self.how,
        }  # fmt: skip


@dataclass(frozen=True)
class Result:
    """All outcomes of a core."""

    core: str
    seed: int
    outcomes: list[Outcome]

    def count(self, status: str) -> int:
        """How many have a status."""
        return sum(outcome.status == status for outcome in self.outcomes)

    @property
    def killed(self) -> float:
        """Killed, of those that compile and are not equal to the core."""
        rest = len(self.outcomes) - self.count("equal") - self.count("stillborn")
        return self.count("killed") / rest if rest else 0.0


class Mutation:
    """The mutants of one core: chosen, compiled together, and tested."""

    def __init__(self, plan: plans.Plan, count: int, seed: int, *, fresh: bool = False) -> None:
        """Choose `count` mutants of a plan by a seed.

        fresh: results of earlier runs on the same RTL are forgotten. Raises UserError when there are not so many places.
        """
        self.plan, self.seed, self.fresh = plan, seed, fresh
        sources, self.includes = verilated.source_files(plan.core, ())
        self.sources = [path for path in sources if path.suffix == ".v"]
        missing = [path.name for path in plan.files if path not in self.sources]
        if missing:
            raise UserError(f"'{plan.core}' has no file {', '.join(missing)}")
        self.lives = [
            [live.elaborate(self.sources, self.includes, shape.top, shape.parameters) for shape in test.shapes]
            for test in plan.tests
        ]
        self.modules = points.parse(plan.files, self.includes)
        every = [live for lives in self.lives for live in lives]
        sites = [s for m in self.modules for s in m.sites if any(one.holds(s) for one in every)]
        self.mutants = choose(sites, count, seed)
        self.folder = paths.build() / "mutation" / plan.name
        self.tree = self.folder / "tree"
        self.kept = self._kept()

    def tests(self, mutant: Mutant) -> list[int]:
        """The numbers of the tests that build a mutant's place."""
        return [n for n, lives in enumerate(self.lives) if any(one.holds(mutant.site) for one in lives)]

    def stillborn(self, mutant: Mutant) -> str:
        """What is wrong with the RTL that has this mutant alone; '' when it elaborates."""
        site = mutant.site
        texts = {site.file: schemata.alone(site.file.read_text(), mutant)}
        for number in self.tests(mutant):
            for shape, one in zip(self.plan.tests[number].shapes, self.lives[number], strict=True):
                if one.holds(site):
                    try:
                        live.elaborate(self.sources, self.includes, shape.top, shape.parameters, texts)
                    except UserError as error:
                        return str(error)
                    return ""
        return ""

    def write_tree(self, mutants: Sequence[Mutant]) -> None:
        """A copy of the checkout whose RTL holds these mutants."""
        self.tree.mkdir(parents=True, exist_ok=True)
        (self.folder / "FUSESOC_IGNORE").touch()
        for name in _TREE:
            place = paths.root() / name
            if place.is_dir():
                _mirror(place, self.tree / name)
            elif place.exists():
                shutil.copy2(place, self.tree / name)
        for path in self.plan.files:
            chosen = [m for m in mutants if m.site.file == path]
            text = schemata.together(path.read_text(), [m for m in self.modules if m.file == path], chosen)
            there = self.tree / path.relative_to(paths.root())
            # An unchanged file keeps its time, so that what was built from it is used again.
            if there.read_text() != text:
                there.write_text(text)
        place = self.tree / "plan.yaml"
        place.write_text((plans.folder() / f"{self.plan.name}.yaml").read_text())

    def run(
        self,
        jobs: int = 1,
        done: Callable[[Outcome], None] = lambda outcome: None,
        said: Callable[[str], None] = lambda text: None,
    ) -> Result:
        """Test every mutant; `done` is called after each, `said` with what is being done.

        Raises RunFailed when a test fails on the core as it is.
        """
        outcomes = [Outcome(mutant) for mutant in self.mutants]
        for outcome in outcomes:
            wrong = self.stillborn(outcome.mutant)
            if wrong:
                outcome.status, outcome.by = "stillborn", wrong
                done(outcome)
        rest = [outcome for outcome in outcomes if not outcome.status]
        self.write_tree([outcome.mutant for outcome in rest])
        for outcome in rest:
            self._recall(outcome)
        needed = sorted({n for o in rest if not o.status for n in self.tests(o.mutant) if self._name(n) not in o.ran})
        for outcome in rest:
            if outcome.status:
                done(outcome)
        rest = [outcome for outcome in rest if not outcome.status]
        if rest:
            with contextlib.ExitStack() as stack:
                workers = [stack.enter_context(_Worker(self.tree, self.plan, str(n))) for n in range(jobs)]
                limits = self._baseline(workers, needed, said)
                free = list(workers)
                lock = threading.Lock()

                def one(outcome: Outcome) -> Outcome:
                    with lock:
                        worker = free.pop()
                    try:
                        self._test(outcome, worker, limits)
                    finally:
                        with lock:
                            free.append(worker)
                            self._keep(outcome)
                    return outcome

                with ThreadPoolExecutor(jobs) as pool:
                    for outcome in pool.map(one, rest):
                        done(outcome)
                # A machine that broke on the way would have killed mutants that the tests do not see.
                self._baseline(workers[:1], needed[:3], said)
        return Result(self.plan.name, self.seed, outcomes)

    def _baseline(self, workers: list["_Worker"], needed: list[int], said: Callable[[str], None]) -> dict[int, dict]:
        """Build and run each test on the core as it is; the time that each may take."""
        limits = {}
        for number in needed:
            said(self._name(number))
            for build in (True, False):
                found = workers[0].ask(number, 0, 3600, 3600, build=build)
                if not found["passed"]:
                    log = "\n".join((self.tree / "log-0.txt").read_text(errors="replace").splitlines()[-40:])
                    raise RunFailed(f"'{self._name(number)}' fails without a mutant ({found['how']}):\n{log}")
            limits[number] = {"cpu": _SLOWER * found["cpu"] + _MORE, "wall": _WALL * (found["wall"] + _MORE)}
        return limits

    def _test(self, outcome: Outcome, worker: "_Worker", limits: dict[int, dict]) -> None:
        for number in self.tests(outcome.mutant):
            if self._name(number) in outcome.ran:
                continue
            found = worker.ask(number, outcome.mutant.number, **limits[number])
            if not found["passed"]:
                outcome.status, outcome.by, outcome.how = "killed", self._name(number), found["how"]
                return
            outcome.ran.append(self._name(number))
        outcome.status = "survived"

    def _name(self, number: int) -> str:
        return self.plan.tests[number].name

    # What earlier runs on the same RTL found: a mutant's key -> status, test, tests that passed.

    def _kept(self) -> dict:
        place = self._kept_at()
        return {} if self.fresh or not place.exists() else json.loads(place.read_text())

    def _kept_at(self) -> Path:
        digest = hashlib.sha256()
        for path in self.sources:
            digest.update(path.read_bytes())
        return self.folder / f"kept-{digest.hexdigest()[:12]}.json"

    def _recall(self, outcome: Outcome) -> None:
        found = self.kept.get(_place(outcome.mutant))
        names = {test.name for test in self.plan.tests}
        if found and found["status"] == "killed" and found["by"] in names:
            outcome.status, outcome.by, outcome.how = "killed", found["by"], found["how"]

    def _keep(self, outcome: Outcome) -> None:
        self.kept[_place(outcome.mutant)] = {"status": outcome.status, "by": outcome.by, "how": outcome.how}
        place = self._kept_at()
        part = place.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps(self.kept, indent=1))
        part.replace(place)


def choose(sites: Sequence[points.Site], count: int, seed: int) -> list[Mutant]:
    """`count` different mutants: places by chance, one change each, then further changes of places that are used."""
    rng = random.Random(seed)
    left = [(site, rng.sample(site.changes, len(site.changes))) for site in sites]
    if sum(len(changes) for _, changes in left) < count:
        raise UserError(f"there are only {sum(len(changes) for _, changes in left)} mutants; {count} were asked for")
    chosen: list[tuple[points.Site, points.Change]] = []
    while len(chosen) < count:
        rng.shuffle(left)
        chosen += [(site, changes.pop()) for site, changes in left]
        left = [(site, changes) for site, changes in left if changes]
    return [Mutant(number, site, change) for number, (site, change) in enumerate(chosen[:count], 1)]


def arguments() -> dict[str, str]:
    """Mutants that change nothing, with the reason in words: verif/mutation/equal.yaml."""
    place = plans.folder() / "equal.yaml"
    return yaml.safe_load(place.read_text()) or {} if place.exists() else {}


def _place(mutant: Mutant) -> str:
    return f"{mutant.site.line}: {mutant.key}"


def _mirror(source: Path, target: Path) -> None:
    """Copy what differs, keep the time of what does not, and remove what is not there any more."""
    target.mkdir(parents=True, exist_ok=True)
    names = {entry.name for entry in os.scandir(source)} - {"__pycache__", "build"}
    for entry in list(os.scandir(target)):
        if entry.name not in names and entry.name != "__pycache__":
            shutil.rmtree(entry.path) if entry.is_dir() else os.unlink(entry.path)
    for name in names:
        there = target / name
        if (source / name).is_dir():
            _mirror(source / name, there)
        elif not there.exists() or there.read_bytes() != (source / name).read_bytes():
            shutil.copyfile(source / name, there)


class _Worker:
    """A process of rlcores.mutation.worker in the mutated tree."""

    def __init__(self, tree: Path, plan: plans.Plan, label: str) -> None:
        env = dict(os.environ)
        env["PYTHONPATH"] = os.pathsep.join([str(tree / "tools"), *filter(None, [env.get("PYTHONPATH")])])
        env[schemata.VARIABLE] = "0"
        command = [sys.executable, "-m", "rlcores.mutation.worker", "plan.yaml", plan.name, label]
        self._process = subprocess.Popen(command, cwd=tree, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._log = tree / f"log-{label}.txt"

    def ask(self, test: int, mutant: int, cpu: float, wall: float, *, build: bool = False) -> dict:
        """Run one test on one mutant (0: none)."""
        self._process.stdin.write(json.dumps({"test": test, "mutant": mutant, "build": build, "cpu": cpu, "wall": wall}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            log = self._log.read_text(errors="replace")[-3000:] if self._log.exists() else ""
            raise RunFailed(f"the process that runs the tests ended:\n{log}")
        return json.loads(line)

    def __enter__(self) -> "_Worker":
        return self

    def __exit__(self, *_) -> None:
        self._process.stdin.close()
        self._process.wait()
