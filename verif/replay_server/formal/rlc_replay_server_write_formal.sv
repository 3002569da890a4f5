// rlc_replay_server_write_formal.sv — what rlc_replay_server_write promises, for any rows that keep to its bound and any memory.
// SPDX-License-Identifier: Apache-2.0
//
// An address stands still while it is stalled; no burst crosses 4 KiB; each has the beats that it said, the last one alone is
// marked; a row's words go to memory once each; `idle` means that all of them were answered.
`default_nettype none
module rlc_replay_server_write_formal (
    input wire        clk,
    input wire        rst,
    input wire        s_job_valid,
    input wire [15:0] s_job_addr,
    input wire [16:0] s_job_words,
    input wire        s_beat_valid,
    input wire [63:0] s_beat_data,
    input wire        m_axi_awready,
    input wire        m_axi_wready,
    input wire [0:0]  m_axi_bid,
    input wire [1:0]  m_axi_bresp,
    input wire        m_axi_bvalid
);
    wire        s_job_ready, s_beat_ready, idle, failed;
    wire [0:0]  m_axi_awid;
    wire [15:0] m_axi_awaddr;
    wire [7:0]  m_axi_awlen;
    wire [2:0]  m_axi_awsize, m_axi_awprot;
    wire [1:0]  m_axi_awburst;
    wire [3:0]  m_axi_awcache;
    wire        m_axi_awvalid, m_axi_wvalid, m_axi_wlast, m_axi_bready;
    wire [63:0] m_axi_wdata;
    wire [7:0]  m_axi_wstrb;
    rlc_replay_server_write #(.ADDR_WIDTH(16), .ID_WIDTH(1)) dut (.*);
    (* hierconn *) wire        \dut.u_bursts.row_q ;
    (* hierconn *) wire [15:0] \dut.u_bursts.addr_q ;
    (* hierconn *) wire [16:0] \dut.u_bursts.words_q ;
    (* hierconn *) wire [8:0]  \dut.remaining_q ;
    (* hierconn *) wire [7:0]  \dut.open_q ;
    (* hierconn *) wire        \dut.start ;
    wire [8:0] left = \dut.remaining_q ;

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);

    // The bound: a long row begins at a multiple of 2048, no other crosses one.
    function bound(input [15:0] addr, input [16:0] words);
        bound = addr[2:0] == 3'd0 && words != 17'd0
             && ((words > 17'd256) ? addr[10:0] == 11'd0 : {6'd0, addr[10:0]} + {words[13:0], 3'd0} <= 17'd2048);
    endfunction
    always @* if (s_job_valid) assume (bound(s_job_addr, s_job_words));

    // Words of rows that were taken and have not gone; bursts that have gone whole and were not answered.
    reg  [18:0] todo = 19'd0;
    reg  [7:0]  owed = 8'd0;
    reg  [7:0]  sent;                 // beats of the present burst that have gone
    wire        moves = m_axi_wvalid && m_axi_wready, answers = m_axi_bvalid && m_axi_bready;
    always @* assume (!m_axi_bvalid || owed != 8'd0);
    always @(posedge clk) begin
        todo <= rst ? 19'd0 : todo + ((s_job_valid && s_job_ready) ? {2'd0, s_job_words} : 19'd0) - {18'd0, moves};
        owed <= rst ? 8'd0 : owed + {7'd0, moves && m_axi_wlast} - {7'd0, answers};
        sent <= \dut.start ? 8'd0 : sent + {7'd0, moves};
    end
    reg         stalled_1 = 1'b0, started_1 = 1'b0;
    reg  [23:0] address_1;
    always @(posedge clk) begin
        stalled_1 <= m_axi_awvalid && !m_axi_awready && !rst;
        started_1 <= \dut.start && !rst;
        address_1 <= {m_axi_awaddr, m_axi_awlen};
        if (past && stalled_1) assert (m_axi_awvalid && address_1 == {m_axi_awaddr, m_axi_awlen});
        if (past && started_1) assert (m_axi_awvalid && left == {1'b0, m_axi_awlen} + 9'd1);
    end
    always @* if (past) begin
        if (\dut.u_bursts.row_q ) assert (bound(\dut.u_bursts.addr_q , \dut.u_bursts.words_q ));
        if (m_axi_awvalid) assert (bound(m_axi_awaddr, {9'd0, m_axi_awlen} + 17'd1));
        assert (left <= 9'd256);
        assert (todo == (\dut.u_bursts.row_q ? {2'd0, \dut.u_bursts.words_q } : 19'd0) + {10'd0, left});
        assert ({1'b0, \dut.open_q } == {1'b0, owed} + {8'd0, left != 9'd0});
        if (left != 9'd0) assert ({1'b0, sent} + left == {1'b0, m_axi_awlen} + 9'd1);
        assert (m_axi_wlast == (left == 9'd1));
        if (m_axi_wvalid || s_beat_ready) assert (left != 9'd0);
        if (idle) assert (todo == 19'd0 && owed == 8'd0);
    end
    always @(posedge clk) begin
        cover (past && !rst && idle && owed == 8'd0 && m_axi_awlen == 8'd2 && sent == 8'd3);
        cover (past && !rst && stalled_1 && m_axi_wlast && moves);
    end
endmodule
`default_nettype wire
