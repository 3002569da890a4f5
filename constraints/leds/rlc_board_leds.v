// rlc_board_leds.v — four LEDs that say whether a board lives.
// SPDX-License-Identifier: Apache-2.0
//
// BLINK_LOG2      a blink takes 2^(BLINK_LOG2 + 1) clocks; 26 is about half a second at 250 MHz
// bus_clk, resetn, irq   resetn and irq are synchronous to bus_clk
// core_clk        another clock, unrelated
// led             0: bus_clk runs, 1: core_clk runs (both blink), 2: out of reset, 3: interrupt
`default_nettype none
module rlc_board_leds #(
    parameter BLINK_LOG2 = 26
) (
    input  wire       bus_clk,
    input  wire       core_clk,
    input  wire       resetn,
    input  wire       irq,
    output wire [3:0] led
);
    reg [BLINK_LOG2:0] bus_q;
    reg [BLINK_LOG2:0] core_q;
    reg                on_q;
    reg                irq_q;
    initial bus_q  = {(BLINK_LOG2 + 1){1'b0}};
    initial core_q = {(BLINK_LOG2 + 1){1'b0}};
    initial on_q   = 1'b0;
    initial irq_q  = 1'b0;

    always @(posedge bus_clk) begin
        bus_q <= bus_q + 1'b1;
        on_q  <= resetn;
        irq_q <= irq;
    end
    always @(posedge core_clk) core_q <= core_q + 1'b1;

    assign led = {irq_q, on_q, core_q[BLINK_LOG2], bus_q[BLINK_LOG2]};
endmodule
`default_nettype wire
