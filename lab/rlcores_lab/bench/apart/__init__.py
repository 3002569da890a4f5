"""What may run in another Python than this one: it imports NumPy, and what it measures, and nothing of ours."""
