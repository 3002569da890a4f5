// rlc_replay_writer_rules.sv — rlc_replay_writer keeps AXI4 towards memory.
// SPDX-License-Identifier: Apache-2.0
//
// Assumed of its neighbours: records come whole, BEATS beats with the last one marked; the tree takes, answers and
// commits what it was asked for, once each and in order. Memory answers when it likes, with any error. The equations at
// the end say where every record and beat is. The task `prove` proves them with the rest: what they say of one clock is
// enough for the next, so one step of induction does.
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
    // Where every record and beat is, from the first reset on.
    (* hierconn *) wire [1:0] \dut.way_q ;
    (* hierconn *) wire [1:0] \dut.whole_q ;
    (* hierconn *) wire       \dut.room_q ;
    (* hierconn *) wire       \dut.bready_q ;
    (* hierconn *) wire       \dut.next_valid_q ;
    (* hierconn *) wire       \dut.settled_q ;
    (* hierconn *) wire       \dut.sending_q ;
    (* hierconn *) wire       \dut.failed ;
    (* hierconn *) wire [12:0] \dut.next_addr_q ;
    (* hierconn *) wire [1:0] \dut.u_barriers.u_fifo.count_q ;
    (* hierconn *) wire [1:0] \dut.u_slots.u_fifo.count_q ;
    (* hierconn *) wire [1:0] \dut.u_written.u_fifo.count_q ;
    (* hierconn *) wire [1:0] \dut.u_answers.u_fifo.count_q ;
    (* hierconn *) wire       \dut.u_barriers.u_fifo.s_ready_q ;
    (* hierconn *) wire       \dut.u_slots.u_fifo.s_ready_q ;
    (* hierconn *) wire       \dut.u_written.u_fifo.s_ready_q ;
    (* hierconn *) wire       \dut.u_answers.u_fifo.s_ready_q ;
    (* hierconn *) wire       \dut.u_barriers.u_fifo.m_valid_q ;
    (* hierconn *) wire       \dut.u_slots.u_fifo.m_valid_q ;
    (* hierconn *) wire       \dut.u_written.u_fifo.m_valid_q ;
    (* hierconn *) wire       \dut.u_answers.u_fifo.m_valid_q ;
    (* hierconn *) wire       \dut.u_w.s_ready_q ;
    (* hierconn *) wire [16:0] \dut.u_w.m_data_q ;
    (* hierconn *) wire [16:0] \dut.u_w.hold_q ;
    (* hierconn *) wire       \u_m.seen ;
    (* hierconn *) wire [2:0] \u_m.aws ;
    (* hierconn *) wire [2:0] \u_m.ahead ;
    (* hierconn *) wire [7:0] \u_m.beats ;
    (* hierconn *) wire [1:0] \u_m.open ;
    (* hierconn *) wire [1:0] \u_m.whole ;
    (* hierconn *) wire [7:0] \u_m.lens[0] ;
    (* hierconn *) wire [7:0] \u_m.lens[1] ;
    (* hierconn *) wire [7:0] \u_m.sent[0] ;
    (* hierconn *) wire [7:0] \u_m.sent[1] ;
    (* hierconn *) wire [1:0] \u_m.ids[0] ;
    (* hierconn *) wire [1:0] \u_m.ids[1] ;
    (* hierconn *) wire       \u_beat.seen ;
    (* hierconn *) wire [15:0] \u_beat.taken ;
    wire [5:0] way = \dut.way_q , barriers = \dut.u_barriers.u_fifo.count_q , held = \dut.u_slots.u_fifo.count_q ;
    wire [5:0] written = \dut.u_written.u_fifo.count_q , answers = \dut.u_answers.u_fifo.count_q ;
    wire [5:0] ahead = {{3{\u_m.ahead [2]}}, \u_m.ahead };    // negative: data are ahead

    // The slice's beats, the older one first, and the place in its record of each and of the next one to come.
    wire        one    = m_axi_wvalid;
    wire        two    = m_axi_wvalid && !\dut.u_w.s_ready_q ;
    wire        last_1 = \dut.u_w.m_data_q [16];
    wire        last_2 = \dut.u_w.hold_q [16];
    wire [15:0] at_1   = {8'd0, \u_m.beats };
    wire [15:0] at_2   = one ? (last_1 ? 16'd0 : at_1 + 16'd1) : at_1;
    wire [15:0] at_3   = two ? (last_2 ? 16'd0 : at_2 + 16'd1) : at_2;
    wire [5:0]  ending = (one && last_1) + (two && last_2);

    // Bursts by number: [answered, addressed) are open, [answered, sent) have their data.
    wire [5:0]  opened = \u_m.open [0] + \u_m.open [1];
    wire [5:0]  full   = opened - ahead;
    wire        oldest = \u_m.aws [0] ^ opened[0];
    function [1:0] upto(input [5:0] count, input first);
        upto = (count == 0) ? 2'b00 : (count == 1) ? 2'b01 << first : 2'b11;
    endfunction

    reg         was_rst = 1'b1;
    always @(posedge clk) was_rst <= rst;
    always @* if (past) begin
        seen_both:  assert (\u_m.seen && \u_beat.seen );
        // What is counted here is what the writer counts.
        on_the_way: assert (way == takes + barriers + \dut.next_valid_q + written + commits + \dut.failed );
        way_most:   assert (way <= WRITES);
        answered:   assert (barriers == slots + held);
        launched:   assert (written == opened + m_axi_awvalid + answers);
        waiting:    assert ({1'b0, \dut.whole_q } == wholes && wholes <= WRITES);
        // Queues say what they hold; after a reset they are empty, and nothing is taken for a clock.
        empty:      assert (!was_rst || (way == 0 && wholes == 0));
        room:       assert (\dut.room_q == (way != WRITES && !was_rst));
        taking:     assert (\dut.bready_q == !was_rst);
        s_barriers: assert (\dut.u_barriers.u_fifo.s_ready_q == (barriers != WRITES && !was_rst));
        s_slots:    assert (\dut.u_slots.u_fifo.s_ready_q == (held != WRITES && !was_rst));
        s_written:  assert (\dut.u_written.u_fifo.s_ready_q == (written != WRITES && !was_rst));
        s_answers:  assert (\dut.u_answers.u_fifo.s_ready_q == (answers != WRITES && !was_rst));
        m_barriers: assert (\dut.u_barriers.u_fifo.m_valid_q == (barriers != 0));
        m_slots:    assert (\dut.u_slots.u_fifo.m_valid_q == (held != 0));
        m_written:  assert (\dut.u_written.u_fifo.m_valid_q == (written != 0));
        m_answers:  assert (\dut.u_answers.u_fifo.m_valid_q == (answers != 0));
        // Data may be ahead of an address by the one that is offered.
        data_ahead: assert (ahead + m_axi_awvalid == \dut.sending_q + ending);
        bursts:     assert (full <= WRITES);
        numbers:    assert (\u_m.open == upto(opened, oldest) && \u_m.whole == upto(full, oldest));
        burst_0:    assert (!\u_m.open [0] || (\u_m.lens[0] == BEATS - 1 && \u_m.ids[0] == m_axi_awid));
        burst_1:    assert (!\u_m.open [1] || (\u_m.lens[1] == BEATS - 1 && \u_m.ids[1] == m_axi_awid));
        data_0:     assert (!\u_m.whole [0] || \u_m.sent[0] == BEATS - 1);
        data_1:     assert (!\u_m.whole [1] || \u_m.sent[1] == BEATS - 1);
        // Every record has BEATS beats, and begins at a multiple of its stride.
        place_1:    assert (at_1 < BEATS && (!one || last_1 == (at_1 == BEATS - 1)));
        place_2:    assert (!two || last_2 == (at_2 == BEATS - 1));
        place_3:    assert (\u_beat.taken == at_3);
        settled:    assert (\dut.next_valid_q || !\dut.settled_q );
        next_addr:  assert (\dut.next_addr_q [2:0] == 0);
        addr:       assert (!m_axi_awvalid || m_axi_awaddr[2:0] == 0);
    end
`endif
endmodule
`default_nettype wire
