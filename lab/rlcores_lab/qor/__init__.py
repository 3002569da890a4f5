"""Quality of results: what every configuration takes and needs, beside what the committed baseline says it took.

jobs      which configurations are synthesised how, and their figures
baseline  baseline.json: what was accepted when, and what counts as worse
page      the HTML page
"""
