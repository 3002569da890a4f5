// rlc_replay_server_read.v — reads rows of words from memory, many at a time: the read channels of an AXI4 master of 64 bits.
// SPDX-License-Identifier: Apache-2.0
//
// s_job_*      a row: its address and its words, 1 and more; m_beat_* the words of all rows, in order
// failed       pulse: memory answered a read with an error
// m_axi_*      bursts of at most 256 beats; one ID, so that they come in order. A burst is asked for when there is room for
//              all of it, so that beats are always taken
// bound        rlc_replay_server_bursts'
// throughput   a word a clock, and a burst in 2 clocks, as far as HOLD words cover the latency of the memory
// proof        verif/replay_server/formal/rlc_replay_server_read.sby: room and beats, for any rows and any memory
`include "rlc_axi.vh"
`default_nettype none
`include "rlc_check.vh"
module rlc_replay_server_read #(
    parameter ADDR_WIDTH = 34, // bits of an address
    parameter ID_WIDTH   = 1,  // bits of an ID, which is 0
    parameter HOLD       = 512 // words asked for or waiting here, at least 256
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  s_job_valid,
    output wire                  s_job_ready,
    input  wire [ADDR_WIDTH-1:0] s_job_addr,
    input  wire [16:0]           s_job_words,
    `RLC_STREAM_MASTER(m_beat, 64),
    output reg                   failed,
    `RLC_AXI_READER(m_axi, ID_WIDTH, ADDR_WIDTH, 64)
);
    `RLC_CHECK(HOLD >= 256 && HOLD <= 4096, rlc_replay_server_read_illegal_HOLD_must_be_256_to_4096)
    localparam ROOM = $clog2(HOLD + 1);
    localparam [31:0] HOLD_32 = HOLD;

    // ---- a burst begins when there is room for all of it; decided a clock before, since room only grows until then.
    reg  [ROOM-1:0] room_q;
    reg             fits_q;
    wire            row, start;
    wire [8:0]      beats;
    wire            gives = m_beat_valid && m_beat_ready;
    wire [ROOM-1:0] taken = start ? {{(ROOM-9){1'b0}}, beats} : {ROOM{1'b0}};
    rlc_replay_server_bursts #(.ADDR_WIDTH(ADDR_WIDTH)) u_bursts (
        .clk(clk), .rst(rst), .s_job_valid(s_job_valid), .s_job_ready(s_job_ready), .s_job_addr(s_job_addr),
        .s_job_words(s_job_words), .there(row), .beats(beats), .may(fits_q), .starts(start),
        .m_valid(m_axi_arvalid), .m_ready(m_axi_arready), .m_addr(m_axi_araddr), .m_len(m_axi_arlen)
    );
    always @(posedge clk)
        if (rst) begin
            room_q <= HOLD_32[ROOM-1:0];
            fits_q <= 1'b0;
        end else begin
            room_q <= room_q - taken + {{(ROOM-1){1'b0}}, gives};
            fits_q <= row && !start && room_q >= {{(ROOM-9){1'b0}}, beats};
        end
    assign m_axi_arid    = {ID_WIDTH{1'b0}};
    assign m_axi_arsize  = 3'd3;
    assign m_axi_arburst = 2'b01;
    assign m_axi_arcache = 4'b0011;
    assign m_axi_arprot  = 3'b000;

    reg        rready_q, come_q;
    reg [63:0] data_q;
    always @(posedge clk) begin
        rready_q <= !rst;
        come_q   <= m_axi_rvalid && rready_q && !rst;
        failed   <= m_axi_rvalid && rready_q && m_axi_rresp[1] && !rst;
        data_q   <= m_axi_rdata;
    end
    assign m_axi_rready = rready_q;
    rlc_queue #(.WIDTH(64), .DEPTH(HOLD), .STYLE("block")) u_beats (
        .clk(clk), .rst(rst), .s_valid(come_q), .s_data(data_q), `RLC_STREAM_JOIN(m, m_beat)
    );
    wire unused = &{1'b0, m_axi_rid, m_axi_rresp[0], m_axi_rlast};
endmodule
`default_nettype wire
