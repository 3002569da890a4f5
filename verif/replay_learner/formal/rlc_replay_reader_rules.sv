// rlc_replay_reader_rules.sv — rlc_replay_reader keeps AXI4 towards memory and holds what it offers inside.
// SPDX-License-Identifier: Apache-2.0
//
// Memory may answer in any order of IDs, beats mixed, with any error, and with any beats of another epoch. BASE is a multiple of a record's stride, as the
// register block makes it, and any other number.
`default_nettype none
`include "rlc_rules.svh"
module rlc_replay_reader_rules (
    input wire        clk,
    input wire        rst
);
    localparam WIDTH = 2 + 18 + 1 + 2;    // a record's tag: void, last, weight, generation, index
    (* anyconst *) wire [12:0] base;
    wire [12:0] cfg_base = {base[12:3], 3'd0};

    (* anyconst *) wire      epoch;
    (* anyseq *) wire        drop;
    (* anyseq *) wire        flush;
    (* anyseq *) wire [31:0] sampled;
    `RLC_AXIS_SOURCE_FREE(s_tag, WIDTH)
    wire             m_rec_valid, m_beat_valid;
    wire [WIDTH-1:0] m_rec;
    wire [15:0]      m_beat_data;
    (* anyseq *) wire m_rec_ready;
    (* anyseq *) wire m_beat_ready;
    wire [31:0]      fetched;
    wire             failed;
    wire [12:0]      failed_addr;

    wire [1:0]       m_axi_arid;
    wire [12:0]      m_axi_araddr;
    wire [7:0]       m_axi_arlen;
    wire [2:0]       m_axi_arsize, m_axi_arprot;
    wire [1:0]       m_axi_arburst;
    wire [3:0]       m_axi_arcache;
    wire             m_axi_arvalid, m_axi_rready;
    (* anyseq *) wire        m_axi_arready;
    (* anyseq *) wire [1:0]  m_axi_rid;
    (* anyseq *) wire [15:0] m_axi_rdata;
    (* anyseq *) wire [1:0]  m_axi_rresp;
    (* anyseq *) wire        m_axi_rlast;
    (* anyseq *) wire        m_axi_rvalid;

    rlc_replay_reader #(
        .DATA_WIDTH(16), .ADDR_WIDTH(13), .BEATS(3), .STRIDE_LOG2(3), .INDEX_WIDTH(2), .TAG_WIDTH(1), .READS(2), .EPOCH_WIDTH(1)
    ) dut (.s_tag_valid(s_tag_tvalid), .s_tag_ready(s_tag_tready), .s_tag(s_tag_tdata), .*);

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);

    wire ours_rvalid = m_axi_rvalid && m_axi_rid[1] == epoch;
    rlc_axi_read_rules #(.ID_WIDTH(2), .ADDR_WIDTH(13), .DATA_WIDTH(16), .MASTER_WAIT(1)) u_m (
        .clk(clk), .rst(rst),
        .arid(m_axi_arid), .araddr(m_axi_araddr), .arlen(m_axi_arlen), .arsize(m_axi_arsize), .arburst(m_axi_arburst),
        .arcache(m_axi_arcache), .arprot(m_axi_arprot), .arvalid(m_axi_arvalid), .arready(m_axi_arready),
        .rid(m_axi_rid), .rdata(m_axi_rdata), .rresp(m_axi_rresp), .rlast(m_axi_rlast),
        .rvalid(ours_rvalid), .rready(m_axi_rready)
    );
    rlc_axis_rules #(.WIDTH(WIDTH), .SOURCE(0)) u_tag (
        .clk(clk), .rst(rst), .length(16'd0), `RLC_AXIS_PORTS(s_tag)
    );
    rlc_axis_rules #(.WIDTH(WIDTH)) u_rec (
        .clk(clk), .rst(rst), .length(16'd0),
        .tdata(m_rec), .tlast(1'b0), .tvalid(m_rec_valid), .tready(m_rec_ready)
    );
    rlc_axis_rules #(.WIDTH(16)) u_beat (
        .clk(clk), .rst(rst), .length(16'd0),
        .tdata(m_beat_data), .tlast(1'b0), .tvalid(m_beat_valid), .tready(m_beat_ready)
    );
endmodule
`default_nettype wire
