// rlc_policy_versions.v — two versions of the weights: passes use one, a new set is written over the other.
// SPDX-License-Identifier: Apache-2.0
//
// w_valid     one bit per layer: a group of weights comes; w_last: it is its layer's last one. A set is every layer once, in
//             any order; the first group after a complete set begins the next
// w_abort     forgets a set that has begun. No group may come in that clock
// w_bank      the version that a set is written to; w_take: one bit per layer, the group is written
// taken, dropped   pulses: a set is complete and now active; a set was left out as a whole, because passes still used the
//             version that it would have overwritten
// loaded      there is a set to act with
// enter, leave, leave_bank   pulses: a pass enters (only while loaded); a pass of version leave_bank has used its last weight
// active      the version that a pass uses which enters now
// proof       verif/policy/formal/rlc_policy_versions.sby: no version is written while a pass uses it; a version is active
//             only when every layer of one set has been written into it, and nothing else since
`default_nettype none
`include "rlc_check.vh"
module rlc_policy_versions #(
    parameter LAYERS = 3, // layers of weights, 1 to 4
    parameter PASSES = 8  // passes that may be inside at a time, >= 1
) (
    input  wire              clk,
    input  wire              rst,
    input  wire [LAYERS-1:0] w_valid,
    input  wire [LAYERS-1:0] w_last,
    input  wire              w_abort,
    output wire              w_bank,
    output wire [LAYERS-1:0] w_take,
    output reg               taken,
    output reg               dropped,
    output wire              loaded,
    input  wire              enter,
    input  wire              leave,
    input  wire              leave_bank,
    output wire              active
);
    `RLC_CHECK(LAYERS >= 1 && PASSES >= 1, rlc_policy_versions_illegal_LAYERS_and_PASSES_must_be_at_least_1)
    localparam COUNT = $clog2(PASSES + 1);

    reg              active_q, loaded_q;
    reg              filling_q;   // a set has begun
    reg              skip_q;      // and is left out
    reg [LAYERS-1:0] done_q;      // its layers that are complete
    reg [COUNT-1:0]  inside_0_q, inside_1_q;

    // The version that is not active may still be met by passes that entered before it was replaced.
    wire in_use  = active_q ? inside_0_q != {COUNT{1'b0}} : inside_1_q != {COUNT{1'b0}};
    wire any     = |w_valid;
    wire skip    = filling_q ? skip_q : in_use;
    wire [LAYERS-1:0] done = done_q | (w_valid & w_last);
    wire complete = any && &done;
    assign w_bank = !active_q;
    assign w_take = w_valid & {LAYERS{!skip}};
    assign active = active_q;
    assign loaded = loaded_q;

    always @(posedge clk) begin
        taken   <= complete && !skip && !rst && !w_abort;
        dropped <= complete && skip && !rst && !w_abort;
        if (rst || w_abort) begin
            filling_q <= 1'b0;
            done_q    <= {LAYERS{1'b0}};
        end else if (any) begin
            filling_q <= !complete;
            skip_q    <= skip;
            done_q    <= complete ? {LAYERS{1'b0}} : done;
        end
        if (rst) begin
            active_q <= 1'b0;
            loaded_q <= 1'b0;
        end else if (complete && !skip && !w_abort) begin
            active_q <= !active_q;
            loaded_q <= 1'b1;
        end
    end

    // A layer that is complete waits for the others.
    rlc_assert_never u_never (.clk(clk), .rst(rst), .bad(|(w_valid & done_q)));

    wire enter_0 = enter && !active_q;
    wire enter_1 = enter && active_q;
    wire leave_0 = leave && !leave_bank;
    wire leave_1 = leave && leave_bank;
    always @(posedge clk) begin
        if (rst) begin
            inside_0_q <= {COUNT{1'b0}};
            inside_1_q <= {COUNT{1'b0}};
        end else begin
            if (enter_0 != leave_0) inside_0_q <= enter_0 ? inside_0_q + 1'b1 : inside_0_q - 1'b1;
            if (enter_1 != leave_1) inside_1_q <= enter_1 ? inside_1_q + 1'b1 : inside_1_q - 1'b1;
        end
    end
endmodule
`default_nettype wire
