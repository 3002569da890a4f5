"""The learner's optimisers, in the order that gives the number of the parameter OPTIMISER.

One is a file here and a line below, a file in rtl/nn and a kernel in native/kernels/optimisers.
"""

from rlcores.cores.learner.optimisers.adam import Adam
from rlcores.cores.learner.optimisers.adamw import AdamW
from rlcores.cores.learner.optimisers.momentum import Momentum
from rlcores.cores.learner.optimisers.sgd import Sgd
from rlcores.cores.learner.optimisers.slot import Optimiser

ALL: tuple[Optimiser, ...] = (Sgd(), Momentum(), Adam(), AdamW())
OPTIMISERS = tuple(one.name for one in ALL)
SGD, MOMENTUM, ADAM, ADAMW = range(len(ALL))
