"""Acting: observations through a network's forward pass, and actions drawn from what it says."""
