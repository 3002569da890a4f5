"""What tools/typings declares of other libraries is what the installed ones have."""

import ast
import inspect
from pathlib import Path
from typing import Any

import pytest

from rlcores.base import paths

TYPINGS = paths.root() / "tools" / "typings"
_ANY = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD
DECLARED = sorted(TYPINGS.rglob("*.pyi"))


def module_of(file: Path) -> str:
    parts = file.relative_to(TYPINGS).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def differences(name: str, declared: ast.FunctionDef, real: Any) -> list[str]:
    """What a call by the declaration would meet otherwise."""
    try:
        signature = inspect.signature(real).parameters
    except (TypeError, ValueError):  # of C
        return []
    args = declared.args
    parameters = {each: one for each, one in signature.items() if each not in ("self", "cls")}
    kinds, places = {one.kind for one in parameters.values()}, list(parameters)
    needed = {each for each, one in parameters.items() if one.default is one.empty and one.kind not in _ANY}
    lead = [each.arg for each in args.args if each.arg not in ("self", "cls")]
    named = [each.arg for each in args.kwonlyargs]
    optional = lead[len(lead) - len(args.defaults) :] + [
        each for each, value in zip(named, args.kw_defaults, strict=True) if value
    ]
    wrong = [f"{name}: {each} must be given" for each in optional if each in needed]
    if inspect.Parameter.VAR_POSITIONAL not in kinds and not args.posonlyargs:
        wrong += [f"{name}: {each} is not at {at}" for at, each in enumerate(lead) if places[at : at + 1] != [each]]
    if inspect.Parameter.VAR_KEYWORD not in kinds:
        wrong += [f"{name}: there is no {each}" for each in named if each not in parameters]
    if not (args.vararg or args.kwarg or args.posonlyargs):
        wrong += [f"{name}: {each} is not declared" for each in sorted(needed - {*lead, *named})]
    return wrong


def compared(body: list[ast.stmt], real: Any, within: str) -> list[str]:
    """The differences of a module or class from its declaration."""
    wrong = []
    for one in body:
        if not isinstance(one, ast.ClassDef | ast.FunctionDef):
            continue
        name = f"{within}.{one.name}"
        if not hasattr(real, one.name):
            wrong.append(f"there is no {name}")
        elif isinstance(one, ast.ClassDef):
            wrong += compared(one.body, getattr(real, one.name), name)
        elif not isinstance(inspect.getattr_static(real, one.name), property) and not one.name.startswith("__g"):
            wrong += differences(name, one, getattr(real, one.name))
    return wrong


@pytest.mark.parametrize("file", DECLARED, ids=module_of)
def test_declarations_of_a_library_are_what_is_installed(file: Path) -> None:
    module = pytest.importorskip(module_of(file), exc_type=ImportError)
    body = ast.parse(file.read_text()).body
    assert not compared(body, module, module_of(file))
    names = [one.target.id for one in body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)]
    assert all(hasattr(module, name) for name in names)


def test_a_declaration_that_is_wrong_is_named() -> None:
    def real(one: int, two: int, three: int = 0, *, four: int) -> None: ...

    declared = ast.parse("def real(two, one=..., *, five): ...").body[0]
    assert isinstance(declared, ast.FunctionDef)
    assert differences("real", declared, real) == [
        "real: one must be given",
        "real: two is not at 0",
        "real: one is not at 1",
        "real: there is no five",
        "real: four is not declared",
    ]
    assert not differences("real", ast.parse("def real(one, two, *, four): ...").body[0], real)
    assert compared(ast.parse("class Gone: ...").body, ast, "ast") == ["there is no ast.Gone"]
