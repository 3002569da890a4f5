"""Shared by the tests of the GAE core's registers, driver and Python interface."""

import pytest

from rlcores.buses.backends import simulated
from rlcores.cores.gae.model import GaeModelBus
from rlcores.eda import configs


@pytest.fixture(params=["rtl", "model"])
def make_bus(request):
    """A function from a configuration's name to a bus, for the RTL and for the model behind it."""
    made = []

    def make(config: str = "tiny"):
        parameters = configs.load("gae", config)
        if request.param == "model":
            return GaeModelBus(parameters)
        made.append(simulated("gae", parameters, limit=200_000))
        return made[-1]

    yield make
    for bus in made:
        bus.close()
