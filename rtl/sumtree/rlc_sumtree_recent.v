// rlc_sumtree_recent.v — the priority of a leaf whose update is still on its way to the leaf memory.
// SPDX-License-Identifier: Apache-2.0
//
// valid, index, given  an operation enters, and with valid it is an update
// hit, value           the priority of the youngest of the WINDOW operations before it that are updates of that index,
//                      WAIT+3 clocks later
`default_nettype none
module rlc_sumtree_recent #(
    parameter INDEX_WIDTH = 12, // bits of a slot's number
    parameter VALUE_WIDTH = 18, // bits of a priority
    parameter WINDOW      = 20, // clocks that an update is on its way, >= 1
    parameter WAIT        = 0   // clocks before the search, so that the answer comes when it is wanted, >= 0
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   valid,
    input  wire [INDEX_WIDTH-1:0] index,
    input  wire [VALUE_WIDTH-1:0] given,
    output wire                   hit,
    output wire [VALUE_WIDTH-1:0] value
);
    // Clock 0 is the clock of the search. Entry d is d clocks older than the operation that searches.
    wire                              valid_s0;
    wire [INDEX_WIDTH-1:0]            index_s0;
    wire [VALUE_WIDTH-1:0]            given_s2;
    wire [WINDOW:0]                   valid_at;
    wire [(WINDOW+1)*INDEX_WIDTH-1:0] index_at;
    wire [(WINDOW+1)*VALUE_WIDTH-1:0] given_at;  // two clocks later
    rlc_delay #(.WIDTH(1+INDEX_WIDTH), .CLOCKS(WAIT)) u_wait (
        .clk(clk), .d({valid && !rst, index}), .q({valid_s0, index_s0})
    );
    rlc_delay #(.WIDTH(VALUE_WIDTH), .CLOCKS(WAIT+2)) u_given (.clk(clk), .d(given), .q(given_s2));
    rlc_sumtree_line #(.WIDTH(1), .TAPS(WINDOW+1)) u_valid_at (.clk(clk), .rst(rst), .d(valid_s0), .q(valid_at));
    rlc_sumtree_line #(.WIDTH(INDEX_WIDTH), .TAPS(WINDOW+1)) u_index_at (
        .clk(clk), .rst(rst), .d(index_s0), .q(index_at)
    );
    rlc_sumtree_line #(.WIDTH(VALUE_WIDTH), .TAPS(WINDOW+1)) u_given_at (
        .clk(clk), .rst(rst), .d(given_s2), .q(given_at)
    );

    // Clock 0: compare with all of them.
    reg [WINDOW:1] match_s1;
    genvar d;
    for (d = 1; d <= WINDOW; d = d + 1) begin : g_match
        always @(posedge clk) match_s1[d] <= valid_at[d] && index_at[d*INDEX_WIDTH +: INDEX_WIDTH] == index_s0;
    end

    // Clock 1: the youngest is the lowest bit that is set.
    reg [WINDOW:1] first_s2;
    always @(posedge clk) first_s2 <= match_s1 & ~(match_s1 - 1'b1);

    // Clock 2: its priority.
    reg [VALUE_WIDTH-1:0] value_d;
    integer k;
    always @* begin
        value_d = {VALUE_WIDTH{1'b0}};
        for (k = 1; k <= WINDOW; k = k + 1)
            value_d = value_d | ({VALUE_WIDTH{first_s2[k]}} & given_at[k*VALUE_WIDTH +: VALUE_WIDTH]);
    end
    reg                   hit_s3;
    reg [VALUE_WIDTH-1:0] value_s3;
    always @(posedge clk) begin
        hit_s3   <= |first_s2;
        value_s3 <= value_d;
    end
    assign hit   = hit_s3;
    assign value = value_s3;
endmodule
`default_nettype wire
