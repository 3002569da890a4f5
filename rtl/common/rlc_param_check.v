// rlc_param_check.v — stops elaboration with a sentence when a parameter is illegal.
//
// OK          the rule, a constant expression over the parent's parameters
// MESSAGE     what is wrong, in words; starts with the name of the parent module
// cost        none: it holds no logic
//
// With Verilator and Yosys elaboration stops. Icarus 11 knows no elaboration-time $error, so there the
// run ends at time 0 with exit code 1. Yosys prints the first argument of $error and formats nothing,
// hence its own line.
`default_nettype none
module rlc_param_check #(
    parameter OK      = 1,
    parameter MESSAGE = "rlc_param_check: illegal parameter"
) ();
    generate
        if (!OK) begin : g_illegal
`ifdef __ICARUS__
            initial begin
                $error("%0s", MESSAGE);
                $finish_and_return(1);
            end
`elsif YOSYS
            $error(MESSAGE);
`else
            $error("%0s", MESSAGE);
`endif
        end
    endgenerate
endmodule
`default_nettype wire
