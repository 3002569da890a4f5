"""The Verilog file of a table of 512 words of 36 bits, as rlc_log2_rom and its like have it."""

import numpy as np

WORDS = 512
WIDTH = 36

_TEXT = """\
// rlc_{name}_rom.v — table of rlc_{name}: 512 words of 36 bits. Written by `python -m {maker}`; do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// data       {{{content}}}, of the segment addr; units of 2^-{fraction}
// latency    2 clocks, the second a plain register that a RAM block has inside
// cost       one RAMB18E2, or one DP16KD; "distributed": about 300 LUT
`default_nettype none
`include "rlc_check.vh"
module rlc_{name}_rom #(
    parameter STYLE = "block"  // "block", "distributed" or "auto": the kind of memory asked of synthesis
) (
    input  wire        clk,
    input  wire [8:0]  addr,
    output wire [35:0] data
);
    `RLC_CHECK(STYLE == "block" || STYLE == "distributed" || STYLE == "auto",
               rlc_{name}_rom_illegal_STYLE_must_be_block_or_distributed_or_auto)

    (* rom_style = STYLE, ram_style = STYLE *)
    reg [35:0] rom [0:511];
    reg [35:0] read_s1;
    reg [35:0] read_s2;

    always @(posedge clk) begin
        read_s1 <= rom[addr];
        read_s2 <= read_s1;
    end
    assign data = read_s2;

    initial begin
{rows}
    end
endmodule
`default_nettype wire
"""


def text(name: str, maker: str, content: str, fraction: int, words: np.ndarray) -> str:
    """The file rlc_<name>_rom.v.

    maker: the arguments of `python -m` that print it; content: what a word holds; fraction: its unit is 2**-fraction;
    words: shape [512], integers 0..2**36 - 1.
    """
    entries = [f"rom[{i}] = 36'h{int(word):09x};" for i, word in enumerate(words)]
    rows = "\n".join("        " + " ".join(entries[i : i + 4]) for i in range(0, len(entries), 4))
    return _TEXT.format(name=name, maker=maker, content=content, fraction=fraction, rows=rows)
