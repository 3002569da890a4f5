"""What all models are made of: rounding, generators and, as the primitives compute them, logarithms to division."""
