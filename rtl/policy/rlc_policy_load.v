// rlc_policy_load.v — a host's stream of weights, one per beat, as groups on the weight port.
// SPDX-License-Identifier: Apache-2.0
//
// s_*        sets in a row, never stalled. A set is LOGS log-deviations, then the weights of each layer in the order of
//            docs/learner_update.md, sfix(27,22) in the low bits
// w_*        as the policy core's ports: a group comes one clock after its last weight
// w_log_std  those of a set, from its first group to the next set's first one
`default_nettype none
`include "rlc_learner_ports.vh"
module rlc_policy_load #(
    parameter [1023:0] SIZES       = "4-8-8-2", // as the policy core's, and so are the next three
    parameter [1023:0] LANES       = "4-4-4-2", // elements of each layer that travel in one word
    parameter [1023:0] UPDATE_ROWS = "4-4-2",   // outputs of a group
    parameter [1023:0] UPDATE_COLS = "1-2-1",   // inputs of a group
    parameter LOGS    = 0, // log-deviations of a set
    parameter LAYERS  = 3, // of weights
    parameter WEIGHTS = 8, // of a group, at most
    parameter DIMS    = 2  // outputs of the network
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire                         s_valid,
    input  wire [26:0]                  s_data,
    output wire [LAYERS-1:0]            w_valid,
    output wire [LAYERS*WEIGHTS*27-1:0] w_data,
    output wire [DIMS*27-1:0]           w_log_std
);
    `include "rlc_learner_defs.vh"

    // Whose beat it is: place 0 is the log-deviations, place l layer l.
    reg  [LAYERS:0] place_q;
    wire [LAYERS:0] here_last, group_last;
    wire            end_of_place = |(place_q & here_last);
    localparam [LAYERS:0] FIRST = (LOGS != 0) ? 1 : 2;
    wire [LAYERS:0] after = place_q[LAYERS] ? FIRST : place_q << 1;
    always @(posedge clk)
        if (rst)                          place_q <= FIRST;
        else if (s_valid && end_of_place) place_q <= after;

    // A group is whole with its last weight, the first one lowest.
    reg  [WEIGHTS*27-1:0]     held_q;
    wire [(WEIGHTS+1)*27-1:0] shifted = {s_data, held_q};
    reg  [LAYERS:1]           valid_q;
    always @(posedge clk) begin
        if (s_valid) held_q <= shifted[(WEIGHTS+1)*27-1:27];
        valid_q <= (rst || !s_valid) ? {LAYERS{1'b0}} : place_q[LAYERS:1] & group_last[LAYERS:1];
    end
    assign w_valid = valid_q;
    wire unused_low = &{1'b0, shifted[26:0], group_last[0]};

    genvar l;
    for (l = 1; l <= LAYERS; l = l + 1) begin : g_layer
        localparam JB     = field(UPDATE_ROWS, l - 1);
        localparam IB     = field(UPDATE_COLS, l - 1);
        localparam ROWS   = words(field(SIZES, l), field(LANES, l)) * field(LANES, l) / JB;
        localparam COLS   = words(field(SIZES, l - 1), field(LANES, l - 1)) * field(LANES, l - 1) / IB;
        localparam GROUPS = ROWS * (COLS + 1);
        wire in_place = s_valid && place_q[l];
        wire in_group, in_layer;
        rlc_mod_counter #(.COUNT(JB * IB)) u_weight (
            .clk(clk), .restart(rst), .step(in_place), .at(), .last(in_group)
        );
        rlc_mod_counter #(.COUNT(GROUPS)) u_group (
            .clk(clk), .restart(rst), .step(in_place && in_group), .at(), .last(in_layer)
        );
        assign group_last[l] = in_group;
        assign here_last[l]  = in_group && in_layer;
        wire [2*WEIGHTS*27-1:0] above = {{(WEIGHTS*27){1'b0}}, held_q};
        assign w_data[(l-1)*WEIGHTS*27 +: WEIGHTS*27] = above[(WEIGHTS-JB*IB)*27 +: WEIGHTS*27];
        wire unused = &{1'b0, above};
    end

    // The log-deviations come first, but the ones before count until the set is complete, which is one clock after its last
    // group: the first group of the next set is later than that.
    assign group_last[0] = 1'b0;
    if (LOGS != 0) begin : g_logs
        wire                last;
        reg                 fresh_q;
        reg  [LOGS*27-1:0]  coming_q, logs_q;
        wire [LOGS*27+26:0] joined = {s_data, coming_q};
        rlc_mod_counter #(.COUNT(LOGS)) u_log (
            .clk(clk), .restart(rst), .step(s_valid && place_q[0]), .at(), .last(last)
        );
        assign here_last[0] = last;
        always @(posedge clk) begin
            if (s_valid && place_q[0]) coming_q <= joined[LOGS*27+26:27];
            fresh_q <= !rst && ((s_valid && place_q[0]) || (fresh_q && valid_q == {LAYERS{1'b0}}));
            if (fresh_q && valid_q != {LAYERS{1'b0}}) logs_q <= coming_q;
        end
        assign w_log_std = logs_q;
        wire unused = &{1'b0, joined[26:0]};
    end else begin : g_none
        assign here_last[0] = 1'b0;
        assign w_log_std    = {(DIMS*27){1'b0}};
    end
endmodule
`default_nettype wire
