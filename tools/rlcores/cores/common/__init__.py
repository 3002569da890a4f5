"""What all models are made of: rounding, generators, log2, exp2 and tanh as the primitives compute them."""
