"""Quality of results: what every configuration takes and needs, beside what the committed baseline says it took."""
