// rlc_ulx3s.v — top for the ULX3S: rlc_serial on the board's USB serial port.
// SPDX-License-Identifier: Apache-2.0
//
// ROWS … WAIT_LOG2   those of rlc_serial, handed through
// MULTIPLY, DIVIDE, OUTPUT  those of rlc_ecp5_pll: the cores' clock is 25 MHz * MULTIPLY / DIVIDE
//
// clk_25mhz   the board's oscillator
// ftdi_txd    from the USB serial chip; ftdi_rxd to it
// btn_reset   FIRE1, active high: resets everything
// led         7: a blink while the clock runs, 6: a byte comes, 5: a byte goes, 4: a command is carried out,
//             3: the last frame was bad, 2: interrupt of the sum tree, 1: of the GAE core, 0: the PLL is locked
// wifi_gpio0  high, which keeps the ESP32 from its boot loader
`default_nettype none
module rlc_ulx3s #(
    parameter ROWS             = 4,
    parameter LANES            = 8,
    parameter DEPTH            = 16,
    parameter LOOKAHEAD        = 2,
    parameter INTERLEAVE       = 1,
    parameter SPAN             = 4,
    parameter QBITS            = 8,
    parameter OUT_BITS         = 8,
    parameter BEAT             = 2,
    parameter LEAVES_LOG2      = 6,
    parameter RADIX_LOG2       = 2,
    parameter CAPACITY         = 50,
    parameter PRIORITY_WIDTH   = 8,
    parameter DRAW_WIDTH       = 16,
    parameter GENERATION_WIDTH = 3,
    parameter SHARED           = 0,
    parameter HEAD_STYLE       = 2,
    parameter HEAD_LATENCY     = 2,
    parameter NARROW_STYLE     = 2,
    parameter NARROW_LATENCY   = 2,
    parameter WIDE_STYLE       = 2,
    parameter WIDE_LATENCY     = 2,
    parameter BYPASS           = 0,
    parameter ADDS             = 2,
    parameter PRIORITY_MATHS   = 1,
    parameter BATCH_MAX        = 16,
    parameter WORDS            = 32,
    parameter CLOCKS_PER_BIT   = 8,
    parameter GAP_LOG2         = 9,
    parameter WAIT_LOG2        = 6,
    parameter MULTIPLY         = 12,
    parameter DIVIDE           = 5,
    parameter OUTPUT           = 10
) (
    input  wire       clk_25mhz,
    input  wire       btn_reset,
    input  wire       ftdi_txd,
    output wire       ftdi_rxd,
    output wire [7:0] led,
    output wire       wifi_gpio0
);
    localparam CLOCK_HZ = 25000000 / DIVIDE * MULTIPLY;

    wire clk;
    wire locked;
    rlc_ecp5_pll #(.MULTIPLY(MULTIPLY), .DIVIDE(DIVIDE), .OUTPUT(OUTPUT)) u_pll (
        .clk_in(clk_25mhz), .clk_out(clk), .locked(locked)
    );

    wire rst;
    rlc_reset_sync #(.STAGES(3)) u_reset (.clk(clk), .rst_in(btn_reset || !locked), .rst_out(rst));

    wire [1:0] irq;
    wire       busy, trouble, txd;
    rlc_serial #(
        .ROWS(ROWS), .LANES(LANES), .DEPTH(DEPTH), .LOOKAHEAD(LOOKAHEAD), .INTERLEAVE(INTERLEAVE), .SPAN(SPAN),
        .QBITS(QBITS), .OUT_BITS(OUT_BITS), .BEAT(BEAT), .LEAVES_LOG2(LEAVES_LOG2), .RADIX_LOG2(RADIX_LOG2),
        .CAPACITY(CAPACITY), .PRIORITY_WIDTH(PRIORITY_WIDTH), .DRAW_WIDTH(DRAW_WIDTH),
        .GENERATION_WIDTH(GENERATION_WIDTH), .SHARED(SHARED), .HEAD_STYLE(HEAD_STYLE), .HEAD_LATENCY(HEAD_LATENCY),
        .NARROW_STYLE(NARROW_STYLE), .NARROW_LATENCY(NARROW_LATENCY), .WIDE_STYLE(WIDE_STYLE),
        .WIDE_LATENCY(WIDE_LATENCY), .BYPASS(BYPASS), .ADDS(ADDS), .PRIORITY_MATHS(PRIORITY_MATHS),
        .BATCH_MAX(BATCH_MAX), .WORDS(WORDS), .CLOCKS_PER_BIT(CLOCKS_PER_BIT), .GAP_LOG2(GAP_LOG2),
        .WAIT_LOG2(WAIT_LOG2),
        .CLOCK_HZ(CLOCK_HZ)
    ) u_serial (
        .clk(clk), .rst(rst), .rxd(ftdi_txd), .txd(txd), .irq(irq), .busy(busy), .trouble(trouble)
    );

    reg [24:0] blink_q;
    reg [7:0]  led_q;
    initial blink_q = 25'd0;
    always @(posedge clk) begin
        blink_q <= blink_q + 25'd1;
        led_q   <= {blink_q[24], !ftdi_txd, !txd, busy, trouble, irq, locked};
    end
    assign led        = led_q;
    assign ftdi_rxd   = txd;
    assign wifi_gpio0 = 1'b1;
endmodule
`default_nettype wire
