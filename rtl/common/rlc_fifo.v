// rlc_fifo.v — synchronous FIFO with first-word fall-through and a level output.
// SPDX-License-Identifier: Apache-2.0
//
// STYLE        "distributed": LUT memory; m_data is read from it combinationally. A family that has none: RLC_LUT_RAM
//              "auto": the same, of what the tool chooses: LUT memory, or registers
//              "block": block RAM; m_data is the RAM's own output register. DEPTH 2 is too short to hide
//              the RAM's second clock and is built in LUTs.
//
// s_* / m_*    valid/ready; data stable while stalled; s_ready and m_valid are registers;
//              s_ready is low during reset
// count        items held, 0..DEPTH, the one at m_data included
// latency      1 clock distributed, 2 clocks block, when empty; 1 item a clock sustained
// proof        verif/common/formal/rlc_fifo.sby: no loss, no duplicate, order kept, count right
`default_nettype none
`include "rlc_check.vh"
module rlc_fifo #(
    parameter WIDTH       = 8,                 // payload bits, >= 1
    // items it holds, any integer >= 2; exactly DEPTH are accepted before s_ready falls
    parameter DEPTH       = 16,
    parameter STYLE       = "distributed",     // "distributed", "auto" or "block"
    parameter COUNT_WIDTH = $clog2(DEPTH + 1)  // derived; leave it alone
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   s_valid,
    output wire                   s_ready,
    input  wire [WIDTH-1:0]       s_data,
    output wire                   m_valid,
    input  wire                   m_ready,
    output wire [WIDTH-1:0]       m_data,
    output wire [COUNT_WIDTH-1:0] count
);
    `RLC_CHECK(WIDTH >= 1, rlc_fifo_illegal_WIDTH_must_be_at_least_1)
    `RLC_CHECK(DEPTH >= 2, rlc_fifo_illegal_DEPTH_must_be_at_least_2)
    `RLC_CHECK(STYLE == "auto" || STYLE == "block" || STYLE == "distributed",
               rlc_fifo_illegal_STYLE_must_be_auto_or_block_or_distributed)

    localparam ADDR_WIDTH = (DEPTH > 2) ? $clog2(DEPTH) : 1;
    localparam [31:0] SIZE = DEPTH;
    localparam [31:0] TOP  = DEPTH - 1;
    localparam [ADDR_WIDTH-1:0]  FIRST = 0;
    localparam [ADDR_WIDTH-1:0]  LAST  = TOP[ADDR_WIDTH-1:0];
    localparam [COUNT_WIDTH-1:0] NONE  = 0;
    localparam [COUNT_WIDTH-1:0] ONE   = 1;
    localparam [COUNT_WIDTH-1:0] FULL  = SIZE[COUNT_WIDTH-1:0];
    localparam [COUNT_WIDTH-1:0] LAST_PLACE = TOP[COUNT_WIDTH-1:0];

    reg [ADDR_WIDTH-1:0]  wr_addr_q;
    reg [ADDR_WIDTH-1:0]  rd_addr_q;
    reg [COUNT_WIDTH-1:0] count_q;
    reg                   s_ready_q;
    reg                   m_valid_q;

    wire push = s_valid && s_ready_q;
    wire pop  = m_valid_q && m_ready;
    wire step;  // the read address moves on

    assign s_ready = s_ready_q;
    assign m_valid = m_valid_q;
    assign count   = count_q;

    always @(posedge clk) begin
        if (rst) begin
            wr_addr_q <= FIRST;
            rd_addr_q <= FIRST;
            count_q   <= NONE;
            s_ready_q <= 1'b0;
        end else begin
            if (push) wr_addr_q <= (wr_addr_q == LAST) ? FIRST : wr_addr_q + 1'b1;
            if (step) rd_addr_q <= (rd_addr_q == LAST) ? FIRST : rd_addr_q + 1'b1;
            // The handshakes come late: one of them enables, the other chooses.
            if (push != pop) count_q <= pop ? count_q - ONE : count_q + ONE;
            // Full next, from what is known of the count before the handshakes: s_valid comes late.
            s_ready_q <= s_ready_q ? !(s_valid && count_q == LAST_PLACE && !pop) : (pop || count_q != FULL);
        end
    end

    if (STYLE == "block" && DEPTH > 2) begin : g_block
        // The item at m_data has left the RAM; the RAM holds the others.
        wire stored = m_valid_q ? (count_q > ONE) : (count_q != NONE);
        assign step = stored && (!m_valid_q || m_ready);

        always @(posedge clk) begin
            if (rst) m_valid_q <= 1'b0;
            else if (step) m_valid_q <= 1'b1;
            else if (m_ready) m_valid_q <= 1'b0;
        end

        // Never reads and writes one address on one edge: a read needs a stored word, a write a free one.
        rlc_ram_1r1w #(
            .WIDTH(WIDTH), .DEPTH(DEPTH), .READ_LATENCY(1), .STYLE("block"), .READ_ANY(1)
        ) u_ram (
            .clk(clk),
            .wr_en(push), .wr_addr(wr_addr_q), .wr_data(s_data),
            .rd_en(step), .rd_addr(rd_addr_q), .rd_data(m_data)
        );
    end else begin : g_distributed
        (* ram_style = `RLC_LUT_STYLE(STYLE) *)
        reg [WIDTH-1:0] mem [0:DEPTH-1];

        assign step   = pop;
        assign m_data = mem[rd_addr_q];

        always @(posedge clk) begin
            if (rst) m_valid_q <= 1'b0;
            else m_valid_q <= push || (m_valid_q && !(m_ready && count_q == ONE));
        end

        always @(posedge clk) begin
            if (push) mem[wr_addr_q] <= s_data;
        end
    end
endmodule
`default_nettype wire
