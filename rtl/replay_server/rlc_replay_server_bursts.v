// rlc_replay_server_bursts.v — cuts rows of words of 64 bits into AXI4 bursts, and gives their addresses: of rlc_replay_server_read and rlc_replay_server_write.
// SPDX-License-Identifier: Apache-2.0
//
// s_job_*      a row: its address and its words, 1 and more
// there        a burst is to come, of `beats` beats, at most 256
// may          it may begin; starts: it does, and its address is at m_* a clock later
// m_*          addresses of bursts, AXI4's AW or AR
// bound        a row of more than 256 words begins at a multiple of 2048 bytes; no other crosses one. s_job_words is below 2^17
// throughput   a burst a clock, as far as `may` says; rows one behind the other
// proof        verif/replay_server/formal/rlc_replay_server_bursts.sby: each word of each row in a burst, once and in order
`default_nettype none
module rlc_replay_server_bursts #(
    parameter ADDR_WIDTH = 34 // bits of an address
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  s_job_valid,
    output wire                  s_job_ready,
    input  wire [ADDR_WIDTH-1:0] s_job_addr,
    input  wire [16:0]           s_job_words,
    output wire                  there,
    output wire [8:0]            beats,
    input  wire                  may,
    output wire                  starts,
    output wire                  m_valid,
    input  wire                  m_ready,
    output wire [ADDR_WIDTH-1:0] m_addr,
    output wire [7:0]            m_len
);
    localparam [63:0] BURST_64 = 2048;

    // ---- the row, and what is left of it.
    reg                  row_q;
    reg [ADDR_WIDTH-1:0] addr_q;
    reg [16:0]           words_q;
    reg                  valid_q;
    wire                 too_long = words_q > 17'd256;
    wire                 ends = starts && !too_long;
    assign beats       = too_long ? 9'd256 : words_q[8:0];
    assign there       = row_q;
    assign starts      = row_q && may && (!valid_q || m_ready);
    assign s_job_ready = !row_q || ends;
    always @(posedge clk) begin
        if (rst) row_q <= 1'b0;
        else     row_q <= s_job_valid || (row_q && !ends);
        if (s_job_ready) begin
            addr_q  <= s_job_addr;
            words_q <= s_job_words;
        end else if (starts) begin
            addr_q  <= addr_q + BURST_64[ADDR_WIDTH-1:0];
            words_q <= words_q - 17'd256;
        end
    end

    // ---- its bursts' addresses, one behind the other.
    reg [ADDR_WIDTH-1:0] at_q;
    reg [7:0]            len_q;
    wire [8:0]           less = beats - 9'd1;
    always @(posedge clk) begin
        valid_q <= !rst && (starts || (valid_q && !m_ready));
        if (starts) begin
            at_q  <= addr_q;
            len_q <= less[7:0];
        end
    end
    assign m_valid = valid_q;
    assign m_addr  = at_q;
    assign m_len   = len_q;
    wire unused = &{1'b0, less[8]};
endmodule
`default_nettype wire
