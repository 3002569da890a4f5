// rlc_axi_burst.v — the addresses of an AXI4 burst, one beat a clock; bursts follow each other without a gap.
// SPDX-License-Identifier: Apache-2.0
//
// s_*       an AR or AW channel: FIXED, INCR and WRAP bursts of any length, start and size up to a whole word
// m_*       valid/ready: word m_word holds the beat; m_last is the burst's last beat; m_id is its ID
// m_bad     the beat has no word: it is beyond DEPTH, or the burst has the reserved kind or a size above a word
// latency   1 clock
`default_nettype none
`include "rlc_check.vh"
module rlc_axi_burst #(
    parameter ID_WIDTH   = 1,     // bits of an ID, >= 1
    parameter ADDR_WIDTH = 12,    // bits of a byte address, above log2 of LANES
    parameter LANES      = 4,     // bytes a word, a power of two up to 128
    parameter DEPTH      = 1024,  // words that exist, >= 1
    parameter WORD_WIDTH = ADDR_WIDTH - $clog2(LANES)  // derived; leave it alone
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  s_valid,
    output wire                  s_ready,
    input  wire [ID_WIDTH-1:0]   s_id,
    input  wire [ADDR_WIDTH-1:0] s_addr,
    input  wire [7:0]            s_len,
    input  wire [2:0]            s_size,
    input  wire [1:0]            s_burst,
    output wire                  m_valid,
    input  wire                  m_ready,
    output wire [ID_WIDTH-1:0]   m_id,
    output wire [WORD_WIDTH-1:0] m_word,
    output wire                  m_last,
    output wire                  m_bad
);
    `RLC_CHECK(ID_WIDTH >= 1, rlc_axi_burst_illegal_ID_WIDTH_must_be_at_least_1)
    `RLC_CHECK(LANES >= 1 && LANES <= 128 && (LANES & (LANES - 1)) == 0,
               rlc_axi_burst_illegal_LANES_must_be_a_power_of_two_up_to_128)
    `RLC_CHECK(ADDR_WIDTH > $clog2(LANES), rlc_axi_burst_illegal_ADDR_WIDTH_must_be_more_than_the_log2_of_LANES)
    `RLC_CHECK(DEPTH >= 1 && (ADDR_WIDTH - $clog2(LANES) > 30 || DEPTH <= (1 << (ADDR_WIDTH - $clog2(LANES)))),
               rlc_axi_burst_illegal_DEPTH_must_be_at_least_1_and_within_ADDR_WIDTH)

    localparam [1:0] FIXED = 2'd0, WRAP = 2'd2, RESERVED = 2'd3;
    localparam LANES_LOG2 = $clog2(LANES);
    localparam [31:0] COUNT = DEPTH;
    localparam WIDE       = (ADDR_WIDTH > 15) ? ADDR_WIDTH + 1 : 16;  // holds a burst's bytes as well
    localparam [31:0] LOG2 = LANES_LOG2;
    localparam [2:0] WHOLE = LOG2[2:0];

    // One bit more than an address has: a burst that runs over the end finds no word there, and not the first one.
    reg                  active_q, fixed_q, wrap_q, odd_q;
    reg [ID_WIDTH-1:0]   id_q;
    reg [ADDR_WIDTH:0]   addr_q, step_q, span_q;  // span: the bits of the address in which a WRAP burst stays
    reg [7:0]            remaining_q;

    wire take = s_valid && s_ready;
    wire step = m_valid && m_ready;
    wire [ADDR_WIDTH:0] next    = addr_q + step_q;  // an unaligned start names the same words as an aligned one
    wire [ADDR_WIDTH:0] s_step  = {{ADDR_WIDTH{1'b0}}, 1'b1} << s_size;
    wire [WIDE-1:0]     s_span  = (({{(WIDE-8){1'b0}}, s_len} + 1'b1) << s_size) - 1'b1;

    assign s_ready = !rst && (!active_q || (m_ready && m_last));
    assign m_valid = active_q;
    assign m_id    = id_q;
    assign m_word  = addr_q[ADDR_WIDTH-1:LANES_LOG2];
    assign m_last  = remaining_q == 8'd0;
    assign m_bad   = odd_q || {31'd0, addr_q[ADDR_WIDTH:LANES_LOG2]} >= {{(WORD_WIDTH){1'b0}}, COUNT};

    always @(posedge clk)
        if (rst) active_q <= 1'b0;
        else if (take || step) active_q <= take || !m_last;

    always @(posedge clk)
        if (take) begin
            id_q        <= s_id;
            addr_q      <= {1'b0, s_addr};
            step_q      <= s_step;
            span_q      <= s_span[ADDR_WIDTH:0];
            remaining_q <= s_len;
            fixed_q     <= s_burst == FIXED;
            wrap_q      <= s_burst == WRAP;
            odd_q       <= s_burst == RESERVED || s_size > WHOLE;
        end else if (step) begin
            remaining_q <= remaining_q - 1'b1;
            if (wrap_q) addr_q <= (addr_q & ~span_q) | (next & span_q);
            else if (!fixed_q) addr_q <= next;
        end

    wire unused = &{1'b0, s_span};
endmodule
`default_nettype wire
