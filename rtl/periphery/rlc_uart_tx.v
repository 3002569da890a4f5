// rlc_uart_tx.v — sender on an asynchronous serial line: one start bit, 8 data bits low first, no parity, one stop bit.
// SPDX-License-Identifier: Apache-2.0
//
// s_*         valid/ready; s_ready is a register, low during reset
// txd         the line, a register, idle high from power-up on
// throughput  a byte in 10 bits and one clock
`default_nettype none
`include "rlc_check.vh"
module rlc_uart_tx #(
    parameter CLOCKS_PER_BIT = 16  // clocks of a bit, 4..65535
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       s_valid,
    output wire       s_ready,
    input  wire [7:0] s_data,
    output wire       txd
);
    `RLC_CHECK(CLOCKS_PER_BIT >= 4 && CLOCKS_PER_BIT <= 65535, rlc_uart_tx_illegal_CLOCKS_PER_BIT_must_be_4_to_65535)

    localparam CLOCK_BITS = $clog2(CLOCKS_PER_BIT + 1);
    localparam [31:0] WHOLE = CLOCKS_PER_BIT - 1;

    reg                  ready_q;
    reg [CLOCK_BITS-1:0] clocks_q;  // left of this bit
    reg [3:0]            bits_q;    // left after this bit
    reg [8:0]            shift_q;   // what follows this bit, the stop bit above it
    reg                  txd_q;
    initial txd_q = 1'b1;

    always @(posedge clk) begin
        if (rst) begin
            ready_q <= 1'b0;
            txd_q   <= 1'b1;
            bits_q  <= 4'd0;
            clocks_q <= {CLOCK_BITS{1'b0}};
        end else if (s_valid && ready_q) begin
            ready_q  <= 1'b0;
            txd_q    <= 1'b0;
            bits_q   <= 4'd9;
            clocks_q <= WHOLE[CLOCK_BITS-1:0];
        end else if (clocks_q != {CLOCK_BITS{1'b0}}) begin
            clocks_q <= clocks_q - 1'b1;
        end else if (bits_q != 4'd0) begin
            txd_q    <= shift_q[0];
            bits_q   <= bits_q - 4'd1;
            clocks_q <= WHOLE[CLOCK_BITS-1:0];
        end else begin
            ready_q  <= 1'b1;
        end
    end
    always @(posedge clk) begin
        if (s_valid && ready_q) shift_q <= {1'b1, s_data};
        else if (clocks_q == {CLOCK_BITS{1'b0}}) shift_q <= {1'b1, shift_q[8:1]};
    end

    assign s_ready = ready_q;
    assign txd     = txd_q;
endmodule
`default_nettype wire
