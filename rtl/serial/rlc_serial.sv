// rlc_serial.sv — the GAE core and the sum tree behind a serial line.
// SPDX-License-Identifier: Apache-2.0
//
// parameters  those of rlc_gae_axi, rlc_sumtree_axi and rlc_serial_bridge
//
// registers   the GAE core's from address 0x0000 on, the sum tree's from 0x1000 on
// into it     stream 0: s_axis of the GAE core; 1 and 2: s_axis_op and s_axis_sample of the sum tree
// out of it   stream 0: m_axis of the GAE core; 1 and 2: m_axis_op and m_axis_sample of the sum tree
//             a beat is as many words of 32 bits as it has, the low one first
// irq         0: the GAE core, 1: the sum tree
`include "rlc_axi.vh"
`default_nettype none
`include "rlc_check.vh"
`include "rlc_sumtree_words.vh"
module rlc_serial #(
    `include "rlc_serial_parameters.vh"
    , parameter CLOCK_HZ = 0  // frequency of clk, which software is told; 0: not known
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       rxd,
    output wire       txd,
    output wire [1:0] irq,
    output wire       busy,
    output wire       trouble
);
    `RLC_CHECK(BEAT >= 1 && BEAT <= 64, rlc_serial_illegal_BEAT_must_be_1_to_64)
    `RLC_CHECK(CLOCK_HZ >= 0, rlc_serial_illegal_CLOCK_HZ_must_be_0_or_more)

    wire core_rst;
    `RLC_AXIL_WIRES(line, 16, 1);
    wire [2:0]  put_valid, put_ready, put_last, get_valid, get_ready, get_last;
    wire [95:0] put_data, get_data;
    rlc_serial_bridge #(
        .CLOCKS_PER_BIT(CLOCKS_PER_BIT), .WORDS(WORDS), .PUTS(3), .GETS(3), .GAP_LOG2(GAP_LOG2),
        .WAIT_LOG2(WAIT_LOG2), .CLOCK_HZ(CLOCK_HZ)
    ) u_bridge (
        .*, `RLC_AXIL_JOIN(m_axil, line), `RLC_STREAM_JOIN(m_put, put), .m_put_last(put_last),
        `RLC_STREAM_JOIN(s_get, get), .s_get_last(get_last)
    );

    `RLC_AXIL_WIRES(core, 12, 2);
    rlc_axil_split #(.ADDR_WIDTH(16), .WINDOW_WIDTH(12), .PORTS(2)) u_split (
        .clk(clk), .rst(core_rst), `RLC_AXIL_JOIN(s_axil, line), `RLC_AXIL_JOIN(m_axil, core)
    );

    // ---- words to beats, and back
    genvar k;
    for (k = 0; k < 3; k = k + 1) begin : g_in
        localparam COUNT = (k == 0) ? 2 * BEAT : (k == 1) ? 4 : 2;
        `RLC_AXIS_WIRES(beat, 32 * COUNT);
        rlc_serial_widen #(.WORDS(COUNT)) u_widen (
            .clk(clk), .rst(core_rst),
            .s_valid(put_valid[k]), .s_ready(put_ready[k]), .s_data(put_data[32*k +: 32]), .s_last(put_last[k]),
            .m_valid(beat_tvalid), .m_ready(beat_tready), .m_data(beat_tdata), .m_last(beat_tlast)
        );
    end
    for (k = 0; k < 3; k = k + 1) begin : g_out
        localparam COUNT = (k == 0) ? 2 * BEAT : (k == 1) ? 4 : 8;
        `RLC_AXIS_WIRES(beat, 32 * COUNT);
        rlc_serial_narrow #(.WORDS(COUNT)) u_narrow (
            .clk(clk), .rst(core_rst),
            .s_valid(beat_tvalid), .s_ready(beat_tready), .s_data(beat_tdata), .s_last(beat_tlast),
            .m_valid(get_valid[k]), .m_ready(get_ready[k]), .m_data(get_data[32*k +: 32]), .m_last(get_last[k])
        );
    end

    rlc_gae_axi #(
        `include "rlc_gae_args.vh"
    ) u_gae (
        .clk(clk), .rst(core_rst), `RLC_AXIL_PICK(s_axil, core, 0),
        `RLC_AXIS_JOIN(s_axis, g_in[0].beat), `RLC_AXIS_JOIN(m_axis, g_out[0].beat), .irq(irq[0])
    );

    // COMMAND.abort is all that the line needs: software reads STATUS.
    wire         aborting;
    wire `RLC_SUMTREE_TREE tree_state;
    wire `RLC_SUMTREE_OWN joint_out;
    rlc_sumtree_axi #(
        `include "rlc_sumtree_args.vh"
        , .PRIORITY_MATHS(PRIORITY_MATHS), .BATCH_MAX(BATCH_MAX)
    ) u_sumtree (
        .clk(clk), .rst(core_rst), `RLC_AXIL_PICK(s_axil, core, 1),
        `RLC_AXIS_JOIN(s_axis_op, g_in[1].beat), `RLC_AXIS_JOIN(m_axis_op, g_out[1].beat),
        `RLC_AXIS_JOIN(s_axis_sample, g_in[2].beat), `RLC_AXIS_JOIN(m_axis_sample, g_out[2].beat),
        .irq(irq[1]), .abort_in(1'b0), .aborting(aborting), .locked(3'b000), .tree_state(tree_state),
        .joint_in('0), .joint_out(joint_out)
    );
    wire unused = &{1'b0, aborting, tree_state, joint_out};
endmodule
`default_nettype wire
