// rlc_ram_1r1w.v — RAM with one write port and one read port on one clock; the read is synchronous.
//
// WIDTH         bits a word, >= 1
// DEPTH         words, >= 2; an address >= DEPTH is the caller's error
// READ_LATENCY  1..3 clocks from rd_en to rd_data
// STYLE         "auto", "block", "ultra" or "distributed": the kind of memory asked of synthesis
// READ_ANY      0: see collision; 1: a colliding read is undefined in hardware, which spares the logic that
//               a family without read-before-write RAM (ECP5) needs for it
// ADDR_WIDTH    derived; leave it alone
//
// rd_data       the word read READ_LATENCY clocks ago; holds while nothing newer was read
// collision     a read and a write of one address on the same edge: the read returns the OLD word
// throughput    one read and one write a clock
// reset         none: contents and rd_data are undefined until written
`default_nettype none
module rlc_ram_1r1w #(
    parameter WIDTH        = 8,
    parameter DEPTH        = 16,
    parameter READ_LATENCY = 1,
    parameter STYLE        = "auto",
    parameter READ_ANY     = 0,
    parameter ADDR_WIDTH   = $clog2(DEPTH)
) (
    input  wire                  clk,
    input  wire                  wr_en,
    input  wire [ADDR_WIDTH-1:0] wr_addr,
    input  wire [WIDTH-1:0]      wr_data,
    input  wire                  rd_en,
    input  wire [ADDR_WIDTH-1:0] rd_addr,
    output wire [WIDTH-1:0]      rd_data
);
    rlc_param_check #(.OK(WIDTH >= 1), .MESSAGE("rlc_ram_1r1w: WIDTH must be at least 1")) u_check_width ();
    rlc_param_check #(.OK(DEPTH >= 2), .MESSAGE("rlc_ram_1r1w: DEPTH must be at least 2")) u_check_depth ();
    rlc_param_check #(
        .OK(READ_LATENCY >= 1 && READ_LATENCY <= 3), .MESSAGE("rlc_ram_1r1w: READ_LATENCY must be 1, 2 or 3")
    ) u_check_latency ();
    rlc_param_check #(
        .OK(STYLE == "auto" || STYLE == "block" || STYLE == "ultra" || STYLE == "distributed"),
        .MESSAGE("rlc_ram_1r1w: STYLE must be auto, block, ultra or distributed")
    ) u_check_style ();
    rlc_param_check #(
        .OK(READ_ANY == 0 || READ_ANY == 1), .MESSAGE("rlc_ram_1r1w: READ_ANY must be 0 or 1")
    ) u_check_read_any ();

    // no_rw_check is Yosys' word for READ_ANY.
    (* ram_style = STYLE, no_rw_check = READ_ANY *)
    reg [WIDTH-1:0] mem [0:DEPTH-1];
    reg [WIDTH-1:0] read_s1;

    // Non-blocking on both sides is what makes a colliding read return the old word.
    always @(posedge clk) begin
        if (wr_en) mem[wr_addr] <= wr_data;
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
