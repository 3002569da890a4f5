"""Design-space exploration: resource models, cycle models, and the search for the best configuration of a board."""
