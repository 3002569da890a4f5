"""Choose mutants, build them all once, and run the core's tests on each until one fails."""

import contextlib
import fcntl
import hashlib
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

from rlcores.base import files, paths
from rlcores.eda import sources
from rlcores.errors import RunFailed, UserError
from rlcores_lab.mutation import equal, live, points, schemata
from rlcores_lab.mutation import plan as plans
from rlcores_lab.mutation.schemata import Mutant

STATUSES = ("killed", "equal", "survived", "stillborn")

# What a mutated tree holds of the checkout.
_TREE = (
    "rtl", "verif", "tools", "lab", "cores", "constraints", "docs", "sw", "configs.yaml", "fusesoc.conf",
    "pyproject.toml",
)  # fmt: skip
# Of these, what tests build.
_BUILT = ("rtl", "verif", "tools", "lab", "cores", "configs.yaml", "fusesoc.conf")
_NOT_BUILT = {".py", ".pyc", ".json", ".md", ".yaml"}
# A test may take this multiple of the processor's time that it takes on the core as it is, plus these seconds; and so
# many times that on the wall clock, because the machine has other work.
_SLOWER, _MORE, _WALL = 4, 3, 40
_LONG = 3600
_INSTANCES = 12  # more sets of parameters than that are not proved


@dataclass
class Outcome:
    """What became of one mutant."""

    mutant: Mutant
    status: str = ""  # of STATUSES
    by: str = ""  # the test that failed, the proof or the argument, or what the compiler said
    how: str = ""  # of a kill: 'failed' or 'time'

    def row(self) -> dict:
        """For JSON."""
        site = self.mutant.site
        return {
            "number": self.mutant.number, "file": str(site.file.relative_to(paths.root())), "line": site.line,
            "module": site.module, "kind": self.mutant.change.kind, "before": points.one_line(site.before),
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
        """Choose `count` mutants of a plan by a seed; of those that a test builds.

        fresh: what earlier runs on the same files found and measured is forgotten. Raises UserError when there are not
        that many, and when somebody else is breaking this core here.
        """
        self.plan, self.seed = plan, seed
        self.folder = paths.build() / "mutation" / plan.name
        self.tree = self.folder / "tree"
        self.modules = points.parse(plan.files)
        self.tree.mkdir(parents=True, exist_ok=True)
        self._lock = (self.folder / ".lock").open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise UserError(f"another 'rlcores mutate {plan.name}' is at work here; wait for its end") from error
        self._write_tree([])
        with _Worker(self.tree, "0", plan) as worker:
            # What a test builds: core, top and parameters, as JSON.
            self.tests = {test: [json.dumps(what) for what in built] for test, built in worker.tests.items()}
        sites = [site for module in self.modules for site in module.sites if self._asked(site)]
        self.mutants = choose(sites, count, seed)
        if fresh:
            self._limits_at().unlink(missing_ok=True)
        self.kept = {} if fresh else _read(self._kept_at())
        self.limits: dict[str, dict[str, float]] = {}
        self._recalled: set[str] = set()  # tests whose limit an earlier run has measured, and that have not failed yet
        self.tries: dict[tuple[str, str], tuple[int, int]] = {}  # module, test -> runs, kills

    def stillborn(self, mutants: Sequence[Mutant]) -> dict[int, str]:
        """The numbers of those whose RTL does not elaborate, each alone, with what is wrong."""
        tops = [top for top in dict.fromkeys(chain(*self.tests.values())) if _live(top).modules]
        texts = {path: content.decode() for path, content in self._texts(mutants).items()}
        if all(not _wrong(top, texts) for top in tops):
            return {}  # what is wrong alone is wrong among others
        reasons = {}
        for mutant in mutants:
            site = mutant.site
            texts = {site.file: schemata.alone(site.file.read_text(), mutant)}
            if wrong := _wrong(next(top for top in tops if _live(top).holds(site)), texts):
                reasons[mutant.number] = wrong
        return reasons

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
        argued = plans.equal()
        stillborn = self.stillborn(self.mutants)
        self._write_tree([mutant for mutant in self.mutants if mutant.number not in stillborn])
        for outcome in outcomes:
            if outcome.mutant.number in stillborn:
                outcome.status, outcome.by = "stillborn", stillborn[outcome.mutant.number]
            elif outcome.mutant.key in argued:
                outcome.status, outcome.by = "equal", " ".join(argued[outcome.mutant.key].split())
            else:
                self._recall(outcome)
            if outcome.status:
                done(outcome)
        rest = [outcome for outcome in outcomes if not outcome.status]
        self._texts_digest = self._digest()
        if rest:
            self._test_all(rest, jobs, done, said)
        return Result(self.plan.name, self.seed, outcomes)

    def _test_all(
        self, rest: Sequence[Outcome], jobs: int, done: Callable[[Outcome], None], said: Callable[[str], None]
    ) -> None:
        with contextlib.ExitStack() as stack, ThreadPoolExecutor(jobs) as pool:
            free, self._building = queue.SimpleQueue(), threading.Lock()
            for number in range(jobs):
                free.put(stack.enter_context(_Worker(self.tree, str(number), self.plan)))

            def one(outcome: Outcome) -> Outcome:
                worker = free.get()
                try:
                    self._test(outcome, worker, said)
                finally:
                    free.put(worker)
                return outcome

            for outcome in pool.map(one, rest):
                self._keep(outcome)
                done(outcome)
            survivors = [outcome for outcome in rest if outcome.status == "survived"]
            for number, outcome in enumerate(survivors, 1):
                said(f"is it equal? {number} of {len(survivors)}")
                self._prove(outcome)
            # A machine that broke on the way would have killed mutants that no test sees.
            worker = free.get()
            for test in sorted(self.limits, key=lambda test: self.limits[test]["cpu"])[:3]:
                self._pass(worker, test, build=False)

    def _asked(self, site: points.Site) -> list[str]:
        """The tests that build this place."""
        return [test for test, built in self.tests.items() if any(_live(top).holds(site) for top in built)]

    def _promising(self, site: points.Site) -> list[str]:
        """The tests that build a place: first those that cost least for what they have killed in this module.

        A test that has not run yet has still to be built. It comes first where the plan has it in front of the best of
        those that have run, else last.
        """

        def cost(test: str) -> float:
            runs, kills = self.tries.get((site.module, test), (0, 0))
            return self.limits[test]["cpu"] * (runs + 1) / (kills + 1)

        asked = self._asked(site)
        known = sorted((test for test in asked if test in self.limits), key=cost)
        ahead = asked[: asked.index(known[0])] if known else asked
        return [
            *(test for test in ahead if test not in self.limits),
            *known,
            *(test for test in asked if test not in self.limits and test not in ahead),
        ]

    def _measure(self, worker: "_Worker", test: str) -> None:
        """Build and run a test on the core as it is: it must pass, and shows how long it takes.

        What an earlier run has built and measured is taken as it is, until the test fails for the first time.
        """
        if (key := self._known(test)) in (measured := _read(self._limits_at())):
            self.limits[test] = measured[key]
            self._recalled.add(test)
            return
        self._pass(worker, test, build=True)
        self._time(worker, test)

    def _time(self, worker: "_Worker", test: str) -> None:
        used = self._pass(worker, test, build=False)
        self.limits[test] = {"cpu": _SLOWER * used["cpu"] + _MORE, "wall": _WALL * (used["wall"] + _MORE)}
        measured = _read(self._limits_at()) | {self._known(test): self.limits[test]}
        now = {name: limit for name, limit in measured.items() if name.startswith(self._texts_digest)}
        files.replace(self._limits_at(), json.dumps(now, indent=1))

    def _ask(self, worker: "_Worker", test: str, mutant: Mutant) -> dict:
        """Run a test on a mutant. The first failure of a test whose limit is an earlier run's counts only if the core
        as it is still passes, and the mutant fails again within the time that the core takes now."""

        def asked() -> dict:
            return worker.ask(test=test, mutant=mutant.number, build=False, **self.limits[test])

        answer = asked()
        if not answer["passed"] and test in self._recalled:
            self._time(worker, test)
            self._recalled.remove(test)
            answer = asked()
        return answer

    def _pass(self, worker: "_Worker", test: str, *, build: bool) -> dict:
        answer = worker.ask(test=test, mutant=0, build=build, cpu=_LONG, wall=_LONG)
        if not answer["passed"]:
            raise RunFailed(f"'{test}' fails without a mutant:\n{self._log()}")
        return answer

    def _test(self, outcome: Outcome, worker: "_Worker", said: Callable[[str], None]) -> None:
        site = outcome.mutant.site
        for test in self._promising(site):
            with self._building:
                if test not in self.limits:
                    said(f"without a mutant: {test}")
                    self._measure(worker, test)
                    said("mutants")
            answer = self._ask(worker, test, outcome.mutant)
            runs, kills = self.tries.get((site.module, test), (0, 0))
            self.tries[site.module, test] = runs + 1, kills + (not answer["passed"])
            if not answer["passed"]:
                outcome.status, outcome.by, outcome.how = "killed", test, answer["how"]
                return
        outcome.status = "survived"

    def _prove(self, outcome: Outcome) -> None:
        """Try to; a proof that was tried on the same text is not tried again."""
        site, known = outcome.mutant.site, self.kept[_place(outcome.mutant)]
        if known.get("proof") == "none":
            return
        instances: dict[tuple, tuple] = {}  # parameters -> the files that have them
        for test in self._asked(site):
            for top in self.tests[test]:
                if _live(top).holds(site):
                    those = (parameters for name, parameters in _live(top).instances if name == site.module)
                    instances |= dict.fromkeys(those, json.loads(top)[0])
        if not instances or len(instances) > _INSTANCES:
            return
        read = sources.of_core(next(iter(instances.values())))
        place = self.folder / "equal" / str(outcome.mutant.number)
        way = equal.prove(
            outcome.mutant, read.files, read.folders, [dict(parameters) for parameters in instances], place
        )
        if way:
            outcome.status, outcome.by = "equal", way
        else:
            known["proof"] = "none"
        self._keep(outcome)

    def _write_tree(self, mutants: Sequence[Mutant]) -> None:
        """A copy of the checkout whose RTL holds these mutants; what is unchanged keeps its time."""
        (self.folder / "FUSESOC_IGNORE").touch()
        changed = self._texts(mutants)
        for name in _TREE:
            if (paths.root() / name).exists():
                _mirror(paths.root() / name, self.tree / name, changed)

    def _texts(self, mutants: Sequence[Mutant]) -> dict[Path, bytes]:
        """The files of the plan with these mutants."""
        texts = {}
        for path in self.plan.files:
            chosen = [m for m in mutants if m.site.file == path]
            modules = [m for m in self.modules if m.file == path]
            texts[path] = schemata.together(path.read_text(), modules, chosen).encode()
        return texts

    def _log(self) -> str:
        log = self.tree / "log-0.txt"
        return "\n".join(log.read_text(errors="replace").splitlines()[-40:]) if log.exists() else ""

    # What earlier runs found with the same files.

    def _kept_at(self) -> Path:
        return self.folder / "kept.json"

    def _limits_at(self) -> Path:
        return self.folder / "limits.json"

    def _known(self, test: str) -> str:
        """The name of a measured limit: the text that was built, what of it the test builds, and the test."""
        built = hashlib.sha256(" ".join(self.tests[test]).encode()).hexdigest()[:16]
        return f"{self._texts_digest} {built} {test}"

    def _digest(self) -> str:
        """Of all that a test builds. Python is not built: a bench is read as a simulation starts."""
        digest = hashlib.sha256()
        for name in _BUILT:
            place = self.tree / name
            for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
                if path.is_file() and path.suffix not in _NOT_BUILT:
                    digest.update(str(path.relative_to(self.tree)).encode() + b" " + path.read_bytes() + b" ")
        return digest.hexdigest()[:16]

    def _recall(self, outcome: Outcome) -> None:
        """A mutant that a test has killed stays killed while that test is there; what is proved stays proved."""
        before = self.kept.get(_place(outcome.mutant))
        still = before and (
            before["status"] == "equal" or (before["status"] == "killed" and before["by"] in self.tests)
        )
        if still and not outcome.status:
            outcome.status, outcome.by, outcome.how = before["status"], before["by"], before["how"]

    def _keep(self, outcome: Outcome) -> None:
        known = self.kept.setdefault(_place(outcome.mutant), {})
        known |= {"status": outcome.status, "by": outcome.by, "how": outcome.how}
        files.replace(self._kept_at(), json.dumps(self.kept, indent=1))


def choose(sites: Sequence[points.Site], count: int, seed: int) -> list[Mutant]:
    """`count` different mutants by chance: as many places as there are, and only then further changes of one place.

    Chance is a hash of seed and mutant, so that a line of RTL more leaves the others chosen.
    """

    def chance(text: str) -> str:
        return hashlib.sha256(f"{seed} {text}".encode()).hexdigest()

    drawn = []
    for site in sites:
        keys = {change: Mutant(0, site, change).key for change in site.changes}
        for turn, change in enumerate(sorted(site.changes, key=lambda change: chance(keys[change]))):
            drawn.append((turn, chance(f"place of {keys[change]}"), site, change))
    if len(drawn) < count:
        raise UserError(f"there are only {len(drawn)} mutants; {count} were asked for")
    drawn.sort(key=lambda one: one[:2])
    return [Mutant(number, site, change) for number, (_, _, site, change) in enumerate(drawn[:count], 1)]


def elaborate(what: str, texts: dict[Path, str] | None = None) -> live.Live:
    """What a top of a core is made of, with other texts in the place of these files. what: as Mutation.tests."""
    vlnv, top, parameters = json.loads(what)
    return live.elaborate(sources.of_core(vlnv).design(top, parameters), texts)


def _wrong(what: str, texts: dict[Path, str]) -> str:
    try:
        elaborate(what, texts)
    except UserError as error:
        return str(error)
    return ""


@cache
def _live(what: str) -> live.Live:
    try:
        return elaborate(what)
    except UserError:  # what a test wants refused has no mutants
        return live.NOTHING


def _read(place: Path) -> dict:
    return json.loads(place.read_text()) if place.exists() else {}


def _place(mutant: Mutant) -> str:
    return f"{_digest(mutant.site.file)} {mutant.key}"


@cache
def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def _mirror(source: Path, target: Path, changed: dict[Path, bytes]) -> None:
    """Copy what differs and remove what is not there any more."""
    if source.is_file():
        content = changed.get(source) or source.read_bytes()
        if not target.exists() or target.read_bytes() != content:
            target.write_bytes(content)
            shutil.copymode(source, target)
        return
    target.mkdir(parents=True, exist_ok=True)
    names = {entry.name for entry in os.scandir(source)} - {"__pycache__"}
    for entry in list(os.scandir(target)):
        if entry.name not in names | {"__pycache__"}:
            shutil.rmtree(entry.path) if entry.is_dir() else os.unlink(entry.path)
    for name in names:
        _mirror(source / name, target / name, changed)


class _Worker:
    """A process of rlcores_lab.mutation.worker in the mutated tree."""

    def __init__(self, tree: Path, label: str, plan: plans.Plan) -> None:
        env = dict(os.environ)
        ours = [str(tree / "tools"), str(tree / "lab")]
        env["PYTHONPATH"] = os.pathsep.join([*ours, *filter(None, [env.get("PYTHONPATH")])])
        env[schemata.VARIABLE] = "0"
        command = [sys.executable, "-m", "rlcores_lab.mutation.worker", label, *map(json.dumps, plan.tests)]
        self._log = tree / f"log-{label}.txt"
        self._process = subprocess.Popen(
            command, cwd=tree, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.tests: dict[str, list] = self._answer()  # what each test builds
        if isinstance(self.tests.get("wrong"), str):
            last = self._log.read_text(errors="replace").split("\n")[-2:]
            raise UserError(f"'{self.tests['wrong']}' of the plan '{plan.name}' collects no test: {' '.join(last)}")

    def ask(self, **what) -> dict:
        """Run one test on one mutant, 0 for none; see rlcores_lab.mutation.worker."""
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> dict:
        line = self._process.stdout.readline()
        if not line:
            log = self._log.read_text(errors="replace")[-3000:] if self._log.exists() else ""
            raise RunFailed(f"the process that runs the tests ended:\n{log}")
        return json.loads(line)

    def __enter__(self) -> "_Worker":
        return self

    def __exit__(self, *_) -> None:
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait()
