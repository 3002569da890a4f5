// rlc_learns_text.v — numbers as decimal text on a serial line, below a title.
// SPDX-License-Identifier: Apache-2.0
//
// title        pulse while `ready`: the title is sent, and the end of the line
// s_*          valid/ready: a number, right-aligned in `digits` characters (1..13), and then the end of the line if last, a
//              space if not. A number that is too long loses its first digits
// end of line  carriage return and line feed
// txd          to the line, by rlc_uart_tx
`default_nettype none
`include "rlc_check.vh"
module rlc_learns_text #(
    parameter CLOCKS_PER_BIT  = 16,      // of the line
    parameter LETTERS         = 5,       // characters of the title
    parameter [8*LETTERS-1:0] TITLE = "title" // what stands above the numbers
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        title,
    output wire        ready,
    input  wire        s_valid,
    output wire        s_ready,
    input  wire [39:0] s_data,
    input  wire [3:0]  s_digits,
    input  wire        s_last,
    output wire        txd
);
    `RLC_CHECK(LETTERS >= 1 && LETTERS <= 255, rlc_learns_text_illegal_LETTERS_must_be_1_to_255)

    localparam REST = 0, NAME = 1, SHIFT = 2, WRITE = 3, RETURN = 4, FEED = 5;
    localparam [31:0] LETTERS_32 = LETTERS;
    reg  [5:0]           at_q;           // one-hot
    reg  [7:0]           remaining_q;    // letters, shifts, or digits to go; the last of them is 1
    reg  [8*LETTERS-1:0] title_q;
    reg  [39:0]          binary_q;
    reg  [51:0]          digits_q;       // 13 digits
    reg  [3:0]           width_q;
    reg                  last_q, shown_q;   // shown: a digit of the number that is not a leading zero has been sent
    wire                 sent;
    wire                 taken = s_valid && s_ready;
    wire                 final_one = remaining_q == 8'd1;

    // A digit of 5 and more is 3 more before it is doubled, so that it carries at ten.
    wire [51:0] doubled;
    genvar k;
    generate
        for (k = 0; k < 13; k = k + 1) begin : g_digit
            wire [3:0] digit = digits_q[4*k +: 4];
            assign doubled[4*k +: 4] = (digit >= 4'd5) ? digit + 4'd3 : digit;
        end
    endgenerate

    wire [3:0] digit = digits_q[51:48];
    wire       blank = digit == 4'd0 && !shown_q && remaining_q != 8'd2; // its last digit is shown in any case
    wire [7:0] letter = at_q[NAME]   ? title_q[8*LETTERS-1 -: 8] :
                        at_q[RETURN] ? 8'h0d :
                        at_q[FEED]   ? 8'h0a :
                        (blank || final_one) ? 8'h20 : {4'h3, digit};
    wire       sends = at_q[NAME] || at_q[WRITE] || at_q[RETURN] || at_q[FEED];

    always @(posedge clk) begin
        if (rst) at_q <= 6'd1 << REST;
        else if (at_q[REST]) begin
            if (title)      at_q <= 6'd1 << NAME;
            else if (taken) at_q <= 6'd1 << SHIFT;
        end else if (at_q[SHIFT]) begin
            if (final_one)  at_q <= 6'd1 << WRITE;
        end else if (sent) begin
            if (at_q[NAME] && final_one)  at_q <= 6'd1 << RETURN;
            if (at_q[WRITE] && (last_q ? remaining_q == 8'd2 : final_one)) at_q <= 6'd1 << (last_q ? RETURN : REST);
            if (at_q[RETURN])             at_q <= 6'd1 << FEED;
            if (at_q[FEED])               at_q <= 6'd1 << REST;
        end
    end
    always @(posedge clk) begin
        if (at_q[REST]) begin
            title_q     <= TITLE;
            binary_q    <= s_data;
            digits_q    <= 52'd0;
            width_q     <= s_digits;
            last_q      <= s_last;
            shown_q     <= 1'b0;
            remaining_q <= title ? LETTERS_32[7:0] : 8'd53 - {4'd0, s_digits};
        end else if (at_q[SHIFT]) begin
            // 40 doublings, then the first of `width` digits is brought to the top.
            if (remaining_q > 8'd13 - {4'd0, width_q}) {digits_q, binary_q} <= {doubled[50:0], binary_q, 1'b0};
            else digits_q <= {digits_q[47:0], 4'd0};
            remaining_q <= final_one ? {4'd0, width_q} + 8'd1 : remaining_q - 8'd1;
        end else if (sent) begin
            remaining_q <= remaining_q - 8'd1;
            title_q     <= title_q << 8;
            digits_q    <= {digits_q[47:0], 4'd0};
            shown_q     <= shown_q || digit != 4'd0;
        end
    end

    wire unused = &{1'b0, doubled[51]};   // 40 bits have 13 digits, none of which carries

    wire uart_ready;
    assign sent    = sends && uart_ready;
    assign ready   = at_q[REST];
    assign s_ready = at_q[REST] && !title;
    rlc_uart_tx #(.CLOCKS_PER_BIT(CLOCKS_PER_BIT)) u_line (
        .clk(clk), .rst(rst), .s_valid(sends), .s_ready(uart_ready), .s_data(letter), .txd(txd)
    );
endmodule
`default_nettype wire
