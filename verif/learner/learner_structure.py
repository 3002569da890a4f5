"""What a shape of the learner is made of: its stages, and the bins of coverage that it hits by being built and run."""

from rlcores.cores.learner.shape import LearnerShape, NetworkShape

OPTIMISERS, ROUNDINGS = ("sgd", "momentum", "adam"), ("nearest", "floor", "stochastic")
NAMES = ("value", "actor")


def stages(shape: LearnerShape) -> dict[str, int]:
    """The stages that a shape has, and their numbers in sat_count, unit_busy and unit_wait."""
    numbers = {"in": 0, "td": 22, "delta": 23} | _stages_of(shape.value, 0, "")
    if shape.actor is not None:
        layers = range(1, shape.value.layers + 1)
        numbers |= _stages_of(shape.actor, 32, "a") | {"tail": 54}
        numbers |= {f"fwq{n}": 54 + n for n in layers[:-1]} | {f"bwq{n}": 58 + n for n in layers}
    return numbers


def _stages_of(network: NetworkShape, first: int, suffix: str) -> dict[str, int]:
    """Those of one network, whose stages begin behind `first`."""
    layers = range(1, network.layers + 1)
    units = (("fw", 0), ("tfw", 4), ("wa", 12), ("wu", 16))
    numbers = {f"{unit}{suffix}{n}": first + base + n for unit, base in units for n in layers}
    numbers |= {f"bw{suffix}{n}": first + 8 + n for n in layers[1:]}
    return numbers | {f"range{'_actor' if suffix else ''}": first + 21}


def structure(shape: LearnerShape) -> set[str]:
    """Bins that building and running the shape hits by itself."""
    bins = {
        f"layers.{shape.value.layers + 1}",
        f"dp.{shape.columns}",
        f"optimiser.{OPTIMISERS[shape.optimiser]}",
        f"round.{ROUNDINGS[shape.rounding]}",
        f"polyak.{int(shape.polyak)}",
        f"actor.{int(shape.actor is not None)}",
    }
    for name, network in zip(NAMES, (shape.value, shape.actor), strict=True):
        if network is not None:
            bins |= {f"{name}.{bin_}" for bin_ in _network(network)}
    return bins


def _network(network: NetworkShape) -> set[str]:
    bins = set()
    for size, lanes, words in zip(network.sizes, network.lanes, network.words, strict=True):
        bins.add("width.divisible" if size % lanes == 0 else "width.not_divisible")
        bins.add("words.one" if words == 1 else "words.more")
        bins.add("lanes.one" if lanes == 1 else "lanes.more")
    for layer in range(1, network.layers + 1):
        forward, backward = network.forward[layer - 1], network.backward[layer - 1]
        bins.add("forward.one_group" if forward == 1 else "forward.groups")
        if forward > 1 and network.words[layer] % forward:
            bins.add("forward.groups_not_divisible")
        bins.add("backward.one_group" if backward == 1 else "backward.groups")
        if backward > 1 and network.words[layer - 1] % backward:
            bins.add("backward.groups_not_divisible")
        bins.add("update.one_lane" if network.update_lanes(layer) == 1 else "update.lanes")
        if 1 < network.update_rows[layer - 1] < network.lanes[layer]:
            bins.add("update.part_of_a_word")
    return bins
