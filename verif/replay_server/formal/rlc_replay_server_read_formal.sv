// rlc_replay_server_read_formal.sv — what rlc_replay_server_read promises, for any rows that keep to its bound and any memory.
// SPDX-License-Identifier: Apache-2.0
//
// A burst is asked for only when there is room for all of it, so that a beat of memory is never refused and none is lost; an
// error of memory is told, once. What the bursts are is rlc_replay_server_bursts.sby's.
`default_nettype none
module rlc_replay_server_read_formal (
    input wire        clk,
    input wire        rst,
    input wire        s_job_valid,
    input wire [15:0] s_job_addr,
    input wire [16:0] s_job_words,
    input wire        m_beat_ready,
    input wire        m_axi_arready,
    input wire [0:0]  m_axi_rid,
    input wire [63:0] m_axi_rdata,
    input wire [1:0]  m_axi_rresp,
    input wire        m_axi_rlast,
    input wire        m_axi_rvalid
);
    localparam [15:0] HOLD = 16'd300;
    wire        s_job_ready, m_beat_valid, failed;
    wire [63:0] m_beat_data;
    wire [0:0]  m_axi_arid;
    wire [15:0] m_axi_araddr;
    wire [7:0]  m_axi_arlen;
    wire [2:0]  m_axi_arsize, m_axi_arprot;
    wire [1:0]  m_axi_arburst;
    wire [3:0]  m_axi_arcache;
    wire        m_axi_arvalid, m_axi_rready;
    rlc_replay_server_read #(.ADDR_WIDTH(16), .ID_WIDTH(1), .HOLD(300)) dut (.*);
    (* hierconn *) wire [8:0]  \dut.room_q ;
    (* hierconn *) wire        \dut.fits_q ;
    (* hierconn *) wire        \dut.come_q ;
    (* hierconn *) wire [8:0]  \dut.beats ;
    (* hierconn *) wire        \dut.row ;
    (* hierconn *) wire [16:0] \dut.u_bursts.words_q ;
    (* hierconn *) wire [15:0] \dut.u_beats.count_q ;

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);
    always @* if (s_job_valid) assume (s_job_words != 17'd0);

    // Beats that memory was asked for and has not given.
    reg  [15:0] owed = 16'd0;
    wire        asks = m_axi_arvalid && m_axi_arready, comes = m_axi_rvalid && m_axi_rready;
    wire [15:0] said = m_axi_arvalid ? {8'd0, m_axi_arlen} + 16'd1 : 16'd0;
    always @* assume (!m_axi_rvalid || owed != 16'd0);
    always @(posedge clk) owed <= rst ? 16'd0 : owed + (asks ? said : 16'd0) - {15'd0, comes};

    reg fails_1 = 1'b0, rst_1 = 1'b1;
    always @(posedge clk) begin
        rst_1   <= rst;
        fails_1 <= comes && m_axi_rresp[1] && !rst;
        if (past) assert (failed == fails_1);
        if (past && !rst_1) assert (m_axi_rready);   // memory never waits
    end
    always @* if (past) begin
        if (\dut.row ) assert (\dut.u_bursts.words_q != 17'd0);
        assert ({7'd0, \dut.room_q } + said + owed + {15'd0, \dut.come_q } + \dut.u_beats.count_q == HOLD);
        assert (owed <= HOLD && \dut.u_beats.count_q <= HOLD && {7'd0, \dut.room_q } <= HOLD);
        if (\dut.fits_q ) assert (\dut.row && \dut.room_q >= \dut.beats );
        if (rst_1) assert (owed == 16'd0 && !m_axi_arvalid);
    end
    always @(posedge clk) begin
        cover (past && !rst && comes && owed == 16'd1 && m_axi_arvalid && m_axi_arlen == 8'd255);
        cover (past && !rst && \dut.room_q == 9'd0 && failed);
    end
endmodule
`default_nettype wire
