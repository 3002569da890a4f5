"""The laboratory: benchmarks, design-space exploration, studies, quality of results, mutants. Nothing imports it."""
