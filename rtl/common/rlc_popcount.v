// rlc_popcount.v — number of ones in a word, as a registered adder tree.
//
// WIDTH      bits counted, >= 1
// latency    LATENCY = 1 + ceil(log2(WIDTH/6)) clocks for more than 6 bits, else 1; one word a clock
// reset      none
`default_nettype none
module rlc_popcount #(
    parameter WIDTH       = 64,
    parameter COUNT_WIDTH = $clog2(WIDTH + 1)
) (
    input  wire                   clk,
    input  wire [WIDTH-1:0]       d,
    output wire [COUNT_WIDTH-1:0] count
);
    generate
        if (WIDTH <= 6) begin : g_leaf
            reg [COUNT_WIDTH-1:0] ones;
            reg [COUNT_WIDTH-1:0] count_q;
            integer i;
            always @* begin
                ones = {COUNT_WIDTH{1'b0}};
                for (i = 0; i < WIDTH; i = i + 1) ones = ones + {{(COUNT_WIDTH-1){1'b0}}, d[i]};
            end
            always @(posedge clk) count_q <= ones;
            assign count = count_q;
        end else begin : g_node
            // Left gets a power-of-two multiple of 6, so that both halves are balanced or the right is delayed.
            localparam LEVELS = $clog2((WIDTH + 5) / 6);
            localparam LEFT   = 6 << (LEVELS - 1);
            localparam RIGHT  = WIDTH - LEFT;
            localparam LEFT_WIDTH   = $clog2(LEFT + 1);
            localparam RIGHT_WIDTH  = $clog2(RIGHT + 1);
            localparam RIGHT_LEVELS = $clog2((RIGHT + 5) / 6);
            wire [LEFT_WIDTH-1:0]  left;
            wire [RIGHT_WIDTH-1:0] right, right_late;
            reg  [COUNT_WIDTH-1:0] count_q;
            rlc_popcount #(.WIDTH(LEFT)) u_left (.clk(clk), .d(d[LEFT-1:0]), .count(left));
            rlc_popcount #(.WIDTH(RIGHT)) u_right (.clk(clk), .d(d[WIDTH-1:LEFT]), .count(right));
            rlc_delay #(.WIDTH(RIGHT_WIDTH), .CLOCKS(LEVELS - 1 - RIGHT_LEVELS)) u_late (
                .clk(clk), .d(right), .q(right_late)
            );
            always @(posedge clk) count_q <= left + right_late;
            assign count = count_q;
        end
    endgenerate
endmodule
`default_nettype wire
