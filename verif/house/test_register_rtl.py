"""Registers as Verilog: what a map says becomes text, and what no block can do is refused by a sentence."""

import pytest

from rlcores.base import paths
from rlcores.eda import configs, registers
from rlcores.errors import UserError
from rlcores_lab.writers import register_rtl

RULES = paths.root() / "rtl" / "common" / "rules.rdlh"
CONTROL = 'reg { may = "idle"; default sw = rw; default hw = r; field { most = P_MOST; } size[7:0] = 3; } CONTROL @ 0;'
GAP = "reg { default sw = rw; default onwrite = woclr; default hw = w; field {} a[0:0]; field {} b[2:2]; } F @ 0;"


@pytest.fixture
def block(tmp_path, monkeypatch):
    """The Verilog of a map of these registers."""

    def made(text: str) -> str:
        path = tmp_path / "some.rdl"
        top = f"addrmap rlc_some #(longint unsigned P_MOST = 9) {{ default regwidth = 32; default sw = r; {text} }};"
        path.write_text(f'`include "{RULES}"\n{top}')
        monkeypatch.setattr(registers, "_sources", lambda: {"some": path})
        monkeypatch.setattr(registers, "source", lambda core: path)
        return register_rtl.verilog("some")

    return made


@pytest.mark.parametrize("core", registers.cores())
def test_the_committed_block_is_that_of_the_map(core: str):
    path = registers.source(core).parent / "gen" / f"rlc_{core}_regs.v"
    assert path.read_text() == register_rtl.verilog(core), f"{path.name} is out of date: run `rlcores generate`"
    assert path.read_text().startswith(
        f"// {path.name} — written from {registers.source(core).name} by `rlcores generate`"
    )


@pytest.mark.parametrize("core", registers.cores())
def test_a_configuration_gives_a_map_the_values_that_its_core_resets_to(core: str):
    """A map has numbers where the core has lists, of as many places as it shows, and not of each how long it is."""
    parameters = configs.load(core, configs.names(core)[0])
    loaded = registers.load(core, parameters)
    assert loaded.keys() == registers.load(core).keys()
    for network, each in enumerate(str(parameters.get("SIZES", "")).split(":")):
        prefix = f"SHAPE{network}_" if "SHAPE0_LAYER0" in loaded else ""
        if f"{prefix}LAYER0" in loaded:
            sizes = [int(size) for size in each.split("-")]
            assert [loaded[f"{prefix}LAYER{n}"].reset & 0xFFFF for n in range(5)] == (sizes + [0] * 5)[:5]


def test_a_field_has_its_width_its_value_after_reset_and_its_rules(block):
    text = block(CONTROL)
    for line in (
        "parameter MOST = 9", "input  wire        may_idle", "output wire [7:0]  cfg_control",
        "1'd0: timely = may_idle;", "assign wr_acts = 1'b0;",
        "localparam [31:0] CONTROL_MOST = MOST;", "1'd0: fits = wr_data <= CONTROL_MOST;",
        "if (rst) control_q <= 8'd3;", "else if (take_control) control_q <= wr_data[7:0];",
        "1'd0: word = {24'd0, control_q};",
    ):  # fmt: skip
        assert line in text, line


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ("P_MOST", "200", "fits = wr_data <= 32'd200;"),
        ("P_MOST", "15", "fits = wr_data[31:4] == 28'd0;"),
        ("most = P_MOST;", "least = 1;", "fits = wr_data != 32'd0;"),
        ("most = P_MOST;", "least = 3;", "fits = wr_data >= 32'd3;"),
        ("most = P_MOST;", "needs = P_MOST != 0;", "fits = ((MOST != 0) || wr_data[7:0] == 8'd0);"),
        ("field { most = P_MOST;", "field { hwclr;", "else if (clr_control) control_q <= 8'd0;"),
        ("field { most = P_MOST;", "field { swmod;", "assign wr_control = take_control;"),
        ("size[7:0]", "size[(P_MOST > 3 ? 7 : 5):0]", "control_q <= wr_data & CONTROL_MASK;"),
        ("= 3;", "= P_MOST - 1;", "localparam [31:0] CONTROL_RESET = (MOST - 1);"),
    ],
)
def test_what_the_map_says_otherwise_is_other_verilog(block, before, after, line):
    assert line not in block(CONTROL)
    assert line in block(CONTROL.replace(before, after))


@pytest.mark.parametrize("more", ["", "field {} late[1:1] = 0;"])
def test_an_interrupt_waits_for_its_own_enable_also_where_that_is_the_only_one(block, more):
    one = f"field {{}} flag[0:0] = 0; {more} }}"
    enable = f"reg {{ default sw = rw; default hw = na; {one} ENABLE @ 0;"
    status = f'reg {{ default sw = rw; default hw = w; default onwrite = woclr; interrupt = "ENABLE"; {one} S @ 4;'
    name = "enable_flag_q" if more else "enable_q"
    text = block(enable + status)
    assert f" {name};" in text and f"(s_q[0] && {name})" in text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (CONTROL.replace("P_MOST", "P_MOST * 2"), "a register map has an expression that cannot become Verilog: Mult"),
        (GAP, "F: bits that software clears must stand side by side from bit 0 on"),
    ],
)
def test_what_no_block_can_do_is_refused(block, text, sentence):
    with pytest.raises(UserError) as caught:
        block(text)
    assert str(caught.value) == sentence
