"""Learning for actors on other machines: experiences over UDP into a replay learner, and its weights back."""
