// rlc_learner_network.vh — the network that a module belongs to. Included in its header behind rlc_learner_parameters.vh.
// SPDX-License-Identifier: Apache-2.0

/* verilator lint_save */ /* verilator lint_off UNUSEDPARAM */
, parameter NETWORK = 0,  // number of the network in the list: words.py of the core
parameter TARGET = 1,     // 0 builds no target network
parameter CLIP = 0,       // 1: gradients wait for a factor, which the caller makes of the sums of their squares; Adam only
parameter AVERAGE = 0,    // clocks from a group of new weights to its average with other learners'; 0 builds no averaging
// Derived; leave them alone.
parameter [1023:0] NET_SIZES    = list(SIZES, NETWORK),
parameter [1023:0] NET_LANES    = list(LANES, NETWORK),
parameter [1023:0] NET_FORWARD  = list(FORWARD, NETWORK),
parameter [1023:0] NET_BACKWARD = list(BACKWARD, NETWORK),
parameter [1023:0] NET_ROWS     = list(UPDATE_ROWS, NETWORK),
parameter [1023:0] NET_COLS     = list(UPDATE_COLS, NETWORK),
parameter LAYERS    = fields(NET_SIZES) - 1,                      // layers of weights
parameter WORD      = DP * field(NET_LANES, 0) * ACT_WIDTH,       // bits of a word of inputs
parameter OUT_WIDTH = (NETWORK != 0) ? ACT_WIDTH : VALUE_WIDTH,     // bits of an output element; any caller's own
parameter BUS       = bus_bits(NET_ROWS, NET_COLS, WEIGHT_WIDTH), // bits of a layer's weight bus
parameter AVG       = average_bits(NET_ROWS, NET_COLS, WEIGHT_WIDTH) // bits of a layer's way to the average, and back
/* verilator lint_restore */
