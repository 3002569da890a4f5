// rlc_env_acrobot_inverse.v — Acrobot's F = 1 / (2.8125 - cos(theta2)²/4), by table and linear interpolation.
// SPDX-License-Identifier: Apache-2.0
//
// cosine     sfix(27,25), -1.0 .. 1.0
// f          sfix(27,27), rounded. Bit-exact model: rlcores.cores.env.acrobot
// latency    10 clocks, one per clock, no stall, no reset
// cost       three DSP slices, one table of 512 x 36 (rlc_env_acrobot_rom)
`default_nettype none
module rlc_env_acrobot_inverse (
    input  wire               clk,
    input  wire signed [26:0] cosine,
    output wire signed [26:0] f
);
    // Stages 1 to 4: the square. Stage 5: its segment; 1.0 is the end of the last one.
    wire signed [28:0] square_s4;
    rlc_smul #(.A_WIDTH(27), .B_WIDTH(27), .DROP(25)) u_square (.clk(clk), .a(cosine), .b(cosine), .p(square_s4));
    reg [8:0]  segment_s5;
    reg [16:0] rest_s5;
    always @(posedge clk) begin
        segment_s5 <= square_s4[25] ? 9'd511 : square_s4[24:16];
        rest_s5    <= square_s4[25] ? 17'h10000 : {1'b0, square_s4[15:0]};
    end

    // Stages 6, 7: table.
    wire [35:0] row;
    wire [16:0] rest_s7;
    rlc_env_acrobot_rom u_rom (.clk(clk), .addr(segment_s5), .data(row));
    rlc_delay #(.WIDTH(17), .CLOCKS(2)) u_rest (.clk(clk), .d(rest_s5), .q(rest_s7));

    // Stages 8, 9: node + step * rest, with 44 fraction bits, and half a unit. Stage 10: what the table is above.
    wire signed [15:0] step   = {4'b0100, row[11:0]};
    wire signed [17:0] rest   = {1'b0, rest_s7};
    wire signed [41:0] addend = {2'b00, row[35:12], 16'h0000} + 42'h10000;
    wire signed [41:0] sum;
    rlc_mac #(.A_WIDTH(16), .B_WIDTH(18), .C_WIDTH(42), .P_WIDTH(42)) u_mac (
        .clk(clk), .a(step), .b(rest), .c(addend), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(sum)
    );
    reg signed [26:0] f_s10;
    always @(posedge clk) f_s10 <= 27'sd46137344 + {3'b000, sum[40:17]};
    assign f = f_s10;

    wire unused = &{1'b0, square_s4[28:26], sum[41], sum[16:0]};
endmodule
`default_nettype wire
