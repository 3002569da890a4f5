// rlc_serial_ulx3s.sv — top for the ULX3S: rlc_serial on the board's USB serial port.
// SPDX-License-Identifier: Apache-2.0
//
// clk_25mhz   the board's oscillator
// ftdi_txd    from the USB serial chip; ftdi_rxd to it
// btn_reset   FIRE1, active high: resets everything
// led         7: a blink while the clock runs, 6: a byte comes, 5: a byte goes, 4: a command is carried out,
//             3: the last frame was bad, 2: interrupt of the sum tree, 1: of the GAE core, 0: the PLL is locked
// wifi_gpio0  high, which keeps the ESP32 from its boot loader
`default_nettype none
module rlc_serial_ulx3s #(
    `include "rlc_serial_parameters.vh"
    , parameter MULTIPLY = 12  // the cores' clock is 25 MHz * MULTIPLY / DIVIDE, and this is what they are told
    , parameter DIVIDE   = 5   // see MULTIPLY
    , parameter OUTPUT   = 10  // of rlc_ecp5_pll
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

    wire [1:0] irq;
    wire       busy, trouble, txd;
    rlc_serial #(
        `include "rlc_serial_args.vh"
        , .CLOCK_HZ(CLOCK_HZ)
    ) u_serial (.*, .rxd(ftdi_txd));

    reg [24:0] blink_q;
    initial blink_q = 25'd0;
    always @(posedge clk) begin
        blink_q <= blink_q + 25'd1;
        led     <= {blink_q[24], !ftdi_txd, !txd, busy, trouble, irq, locked};
    end
    assign ftdi_rxd   = txd;
    assign wifi_gpio0 = 1'b1;
endmodule
`default_nettype wire
