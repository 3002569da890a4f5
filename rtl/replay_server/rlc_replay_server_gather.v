// rlc_replay_server_gather.v — where the parts of a long PUT are in memory: its rows, in the order of the parts.
// SPDX-License-Identifier: Apache-2.0
//
// begins       pulse: the rows of `count` records with their priorities, whose first part is at `addr`; count is valid one clock
//              earlier
// m_job_*      a row: its address and the number of its words, as rlc_replay_server_read takes them. The last row may be shorter
`default_nettype none
module rlc_replay_server_gather #(
    parameter ADDR_WIDTH   = 34,  // bits of an address
    parameter RECORD_BYTES = 48,  // bytes of a record, a multiple of 8
    parameter PART_BYTES   = 1392 // bytes of a part, a multiple of 8; each has a place of the next power of two
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  begins,
    input  wire [15:0]           count,
    input  wire [ADDR_WIDTH-1:0] addr,
    output wire                  m_job_valid,
    input  wire                  m_job_ready,
    output wire [ADDR_WIDTH-1:0] m_job_addr,
    output wire [16:0]           m_job_words
);
    localparam [31:0] EACH_32 = RECORD_BYTES / 8 + 1, PIECE_32 = PART_BYTES / 8;
    localparam [63:0] PLACE_64 = 64'd1 << $clog2(PART_BYTES);

    // 64 parts of at most 8176 words.
    reg  [19:0]           words_q, remaining_q;
    reg  [ADDR_WIDTH-1:0] addr_q;
    wire [35:0]           words = {20'd0, count} * {4'd0, EACH_32};
    wire                  moves = m_job_valid && m_job_ready;
    wire                  last  = remaining_q <= PIECE_32[19:0];
    always @(posedge clk) begin
        words_q <= words[19:0];
        if (rst)         remaining_q <= 20'd0;
        else if (begins) remaining_q <= words_q;
        else if (moves)  remaining_q <= last ? 20'd0 : remaining_q - PIECE_32[19:0];
        if (begins)      addr_q      <= addr;
        else if (moves)  addr_q      <= addr_q + PLACE_64[ADDR_WIDTH-1:0];
    end
    assign m_job_valid = remaining_q != 20'd0;
    assign m_job_addr  = addr_q;
    assign m_job_words = last ? remaining_q[16:0] : PIECE_32[16:0];
    wire unused = &{1'b0, words[35:20]};
endmodule
`default_nettype wire
