"""Every RTL file is in the library, exactly one core lists it, and says what its parameters are."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pyslang import SourceManager, syntax

from rlcores.base import paths
from rlcores.eda import configs


def listed_files() -> Counter:
    """How many .core files list each file, by resolved path."""
    count: Counter[Path] = Counter()
    for file in (paths.root() / "rtl").rglob("*.core"):
        # A core may have a file in several filesets, of which a target takes one.
        listed = set()
        for fileset in configs.read_core(file).get("filesets", {}).values():
            for entry in fileset.get("files", []):
                name = next(iter(entry)) if isinstance(entry, dict) else entry
                # A file may stand behind a flag: "tool_verilator? (prims.vlt)".
                listed.add((file.parent / name.split("?")[-1].strip(" ()")).resolve())
        count.update(listed)
    return count


def test_every_rtl_file_belongs_to_exactly_one_core() -> None:
    count = listed_files()
    files = [f for kind in ("*.v", "*.vh", "*.sv") for f in (paths.root() / "rtl").rglob(kind)]
    assert files
    wrong = {f.name: count[f.resolve()] for f in files if count[f.resolve()] != 1}
    assert not wrong, f"listed by several cores or none instead of one: {wrong}"


def test_a_folder_is_a_core_is_a_prefix() -> None:
    """Files of rtl/FOLDER begin with rlc_FOLDER or a core of it; primitives, of many cores, with rlc_."""
    loose = {"common": "rlc_", "periphery": "rlc_", "replay_learner": "rlc_replay_"}
    wrong = []
    for file in (f for f in (paths.root() / "rtl").rglob("*") if f.is_file()):
        folder = file.relative_to(paths.root() / "rtl").parts[0]
        cores = [core.stem for core in (paths.root() / "rtl" / folder).glob("*.core")]
        mine = [f"rlc_{folder}", *(f"rlc_{core}" for core in cores), loose.get(folder, f"rlc_{folder}")]
        of_a_core = file.name.startswith(tuple(f"{core}{end}" for core in cores for end in "._"))
        if (file.suffix == ".tcl" and file.parent.name == "gen") or file.suffix == ".rdlh":
            continue
        if not of_a_core and not file.name.startswith(tuple(mine)):
            wrong.append(str(file.relative_to(paths.root())))
    assert not wrong, f"of another prefix than their folder: {', '.join(wrong)}"


def test_the_bench_of_a_core_stands_in_the_folder_of_its_name() -> None:
    """The cocotb modules of the targets of rtl/FOLDER/*.core are in verif/FOLDER."""
    modules = re.compile(r"cocotb_module: *([\w,]+)")
    benches = {file.stem: file for file in (paths.root() / "verif").rglob("cocotb_*.py")}
    named = {
        (core.parent.name, name)
        for core in (paths.root() / "rtl").rglob("*.core")
        for names in modules.findall(core.read_text())
        for name in names.strip(",").split(",")
    }
    verif = paths.root() / "verif"
    wrong = [f"{name} of {folder}" for folder, name in named if benches[name].relative_to(verif).parts[0] != folder]
    assert len(named) > 15 and not wrong, f"in another folder of verif/: {', '.join(sorted(wrong))}"


_CPP = (
    "auto|bool|catch|char|delete|double|explicit|float|friend|goto|inline|long|mutable|namespace|operator|private|"
    "public|register|short|switch|template|throw|try|typename|using|volatile"
)


def test_no_name_is_a_word_of_cpp() -> None:
    """Verilator warns of such a signal where it is public, as cocotb makes all of them."""
    comment = re.compile(r"//[^\n]*|/\*.*?\*/|\"[^\"\n]*\"", re.S)
    word = re.compile(rf"\b({_CPP})\b")
    files = [f for kind in ("*.v", "*.sv", "*.vh") for f in (paths.root() / "rtl").rglob(kind)]
    wrong = {f"{f.name}: {m[1]}" for f in files for m in word.finditer(comment.sub(" ", f.read_text()))}
    assert not wrong, f"words of C++: {', '.join(sorted(wrong))}"


def test_what_a_command_writes_stands_in_gen_and_nothing_else_does() -> None:
    declarations = (".yaml", ".rdl", ".rdlh")  # what it reads
    files = [f for f in (paths.root() / "rtl").rglob("*") if f.is_file() and f.suffix not in declarations]
    written = {f for f in files if "rlcores generate" in f.read_text()[:600]}
    copied = {f for f in files if f.suffix == ".tcl" and f.parent.name == "gen"}  # what Vivado sources, as it stands
    assert len(written) > 110 and written | copied == {f for f in files if f.parent.name == "gen"}


def own_lines() -> Iterator[tuple[str, str]]:
    """(file, line) of all RTL that a hand wrote, without comments."""
    for file in sorted((paths.root() / "rtl").rglob("rlc_*.*v*")):
        text = file.read_text()
        if "rlcores generate" not in text[:400] and "migen" not in text[:4000].lower():
            yield from ((file.name, line.split("//")[0].strip()) for line in text.splitlines())


def test_nobody_counts_the_bits_of_a_declared_word() -> None:
    """Weight addresses, weight buses, records' information, the learner's stages, the tree's state and the beats of its
    streams have names (rlcores generate)."""
    words = "place|weight_addr|bus_addr|grad_addr|acting_bus|info_data|mark_data|value_sat|actor_sat|[ac]_sat"
    words += r"|axis_op_tdata|axis_sample_tdata|answer_data|tree_state|m_op_data|plan_s\d|done_q|\bsample"
    counted = re.compile(rf"\b\w*(?:{words})\[(?:[^]`:]*[*+] *)?[1-9]\d")
    folders = ("nn", "rl", "learner", "policy", "ppo", "sumtree", "replay_learner", "net_learner", "learners", "agent")
    files = [f for f in (paths.root() / "rtl").rglob("rlc_*.*v") if f.parts[-2] in folders]
    wrong = [f"{f.name}: {line.strip()}" for f in files for line in f.read_text().splitlines() if counted.search(line)]
    assert not wrong, "\n".join(wrong)


# Parts of one number, which begin where its fraction ends or a table's row does.
OF_A_NUMBER = {
    "rlc_exp2.v": ["mantissa[39 -:"], "rlc_log2.v": ["sum[19 +:"], "rlc_learner_gradient.v": ["product[17 +:"],
    "rlc_net_learner_serve.v": ["offset_q[3 +:"], "rlc_nn_exp.v": ["coarse[11 +:"],
    "rlc_nn_momentum_lane.v": ["sum[17 +:"], "rlc_nn_weight.v": ["average[8 +:"],
    "rlc_rl_clip_categorical.v": ["entropy_s12[17 +:"], "rlc_env_acrobot.v": ["s_draw[32*i+14 +:"],
    "rlc_env_acrobot_obs.v": ["found[27*i+9 +:"], "rlc_learns.sv": ["reward[26 -:"],
    "rlc_tensor_vector.v": ["y_s2[l*35+26 +:"],
    "rlc_env_cartpole.v": ["s_draw[32*i+14 +:"], "rlc_env_quadrotor.v": ["cost[5*48+14 +:"],
}  # fmt: skip


def test_a_field_stands_at_no_bit_that_a_hand_typed() -> None:
    """A part of a word begins at a name, a loop's number or the word's end; parts of one number are listed here."""
    typed = re.compile(r"[\w.]+\[(?:[^]`]*\+ *)?(?:[2-9]|[1-9]\d+) *[+-]:")
    parts: dict[str, list[str]] = {}
    for name, line in own_lines():
        for part in typed.findall(line):
            parts.setdefault(name, []).append(part)
    assert parts == OF_A_NUMBER


def test_nobody_counts_the_bits_of_an_answer_a_record_or_a_counter() -> None:
    """The lengths of answers, rollouts' records and GAE's elements, and who stands where in counters, are declared."""
    counted = re.compile(
        r"\b30 *\+|\+ *30\b(?!')|\b36 *\* *(OBS|INPUTS)|(OBS|INPUTS) *\* *36\b|\+ *82\b|\b90 *\+"
        r"|\b\w*(sat_count|count_words)\[([^]`]*\d+ *\+:|\d+\*\d|\d+:)|(_RECORD|_SAT|GAE|STANDARD) = 3\d"
        r"|\b(element|record|kept_q|state_s\d|raw)\[\d+:\d*[1-9]\d*\]"
        r"|\[\d+ % LANES\]|\(\d % LANES\)|\b\d / LANES"
    )
    wrong = [f"{name}: {line}" for name, line in own_lines() if counted.search(line)]
    assert not wrong, "\n".join(wrong)


def test_every_source_file_says_its_licence_at_its_head() -> None:
    folders = [paths.root() / name for name in ("rtl", "verif", "constraints", "examples", "sw", "tools", "lab")]
    kinds = ["v", "vh", "sv", "svh", "vlt", "f", "rdl", "rdlh", "tcl", "xdc", "lpf", "cpp", "hpp", "h"]
    files = [f for folder in folders for kind in kinds for f in folder.rglob(f"*.{kind}") if "build" not in f.parts]
    assert {f.suffix[1:] for f in files} >= set(kinds) - {"svh"} and len(files) > 450
    missing = [f.name for f in files if "SPDX-License-Identifier: Apache-2.0" not in "".join(f.open().readlines()[:6])]
    assert not missing


def test_every_core_has_a_version_and_a_licence() -> None:
    for file in (f for folder in ("rtl", "cores", "constraints") for f in (paths.root() / folder).rglob("*.core")):
        core = configs.read_core(file)
        assert core.get("license") == "Apache-2.0" and re.search(r":\d+\.\d+\.\d+$", core["name"]), file.name


def test_no_core_lists_a_file_that_is_not_there() -> None:
    missing = [str(f) for f in listed_files() if not f.exists()]
    assert not missing


def test_every_parameter_has_its_comment_at_its_declaration() -> None:
    files = {f.name: f.read_text() for f in (paths.root() / "rtl").rglob("*.*v")}
    own = {name: text for name, text in files.items() if "rlcores generate" not in text[:400]}
    matches = {name: re.search(r"^module \w+ #\(\n(.*?)^\)", text, re.S | re.M) for name, text in own.items()}
    headers = {name: header[1].splitlines() for name, header in matches.items() if header}
    assert len(headers) > 50
    bare = []
    for name, lines in headers.items():
        for above, line in zip(["", *lines], lines, strict=False):
            if re.match(r"\s*,?\s*parameter\b", line) and "//" not in line and not above.strip().startswith("//"):
                bare.append(f"{name}: {line.strip()}")
    assert not bare


# What Verilog-2005 has, in slang's names of its grammar.
VERILOG_2005 = {
    "AddExpression", "AlwaysBlock", "AnsiPortList", "ArgumentList", "ArithmeticShiftLeftExpression",
    "ArithmeticShiftRightExpression", "AscendingRangeSelect", "AssignmentExpression", "AttributeInstance",
    "AttributeSpec", "BinaryAndExpression", "BinaryEventExpression", "BinaryOrExpression", "BinaryXnorExpression",
    "BinaryXorExpression", "BitSelect", "CaseEqualityExpression", "CaseGenerate", "CaseInequalityExpression",
    "CaseStatement", "CompilationUnit", "ConcatenationExpression", "ConditionalExpression", "ConditionalPattern",
    "ConditionalPredicate", "ConditionalStatement", "ContinuousAssign", "DataDeclaration", "Declarator",
    "DefaultCaseItem", "DescendingRangeSelect", "DivideExpression", "ElementSelect", "ElseClause",
    "EmptyPortConnection", "EmptyStatement", "EqualityExpression", "EqualsValueClause", "EventControlWithExpression",
    "ExpressionStatement", "ForLoopStatement", "FunctionDeclaration", "FunctionPort", "FunctionPortList",
    "FunctionPrototype", "GenerateBlock", "GenerateRegion", "GenvarDeclaration", "GreaterThanEqualExpression",
    "GreaterThanExpression", "HierarchicalInstance", "HierarchyInstantiation", "IdentifierName",
    "IdentifierSelectName", "IfGenerate", "ImplicitAnsiPort", "ImplicitEventControl", "ImplicitType",
    "InequalityExpression", "InitialBlock", "InstanceName", "IntegerLiteralExpression", "IntegerType",
    "IntegerVectorExpression", "InvocationExpression", "LessThanEqualExpression", "LessThanExpression",
    "LogicalAndExpression", "LogicalOrExpression", "LogicalShiftLeftExpression", "LogicalShiftRightExpression",
    "LoopGenerate", "ModExpression", "ModuleDeclaration", "ModuleHeader", "MultipleConcatenationExpression",
    "MultiplyExpression", "NamedBlockClause", "NamedParamAssignment", "NamedPortConnection", "NetDeclaration",
    "NetPortHeader", "NonblockingAssignmentExpression", "OrderedArgument", "ParameterDeclaration",
    "ParameterDeclarationStatement", "ParameterPortList", "ParameterValueAssignment", "ParenthesizedEventExpression",
    "ParenthesizedExpression", "PowerExpression", "RangeDimensionSpecifier", "RealLiteralExpression", "RegType",
    "RepeatLoopStatement", "ScopedName", "SequentialBlockStatement", "SignalEventExpression", "SimplePropertyExpr",
    "SimpleRangeSelect", "SimpleSequenceExpr", "StandardCaseItem", "StringLiteralExpression", "SubtractExpression",
    "SystemName", "TaskDeclaration", "TimingControlStatement", "UnaryBitwiseAndExpression",
    "UnaryBitwiseNandExpression", "UnaryBitwiseNorExpression", "UnaryBitwiseNotExpression",
    "UnaryBitwiseOrExpression", "UnaryBitwiseXnorExpression", "UnaryBitwiseXorExpression",
    "UnaryLogicalNotExpression", "UnaryMinusExpression", "UnaryPlusExpression", "VariableDimension",
    "VariablePortHeader", "WhileLoopStatement",
}  # fmt: skip
TASKS = {"$readmemh", "$clog2", "$signed", "$unsigned", "$display", "$time", "$finish"}


def parts(node) -> Iterator:
    """Every node and word of a syntax tree."""
    yield node
    if isinstance(node, syntax.SyntaxNode):
        for part in node:
            yield from parts(part)


def newer(file: Path) -> set[str]:
    """What a file has, with what it includes, that Verilog-2005 does not."""
    manager = SourceManager()
    for folder in (paths.root() / "rtl").rglob("*/"):
        manager.addUserDirectories(str(folder))
    tree = syntax.SyntaxTree.fromFile(str(file), manager)
    assert not any(d.isError() for d in tree.diagnostics), f"{file.name} cannot be read"
    nodes = list(parts(tree.root))
    kinds = {node.kind.name for node in nodes if isinstance(node, syntax.SyntaxNode)}
    tasks = {word.valueText for word in nodes if word.kind.name == "SystemIdentifier"}
    return (kinds - VERILOG_2005) | (tasks - TASKS)


def test_a_verilog_file_has_nothing_newer_than_2005_but_what_the_page_says() -> None:
    files = sorted((paths.root() / "rtl").rglob("*.v"))
    assert len(files) > 200
    beyond = {file.name: constructs for file in files if (constructs := newer(file))}
    assert beyond == {"rlc_assert_never.v": {"$fatal"}}
    # Joined names: in the macros of headers alone, and rlc_check.vh, which every module has, has none.
    assert not [file.name for file in files if "``" in file.read_text()]
    assert "``" not in (paths.root() / "rtl" / "common" / "rlc_check.vh").read_text()


def test_what_is_newer_than_2005_is_seen(tmp_path: Path) -> None:
    for text, construct in {
        "always_ff @(posedge a) b <= a;": "AlwaysFFBlock",
        "assign b = '1;": "UnbasedUnsizedLiteralExpression",
        "below u_below (.*);": "WildcardPortConnection",
        'initial $error("x");': "$error",
        ";": "EmptyMember",
    }.items():
        (tmp_path / "m.v").write_text(f"module m (input wire a, output reg b);\n{text}\nendmodule\n")
        assert construct in newer(tmp_path / "m.v"), text
