"""Trained policies of other libraries, brought onto the cores: import, formats, and a folder that stands alone."""
