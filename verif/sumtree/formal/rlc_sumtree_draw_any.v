// rlc_sumtree_draw_any.v — in the place of rlc_sumtree_draw: any draw, whenever it likes.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_sumtree_draw #(
    parameter DRAW_WIDTH = 1,
    parameter STRATA     = 1,
    parameter BITS       = 2,
    parameter FIRST      = 0,
    parameter STEP       = 1
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire [15:0]           cfg_strata,
    input  wire                  cfg_restart,
    input  wire                  cfg_seed_valid,
    input  wire [127:0]          cfg_seed,
    output wire                  m_valid,
    input  wire                  m_ready,
    output wire [DRAW_WIDTH-1:0] m_draw
);
    (* anyseq *) wire                  any_valid;
    (* anyseq *) wire [DRAW_WIDTH-1:0] any_draw;
    assign m_valid = any_valid;
    assign m_draw  = any_draw;
endmodule
`default_nettype wire
