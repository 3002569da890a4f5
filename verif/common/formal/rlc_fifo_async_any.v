// rlc_fifo_async_any.v — rlc_fifo_async as its header promises it: order, and any delay either way.
// SPDX-License-Identifier: Apache-2.0
//
// For proofs of what is built on it. rlc_fifo_async_formal.v proves of the module what is written here: what it holds lies
// between the pointers, s_ready says that there is a place and m_valid that there is an item, which then stays.
`default_nettype none
module rlc_fifo_async #(
    parameter WIDTH      = 8,
    parameter DEPTH_LOG2 = 4,
    parameter STAGES     = 2
) (
    input  wire             s_clk,
    input  wire             s_rst,
    input  wire             s_valid,
    output wire             s_ready,
    input  wire [WIDTH-1:0] s_data,
    input  wire             m_clk,
    input  wire             m_rst,
    output wire             m_valid,
    input  wire             m_ready,
    output wire [WIDTH-1:0] m_data
);
    reg  [DEPTH_LOG2:0] wr = 0;
    reg  [DEPTH_LOG2:0] rd = 0;
    reg                 ready = 1'b0;
    reg                 valid = 1'b0;
    reg  [WIDTH-1:0]    mem [0:(1<<DEPTH_LOG2)-1];
    (* anyseq *) wire   open;    // this side knows of a place, and of an item
    (* anyseq *) wire   known;

    wire [DEPTH_LOG2:0] held   = wr - rd;
    wire                push   = s_valid && ready;
    wire                pop    = valid && m_ready;
    wire [DEPTH_LOG2:0] pushed = wr + push;
    wire [DEPTH_LOG2:0] popped = rd + pop;
    wire [DEPTH_LOG2:0] after  = pushed - rd;
    wire [DEPTH_LOG2:0] left   = wr - popped;
    always @(posedge s_clk) begin
        wr    <= pushed;
        ready <= open && after != (1 << DEPTH_LOG2);
        if (push) mem[wr[DEPTH_LOG2-1:0]] <= s_data;
    end
    always @(posedge m_clk) begin
        rd    <= popped;
        valid <= left != 0 && (known || (valid && !m_ready));
    end
    // An item inside has these top bits, in a FIFO of answers: EXOKAY.
    reg     exokay;
    integer i;
    always @* begin
        exokay = 1'b0;
        for (i = 0; i < (1 << DEPTH_LOG2); i = i + 1) begin
            if (((i - rd) & ((1 << DEPTH_LOG2) - 1)) < held && mem[i][WIDTH-1 -: 2] == 2'b01) exokay = 1'b1;
        end
    end
    assign s_ready = ready;
    assign m_valid = valid;
    assign m_data  = mem[rd[DEPTH_LOG2-1:0]];
endmodule
`default_nettype wire
