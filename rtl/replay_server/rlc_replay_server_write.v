// rlc_replay_server_write.v — writes rows of words to memory: the write channels of an AXI4 master of 64 bits.
// SPDX-License-Identifier: Apache-2.0
//
// s_job_*      a row: its address and its words, 1 and more; s_beat_* the words of all rows, in order, no sooner than wanted
// idle         all that was taken is in memory
// failed       pulse: memory answered a write with an error
// m_axi_*      bursts of at most 256 beats; one ID, so that what is written twice is written in order
// bound        rlc_replay_server_bursts'
// throughput   a word a clock, rows of one word too
// proof        verif/replay_server/formal/rlc_replay_server_write.sby: beats, addresses and idle, for any rows within the bound and any memory
`include "rlc_axi.vh"
`default_nettype none
module rlc_replay_server_write #(
    parameter ADDR_WIDTH = 34, // bits of an address
    parameter ID_WIDTH   = 1   // bits of an ID, which is 0
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  s_job_valid,
    output wire                  s_job_ready,
    input  wire [ADDR_WIDTH-1:0] s_job_addr,
    input  wire [16:0]           s_job_words,
    `RLC_STREAM_SLAVE(s_beat, 64),
    output wire                  idle,
    output reg                   failed,
    `RLC_AXI_WRITER(m_axi, ID_WIDTH, ADDR_WIDTH, 64)
);
    localparam [7:0]  MOST = 8'd255; // bursts without an answer

    // ---- the row's bursts, one behind the other.
    reg  [8:0] remaining_q;  // beats of the burst that have not gone
    reg  [7:0] open_q;       // bursts without an answer
    reg        bready_q;
    wire       move   = m_axi_wvalid && m_axi_wready;
    wire       answer = m_axi_bvalid && bready_q;
    wire       last   = remaining_q == 9'd1;
    wire       row, start;
    wire [8:0] beats;
    rlc_replay_server_bursts #(.ADDR_WIDTH(ADDR_WIDTH)) u_bursts (
        .clk(clk), .rst(rst), .s_job_valid(s_job_valid), .s_job_ready(s_job_ready), .s_job_addr(s_job_addr),
        .s_job_words(s_job_words), .there(row), .beats(beats), .may((remaining_q == 9'd0 || (last && move)) && open_q != MOST),
        .starts(start), .m_valid(m_axi_awvalid), .m_ready(m_axi_awready), .m_addr(m_axi_awaddr), .m_len(m_axi_awlen)
    );
    always @(posedge clk) begin
        if (rst) begin
            remaining_q <= 9'd0;
            open_q      <= 8'd0;
            failed      <= 1'b0;
        end else begin
            remaining_q <= start ? beats : move ? remaining_q - 9'd1 : remaining_q;
            open_q      <= open_q + {7'd0, start} - {7'd0, answer};
            failed      <= answer && m_axi_bresp[1];
        end
        bready_q <= !rst;
    end
    assign idle = !row && open_q == 8'd0;

    assign m_axi_awid    = {ID_WIDTH{1'b0}};
    assign m_axi_awsize  = 3'd3;
    assign m_axi_awburst = 2'b01;
    assign m_axi_awcache = 4'b0011;
    assign m_axi_awprot  = 3'b000;
    assign m_axi_wdata   = s_beat_data;
    assign m_axi_wstrb   = 8'hFF;
    assign m_axi_wlast   = last;
    assign m_axi_wvalid  = remaining_q != 9'd0 && s_beat_valid;
    assign s_beat_ready  = remaining_q != 9'd0 && m_axi_wready;
    assign m_axi_bready  = bready_q;
    wire unused = &{1'b0, m_axi_bid, m_axi_bresp[0]};
endmodule
`default_nettype wire
