// rlc_heppo_reset.v — one reset for two clocks, so that both sides of every crossing forget together.
// SPDX-License-Identifier: Apache-2.0
//
// rst       synchronous to clk; one clock is enough, and it may come again at any time
// bus_rst   for what runs on clk: high from the clock of rst (and from power-up) until the core is out of its own
//           reset again
// core_rst  for what runs on core_clk: both edges synchronous to it; lasts until the synchronisers of either side hold
//           what the other side's reset set
// time      about 2*STAGES + 3 clocks of each side; core_clk must run, or bus_rst does not fall
`default_nettype none
module rlc_heppo_reset #(
    parameter STAGES = 2  // flip-flops in each synchroniser, 2..4
) (
    input  wire clk,
    input  wire rst,
    output wire bus_rst,
    input  wire core_clk,
    output wire core_rst
);
    // Request and acknowledgement take turns, four phases: hold up, seen up, hold down, seen down.
    reg  hold_q;
    reg  run_q;
    wire seen;  // the core is in reset

    initial hold_q = 1'b1;
    initial run_q  = 1'b0;

    assign bus_rst = rst || !run_q;

    always @(posedge clk) begin
        if (hold_q) begin
            if (seen && !rst) hold_q <= 1'b0;
        end else if (!run_q) begin
            // rst in this phase asks for what was just done: nothing was taken since.
            if (!seen) run_q <= 1'b1;
        end else if (rst) begin
            hold_q <= 1'b1;
            run_q  <= 1'b0;
        end
    end

    // hold_q stays until it was seen, so a level is enough.
    rlc_sync_level #(.STAGES(STAGES), .INITIAL(1)) u_core (.clk(core_clk), .level_in(hold_q), .level_out(core_rst));

    // Every pointer of either side is 0 while this goes there and back, and takes no longer to cross than this does.
    rlc_sync_level #(.STAGES(STAGES)) u_seen (.clk(clk), .level_in(core_rst), .level_out(seen));
endmodule
`default_nettype wire
