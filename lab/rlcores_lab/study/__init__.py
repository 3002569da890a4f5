"""The learning study: integer learner against float32, the same seeds and settings, on gymnasium's environments."""
