// rlc_replay_writer_rules.sv — rlc_replay_writer keeps AXI4 towards memory.
// SPDX-License-Identifier: Apache-2.0
//
// Assumed of its neighbours: records come whole, BEATS beats with the last one marked; the tree takes, answers and
// commits what it was asked for, once each and in order. Memory answers when it likes, with any error. The equations at
// the end say where the records on their way are; the task `pdr` proves them with the rest, and they shorten its search.
`default_nettype none
`include "rlc_rules.svh"
module rlc_replay_writer_rules (
    input wire clk,
    input wire rst
);
    localparam BEATS  = 3;
    localparam WRITES = 2;
    (* anyconst *) wire epoch;
    (* anyconst *) wire [12:0] base;
    wire [12:0] cfg_base = {base[12:3], 3'd0};

    (* anyseq *) wire        whole;
    (* anyseq *) wire        s_beat_valid;
    (* anyseq *) wire [15:0] s_beat_data;
    (* anyseq *) wire        s_beat_last;
    (* anyseq *) wire        s_prio_valid;
    (* anyseq *) wire [31:0] s_prio_data;
    (* anyseq *) wire        m_reserve_ready;
    (* anyseq *) wire        reserve_taken;
    // Only the sign of their distance counts, so the top bits stand for all.
    (* anyseq *) wire        sampled_top;
    (* anyseq *) wire        fetched_top;
    wire [31:0] sampled = {sampled_top, 31'd0};
    wire [31:0] fetched = {fetched_top, 31'd0};
    (* anyseq *) wire        s_slot_valid;
    (* anyseq *) wire [1:0]  s_slot_index;
    (* anyseq *) wire        s_slot_generation;
    (* anyseq *) wire        m_commit_ready;
    (* anyseq *) wire        commit_done;
    wire        s_beat_ready, s_prio_ready, m_reserve_valid, m_commit_valid, m_commit_max, failed;
    wire [1:0]  m_commit_index;
    wire        m_commit_generation;
    wire [31:0] m_commit_value;
    wire [12:0] failed_addr;

    wire [1:0]  m_axi_awid;
    wire [12:0] m_axi_awaddr;
    wire [7:0]  m_axi_awlen;
    wire [2:0]  m_axi_awsize, m_axi_awprot;
    wire [1:0]  m_axi_awburst;
    wire [3:0]  m_axi_awcache;
    wire        m_axi_awvalid, m_axi_wvalid, m_axi_wlast, m_axi_bready;
    wire [15:0] m_axi_wdata;
    wire [1:0]  m_axi_wstrb;
    (* anyseq *) wire       m_axi_awready;
    (* anyseq *) wire       m_axi_wready;
    (* anyseq *) wire [1:0] m_axi_bid;
    (* anyseq *) wire [1:0] m_axi_bresp;
    (* anyseq *) wire       m_axi_bvalid;

    rlc_replay_writer #(
        .DATA_WIDTH(16), .ADDR_WIDTH(13), .ID_WIDTH(2), .BEATS(BEATS), .STRIDE_LOG2(3), .INDEX_WIDTH(2), .TAG_WIDTH(1),
        .WRITES(WRITES), .EPOCH_WIDTH(1)
    ) dut (.*);

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);

    // Answers of another epoch come at any time.
    wire ours_bvalid = m_axi_bvalid && m_axi_bid == m_axi_awid;
    rlc_axi_write_rules #(.ID_WIDTH(2), .ADDR_WIDTH(13), .DATA_WIDTH(16), .OPEN(WRITES), .MASTER_WAIT(1)) u_m (
        .clk(clk), .rst(rst),
        .awid(m_axi_awid), .awaddr(m_axi_awaddr), .awlen(m_axi_awlen), .awsize(m_axi_awsize), .awburst(m_axi_awburst),
        .awcache(m_axi_awcache), .awprot(m_axi_awprot), .awvalid(m_axi_awvalid), .awready(m_axi_awready),
        .wdata(m_axi_wdata), .wstrb(m_axi_wstrb), .wlast(m_axi_wlast), .wvalid(m_axi_wvalid), .wready(m_axi_wready),
        .bid(m_axi_bid), .bresp(m_axi_bresp), .bvalid(ours_bvalid), .bready(m_axi_bready)
    );
    rlc_axis_rules #(.WIDTH(16), .SOURCE(0)) u_beat (
        .clk(clk), .rst(rst), .length(BEATS[15:0]),
        .tdata(s_beat_data), .tlast(s_beat_last), .tvalid(s_beat_valid), .tready(s_beat_ready)
    );
    // What the neighbours owe: records whole and not reserved, reservations to take and to answer, commits to answer.
    reg [2:0] wholes = 0, takes = 0, slots = 0, commits = 0;
    wire      reserve = m_reserve_valid && m_reserve_ready;
    always @(posedge clk) begin
        wholes  <= rst ? 0 : wholes + whole - reserve;
        takes   <= rst ? 0 : takes + reserve - reserve_taken;
        slots   <= rst ? 0 : slots + reserve_taken - s_slot_valid;
        commits <= rst ? 0 : commits + (m_commit_valid && m_commit_ready) - commit_done;
    end
    always @* if (!rst) begin
        assume (!whole || wholes < WRITES);
        assume (!reserve_taken || takes != 0);
        assume (!s_slot_valid || slots != 0);
        assume (!commit_done || commits != 0);
    end

`ifdef EQUATIONS
    (* hierconn *) wire [1:0] \dut.way_q ;
    (* hierconn *) wire [1:0] \dut.whole_q ;
    (* hierconn *) wire [1:0] \dut.held_barriers ;
    (* hierconn *) wire [1:0] \dut.held_slots ;
    (* hierconn *) wire [1:0] \dut.held_written ;
    (* hierconn *) wire [1:0] \dut.held_answers ;
    (* hierconn *) wire       \dut.next_valid_q ;
    (* hierconn *) wire       \dut.sending_q ;
    (* hierconn *) wire       \dut.failed_q ;
    (* hierconn *) wire       \dut.u_w.s_ready_q ;
    (* hierconn *) wire [16:0] \dut.u_w.m_data_q ;
    (* hierconn *) wire [16:0] \dut.u_w.hold_q ;
    (* hierconn *) wire [1:0] \u_m.open ;
    (* hierconn *) wire [1:0] \u_m.whole ;
    (* hierconn *) wire [2:0] \u_m.ahead ;
    wire [3:0] opened  = \u_m.open [0] + \u_m.open [1];
    wire [3:0] closing = (m_axi_wvalid && \dut.u_w.m_data_q [16])
                       + (m_axi_wvalid && !\dut.u_w.s_ready_q && \dut.u_w.hold_q [16]);   // last beats in the slice
    wire [3:0] late    = {1'b0, \u_m.ahead };
    reg        was_rst = 1'b1;
    always @(posedge clk) was_rst <= rst;
    always @* if (past && !was_rst) begin
        assert ({1'b0, \dut.way_q } == takes + \dut.held_barriers + \dut.next_valid_q + \dut.held_written + commits
                + \dut.failed_q );
        assert ({1'b0, \dut.held_barriers } == slots + \dut.held_slots );
        assert ({2'b00, \dut.held_written } == opened + m_axi_awvalid + \dut.held_answers );
        assert (\dut.way_q <= WRITES && {1'b0, \dut.whole_q } == wholes);
        // Data may be ahead of an address by the one that is offered.
        assert (late[2:0] + m_axi_awvalid == \dut.sending_q + closing[2:0]);
    end
`endif
endmodule
`default_nettype wire
