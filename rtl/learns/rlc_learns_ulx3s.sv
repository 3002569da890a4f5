// rlc_learns_ulx3s.sv — top for the ULX3S: a chip that learns CartPole by itself from power-on.
// SPDX-License-Identifier: Apache-2.0
//
// clk_25mhz   the board's oscillator
// ftdi_txd    from the USB serial chip: a byte asks for the actor's weights
// ftdi_rxd    to it: a line an iteration (docs/learns.md), BAUD bits a second, 8 bits, no parity
// btn_reset   FIRE1, active high: it begins anew
// led         mean return of the last episodes, a bar: all eight at CartPole's goal of 475
// wifi_gpio0  high, which keeps the ESP32 from its boot loader
`default_nettype none
module rlc_learns_ulx3s #(
    parameter MULTIPLY = 12,      // the clock is 25 MHz * MULTIPLY / DIVIDE
    parameter DIVIDE   = 5,       // see MULTIPLY
    parameter OUTPUT   = 10,      // of rlc_ecp5_pll
    parameter BAUD     = 3000000  // of the line
) (
    input  wire       clk_25mhz,
    input  wire       btn_reset,
    input  wire       ftdi_txd,
    output wire       ftdi_rxd,
    output reg  [7:0] led,
    output wire       wifi_gpio0
);
    localparam CLOCK_HZ = 25000000 / DIVIDE * MULTIPLY;

    wire clk;
    wire locked;
    rlc_ecp5_pll #(.MULTIPLY(MULTIPLY), .DIVIDE(DIVIDE), .OUTPUT(OUTPUT)) u_pll (
        .clk_in(clk_25mhz), .clk_out(clk), .locked(locked)
    );

    wire rst;
    rlc_reset_sync #(.STAGES(3), .SOURCES(2)) u_reset (
        .clk(clk), .rst_in({btn_reset, !locked}), .rst_out(rst)
    );

    wire [7:0] bar;
    wire       txd;
    rlc_learns #(.CLOCKS_PER_BIT((CLOCK_HZ + BAUD / 2) / BAUD)) u_learns (.*, .rxd(ftdi_txd));

    always @(posedge clk) led <= bar;
    assign ftdi_rxd   = txd;
    assign wifi_gpio0 = 1'b1;
endmodule
`default_nettype wire
