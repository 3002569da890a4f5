"""A matrix unit that all networks of an algorithm share: its shape, its commands, and programs of them."""
