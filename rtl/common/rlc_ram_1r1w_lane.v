// rlc_ram_1r1w_lane.v — rlc_ram_1r1w with a write enable for every lane of a word.
//
// LANES         lanes a word, >= 1
// LANE_WIDTH    bits a lane, >= 1; 8 or 9 fills the byte enables of a block RAM
// DEPTH         words, >= 2; an address >= DEPTH is the caller's error
// READ_LATENCY  1..3 clocks from rd_en to rd_data
// STYLE         "auto", "block", "ultra" or "distributed": the kind of memory asked of synthesis
// READ_ANY      0: see collision; 1: a colliding read is undefined in hardware, which spares the logic that
//               a family without read-before-write RAM (ECP5) needs for it
// ADDR_WIDTH    derived; leave it alone
//
// wr_en         bit i writes lane i, which is wr_data[i*LANE_WIDTH +: LANE_WIDTH]
// rd_data       the word read READ_LATENCY clocks ago; holds while nothing newer was read
// collision     a read and a write of one address on the same edge: the read returns the OLD word
// throughput    one read and one write a clock
// reset         none: contents and rd_data are undefined until written
`default_nettype none
module rlc_ram_1r1w_lane #(
    parameter LANES        = 4,
    parameter LANE_WIDTH   = 8,
    parameter DEPTH        = 16,
    parameter READ_LATENCY = 1,
    parameter STYLE        = "auto",
    parameter READ_ANY     = 0,
    parameter ADDR_WIDTH   = $clog2(DEPTH)
) (
    input  wire                        clk,
    input  wire [LANES-1:0]            wr_en,
    input  wire [ADDR_WIDTH-1:0]       wr_addr,
    input  wire [LANES*LANE_WIDTH-1:0] wr_data,
    input  wire                        rd_en,
    input  wire [ADDR_WIDTH-1:0]       rd_addr,
    output wire [LANES*LANE_WIDTH-1:0] rd_data
);
    localparam WIDTH = LANES * LANE_WIDTH;

    rlc_param_check #(.OK(LANES >= 1), .MESSAGE("rlc_ram_1r1w_lane: LANES must be at least 1")) u_check_lanes ();
    rlc_param_check #(
        .OK(LANE_WIDTH >= 1), .MESSAGE("rlc_ram_1r1w_lane: LANE_WIDTH must be at least 1")
    ) u_check_lane_width ();
    rlc_param_check #(.OK(DEPTH >= 2), .MESSAGE("rlc_ram_1r1w_lane: DEPTH must be at least 2")) u_check_depth ();
    rlc_param_check #(
        .OK(READ_LATENCY >= 1 && READ_LATENCY <= 3), .MESSAGE("rlc_ram_1r1w_lane: READ_LATENCY must be 1, 2 or 3")
    ) u_check_latency ();
    rlc_param_check #(
        .OK(STYLE == "auto" || STYLE == "block" || STYLE == "ultra" || STYLE == "distributed"),
        .MESSAGE("rlc_ram_1r1w_lane: STYLE must be auto, block, ultra or distributed")
    ) u_check_style ();
    rlc_param_check #(
        .OK(READ_ANY == 0 || READ_ANY == 1), .MESSAGE("rlc_ram_1r1w_lane: READ_ANY must be 0 or 1")
    ) u_check_read_any ();

    // no_rw_check is Yosys' word for READ_ANY.
    (* ram_style = STYLE, no_rw_check = READ_ANY *)
    reg [WIDTH-1:0] mem [0:DEPTH-1];
    reg [WIDTH-1:0] read_s1;

    // Non-blocking on both sides is what makes a colliding read return the old word.
    // Icarus takes no empty part select, so an illegal LANE_WIDTH has a stand-in until the check ends the run.
    localparam STEP = (LANE_WIDTH >= 1) ? LANE_WIDTH : 1;
    integer lane;
    always @(posedge clk) begin
        for (lane = 0; lane < LANES; lane = lane + 1)
            if (wr_en[lane])
                mem[wr_addr][lane*STEP +: STEP] <= wr_data[lane*STEP +: STEP];
        if (rd_en) read_s1 <= mem[rd_addr];
    end

    // Free-running output registers: a held word stays held, only later.
    generate
        if (READ_LATENCY <= 1) begin : g_latency1
            assign rd_data = read_s1;
        end else if (READ_LATENCY == 2) begin : g_latency2
            reg [WIDTH-1:0] read_s2;
            always @(posedge clk) read_s2 <= read_s1;
            assign rd_data = read_s2;
        end else begin : g_latency3
            reg [WIDTH-1:0] read_s2;
            reg [WIDTH-1:0] read_s3;
            always @(posedge clk) begin
                read_s2 <= read_s1;
                read_s3 <= read_s2;
            end
            assign rd_data = read_s3;
        end
    endgenerate
endmodule
`default_nettype wire
