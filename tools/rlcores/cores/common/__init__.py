"""What all models are made of: rounding, generators, log2, exp2, tanh, sine and cosine, and division as the primitives compute them."""
