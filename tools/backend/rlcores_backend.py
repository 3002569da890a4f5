"""What pip calls to build rlcores: hatchling, which writes the metadata without a build.

hatchling keeps this from pip, because hooks of others may change the metadata; ours compiles and changes none. Else pip
would compile the native engine twice: once for the metadata, in silence, and once to install it.
"""

import os

os.environ.pop("PIP_BUILD_TRACKER", None)

from hatchling.build import *  # noqa: F403
