# In front of place and route of a core without pins; sourced by Vivado in the target synth_ooc.
# SPDX-License-Identifier: Apache-2.0
error "synth_ooc ends with synthesis, for a core by itself has no pins: make synth"
