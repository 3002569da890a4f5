// rlc_uart_rx.v — receiver of an asynchronous serial line: one start bit, 8 data bits low first, no parity, one stop bit.
// SPDX-License-Identifier: Apache-2.0
//
// rxd         the line, idle high, asynchronous to clk; two flip-flops stand before anything else
// m_*         valid/ready; a byte is offered in the middle of its stop bit
// overrun     a pulse: a byte came while the one before was not taken; the new one is lost
// bad         a pulse: the stop bit was low (framing error); the byte is lost, and nothing is received until the line is
//             high again
// brk         high while the line has been low for 16 bits or more, which no byte is: a break
// noise       each bit is the majority of three samples around its middle, and a start bit that is high there is none
// tolerance   the sender's bits may be up to 4 % longer or shorter, with CLOCKS_PER_BIT >= 16
// reset       nothing is received until the line is high
`default_nettype none
`include "rlc_check.vh"
module rlc_uart_rx #(
    parameter CLOCKS_PER_BIT = 16  // clocks of a bit, 4..65535
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       rxd,
    output wire       m_valid,
    input  wire       m_ready,
    output wire [7:0] m_data,
    output reg        overrun,
    output reg        bad,
    output wire       brk
);
    `RLC_CHECK(CLOCKS_PER_BIT >= 4 && CLOCKS_PER_BIT <= 65535, rlc_uart_rx_illegal_CLOCKS_PER_BIT_must_be_4_to_65535)

    localparam CLOCK_BITS = $clog2(CLOCKS_PER_BIT + 1);
    localparam BREAK_BITS = $clog2(16 * CLOCKS_PER_BIT + 1);
    localparam [31:0] WHOLE   = CLOCKS_PER_BIT - 1;
    // The clock after the falling edge in which the last of the three samples is taken.
    localparam [31:0] HALF    = (CLOCKS_PER_BIT + 1) / 2 - 1;
    localparam [31:0] SIXTEEN = 16 * CLOCKS_PER_BIT;

    wire line;
    rlc_sync_level #(.STAGES(2), .INITIAL(1)) u_line (.clk(clk), .level_in(rxd), .level_out(line));

    reg [1:0]            before_q;  // the line in the two clocks before
    reg                  armed_q;   // the line was high since the last byte
    reg                  busy_q;
    reg [CLOCK_BITS-1:0] clocks_q;  // to the next vote
    reg [3:0]            place_q;   // 0: start bit, 1..8: data, 9: stop bit
    reg [7:0]            shift_q;
    reg                  valid_q;
    reg [7:0]            data_q;
    reg [BREAK_BITS-1:0] low_q;     // clocks that the line has been low, up to 16 bits

    wire vote   = (line && before_q[0]) || (line && before_q[1]) || (before_q[0] && before_q[1]);
    wire sample = busy_q && clocks_q == {CLOCK_BITS{1'b0}};
    wire stop   = sample && place_q == 4'd9;
    wire comes  = stop && vote;

    always @(posedge clk) begin
        before_q <= {before_q[0], line};
        if (rst) begin
            armed_q <= 1'b0;
            busy_q  <= 1'b0;
        end else if (!busy_q) begin
            armed_q <= line;
            busy_q  <= armed_q && !line;
        end else if (sample && (place_q == 4'd0 ? vote : stop)) begin
            busy_q  <= 1'b0;
            armed_q <= line;
        end
        if (!busy_q) begin
            clocks_q <= HALF[CLOCK_BITS-1:0];
            place_q  <= 4'd0;
        end else if (sample) begin
            clocks_q <= WHOLE[CLOCK_BITS-1:0];
            place_q  <= place_q + 4'd1;
            shift_q  <= {vote, shift_q[7:1]};
        end else begin
            clocks_q <= clocks_q - 1'b1;
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            valid_q   <= 1'b0;
            overrun   <= 1'b0;
            bad       <= 1'b0;
            low_q     <= {BREAK_BITS{1'b0}};
        end else begin
            valid_q   <= comes || (valid_q && !m_ready);
            overrun   <= comes && valid_q && !m_ready;
            bad       <= stop && !vote;
            if (line) low_q <= {BREAK_BITS{1'b0}};
            else if (low_q != SIXTEEN[BREAK_BITS-1:0]) low_q <= low_q + 1'b1;
        end
        if (comes && (!valid_q || m_ready)) data_q <= shift_q;
    end

    assign m_valid = valid_q;
    assign m_data  = data_q;
    assign brk     = low_q == SIXTEEN[BREAK_BITS-1:0];
endmodule
`default_nettype wire
