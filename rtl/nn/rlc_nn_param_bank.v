// rlc_nn_param_bank.v — one number of every weight, a group a word, read and written in order from the first.
// SPDX-License-Identifier: Apache-2.0
//
// restart   both orders begin at group `first`
// rd_data   the next group in order, 2 clocks after rd_en
// wr_en     writes the next group in order
// throughput  one group read and one written a clock
// reset     none: the contents are undefined until written
`default_nettype none
`include "rlc_check.vh"
module rlc_nn_param_bank #(
    parameter WIDTH  = 27, // bits a group
    parameter GROUPS = 16, // how many groups; `first` reaches 65,536 of them
    parameter STYLE  = 0   // of the memory, RLC_STYLE
) (
    input  wire             clk,
    input  wire             restart,
    input  wire [15:0]      first,
    input  wire             rd_en,
    output wire [WIDTH-1:0] rd_data,
    input  wire             wr_en,
    input  wire [WIDTH-1:0] wr_data
);
    localparam ADDR = (GROUPS > 1) ? $clog2(GROUPS) : 1;
    wire [31:0]    begin_at = {16'd0, first};
    reg [ADDR-1:0] rd_addr_q, wr_addr_q;
    always @(posedge clk) begin
        if (restart)    rd_addr_q <= begin_at[ADDR-1:0];
        else if (rd_en) rd_addr_q <= rd_addr_q + 1'b1;
        if (restart)    wr_addr_q <= begin_at[ADDR-1:0];
        else if (wr_en) wr_addr_q <= wr_addr_q + 1'b1;
    end

    wire unused = &{1'b0, begin_at};

    // A group is read before it is written, or only written or only read: no address is both at once.
    rlc_ram_1r1w #(.WIDTH(WIDTH), .DEPTH(GROUPS), .READ_LATENCY(2), .STYLE(`RLC_STYLE(STYLE)), .READ_ANY(1)) u_ram (
        .clk(clk), .wr_en(wr_en), .wr_addr(wr_addr_q), .wr_data(wr_data),
        .rd_en(rd_en), .rd_addr(rd_addr_q), .rd_data(rd_data)
    );
endmodule
`default_nettype wire
