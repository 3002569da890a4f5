"""A multilayer perceptron of fixed latency for a trained policy: shape, clocks, and the integer model."""
