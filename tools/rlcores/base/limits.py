"""Limits that cores, models, engine and commands share: each is declared here only.

A declaration of a core (rtl/*/*.yaml) gives its name, and `rlcores generate` writes the number for Verilog.
"""

# Neurons of a layer. A product of a weight and an activation is at most 2**43, so float64 holds the sum of that many.
NEURONS = 1024

# Activations of hidden layers that are trained: rlcores.cores.learner.activations.
ACTIVATIONS = ("relu", "leaky_relu", "tanh", "elu", "silu")

# .. and what stands in front of them.
NORMALISATIONS = ("none", "layer")

# Records of a batch. The sum of that many deltas, of 18 bits, has 32 bits.
BATCH = 16384
# .. of one whose gradient fits 48 bits: a product of delta and activation is at most 2**34.
NARROW_BATCH = 8191
# .. and of a minibatch of PPO: the sums of rlc_rl_clip_gaussian.
MINIBATCH = 4096
TEMPERATURE = 1e-6, 60.0  # a fixed one of SAC, which is ufix(26,20) and below 64
