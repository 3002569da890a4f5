// rlc_sumtree_tagged.sv — rlc_sumtree whose answers carry the tags that came with the requests.
// SPDX-License-Identifier: Apache-2.0
//
// Parameters and ports as of rlc_sumtree, and
// s_op_tag, s_sample_tag          come with a request, m_op_tag and m_sample_tag with its answer
//
// Answers come in order, so a queue beside the core is enough; it holds as many tags as the core lets requests in.
`include "rlc_sumtree_ports.vh"
`default_nettype none
module rlc_sumtree_tagged #(
    `include "rlc_sumtree_parameters.vh"
    , parameter STRATA           = 1 // 1: draws may be stratified
    , parameter OP_TAG_WIDTH     = 1 // bits of the tag of an operation
    , parameter SAMPLE_TAG_WIDTH = 1 // bits of the tag of a request
) (
    input  wire clk,
    input  wire rst,
    `RLC_SUMTREE_CFG(input wire, `RLC_COMMA),
    `RLC_SUMTREE_REQUESTS(input wire, input wire, output wire, 1, `RLC_COMMA),
    `RLC_SUMTREE_ANSWERS(output wire, input wire, output wire, 1, SUM_WIDTH, `RLC_COMMA),
    `RLC_SUMTREE_STATE(output wire, output wire, `RLC_COMMA),
    input  wire [OP_TAG_WIDTH-1:0]     s_op_tag,
    output wire [OP_TAG_WIDTH-1:0]     m_op_tag,
    input  wire [SAMPLE_TAG_WIDTH-1:0] s_sample_tag,
    output wire [SAMPLE_TAG_WIDTH-1:0] m_sample_tag
);
    `include "rlc_sumtree_defs.vh"

    // At least what rlc_sumtree has on the way; a tag without room holds its request back all the same.
    localparam OP_TAGS     = OLD_CLOCK + 8;
    localparam SAMPLE_TAGS = EXIT_CLOCK + 10;

    wire op_ready, op_room, op_tagged, sample_ready, sample_room, sample_tagged;
    wire [LEAVES_LOG2-1:0] next;
    wire                   full;
    assign s_op_ready     = op_ready && op_room;
    assign s_sample_ready = sample_ready && sample_room;

    rlc_fifo #(.WIDTH(OP_TAG_WIDTH), .DEPTH(OP_TAGS)) u_op_tags (
        .*, .s_valid(s_op_valid && op_ready), .s_ready(op_room), .s_data(s_op_tag),
        .m_valid(op_tagged), .m_ready(m_op_valid && m_op_ready), .m_data(m_op_tag), .count()
    );
    rlc_fifo #(.WIDTH(SAMPLE_TAG_WIDTH), .DEPTH(SAMPLE_TAGS)) u_sample_tags (
        .*, .s_valid(s_sample_valid && sample_ready), .s_ready(sample_room), .s_data(s_sample_tag),
        .m_valid(sample_tagged), .m_ready(m_sample_valid && m_sample_ready), .m_data(m_sample_tag),
        .count()
    );

    rlc_sumtree #(
        `include "rlc_sumtree_args.vh"
        , .STRATA(STRATA)
    ) u_tree (
        .*, .s_op_valid(s_op_valid && op_room), .s_op_ready(op_ready),
        .s_sample_valid(s_sample_valid && sample_room), .s_sample_ready(sample_ready)
    );

    wire unused = &{1'b0, op_tagged, sample_tagged, next, full};
endmodule
`default_nettype wire
