// rlc_agent_blocks.v — counts events in blocks: rounds of N_ENVS events each.
// SPDX-License-Identifier: Apache-2.0
//
// clear       the next event is the first of a block
// step        an event; cfg_rounds rounds, at least 1, are a block; it changes only with clear
// ends        high with the last event of a block
// begun      a block has begun
`default_nettype none
module rlc_agent_blocks #(
    parameter N_ENVS = 16 // events a round, >= 1
) (
    input  wire        clk,
    input  wire        clear,
    input  wire        step,
    input  wire [15:0] cfg_rounds,
    output wire        ends,
    output wire        begun
);
    localparam WIDTH = (N_ENVS > 1) ? $clog2(N_ENVS) : 1;
    localparam [31:0] LAST = N_ENVS - 1;

    reg  [WIDTH-1:0] env_q;
    reg  [15:0]      round_q;    // rounds behind this one
    reg              begun_q;
    wire             turn = env_q == LAST[WIDTH-1:0];
    assign ends   = step && turn && round_q == 16'd0;
    assign begun = begun_q;
    always @(posedge clk) begin
        if (clear || ends) begin
            env_q    <= {WIDTH{1'b0}};
            round_q  <= cfg_rounds - 16'd1;
            begun_q <= 1'b0;
        end else if (step) begin
            env_q    <= turn ? {WIDTH{1'b0}} : env_q + 1'b1;
            round_q  <= round_q - {15'd0, turn};
            begun_q <= 1'b1;
        end
    end
endmodule
`default_nettype wire
