"""Environments: CartPole and others as a core, many copies in turn on one pipeline of physics."""
