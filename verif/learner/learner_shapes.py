"""Small shapes of the learner that the tests build: both simulators build and run each in seconds."""

Parameters = dict[str, int | str]

SGD, MOMENTUM, ADAM = range(3)
NEAREST, FLOOR, STOCHASTIC = range(3)


def network(sizes: str, lanes: str, forward: str, backward: str, rows: str, columns: str) -> Parameters:
    """The parameters that describe one network."""
    names = ("SIZES", "LANES", "FORWARD", "BACKWARD", "UPDATE_ROWS", "UPDATE_COLS")
    return dict(zip(names, (sizes, lanes, forward, backward, rows, columns), strict=True))


def both(value: Parameters, actor: Parameters) -> Parameters:
    """The same of a value network and an actor."""
    return {name: f"{text}:{actor[name]}" for name, text in value.items()}


def core(columns: int, batch_max: int, optimiser: int, rounding: int, polyak: int) -> Parameters:
    """The other parameters."""
    return {
        **{"DP": columns, "BATCH_MAX": batch_max, "OPTIMISER": optimiser, "ROUND": rounding, "POLYAK": polyak},
        "RECORDS": 2,
    }


SHAPES: dict[str, Parameters] = {
    # One weight layer, nothing in parallel.
    "3-2 sgd": network("3-2", "1-1", "1", "1", "1", "1") | core(1, 8, SGD, NEAREST, 0),
    "4-3 momentum": network("4-3", "2-2", "1", "1", "1", "2") | core(1, 6, MOMENTUM, FLOOR, 1),
    # The least there can be, in three columns.
    "1-1-1 sgd dp3": network("1-1-1", "1-1-1", "1-1", "1-1", "1-1", "1-1") | core(3, 7, SGD, FLOOR, 0),
    "2-3-2 adam": network("2-3-2", "1-1-1", "2-1", "1-1", "1-1", "1-1") | core(1, 8, ADAM, NEAREST, 0),
    "2-3-2 adam dp2": network("2-3-2", "1-1-1", "1-1", "1-2", "1-1", "1-1") | core(2, 9, ADAM, STOCHASTIC, 0),
    # Widths that the lanes do not divide.
    "3-5-2 momentum": network("3-5-2", "2-2-1", "1-1", "1-1", "2-1", "1-2") | core(1, 8, MOMENTUM, STOCHASTIC, 1),
    "4-5-2 momentum dp4": network("4-5-2", "1-2-1", "1-1", "1-1", "1-1", "1-1") | core(4, 11, MOMENTUM, FLOOR, 0),
    "2-3-4-2 sgd": network("2-3-4-2", "1-1-2-1", "1-1-1", "1-1-1", "1-1-1", "1-1-2") | core(1, 5, SGD, STOCHASTIC, 1),
    "2-3-3-2 adam dp2": network("2-3-3-2", "1-1-1-1", "1-2-1", "1-2-2", "1-1-1", "1-1-1") | core(2, 8, ADAM, FLOOR, 0),
    "2-3-2-3-2 adam": network("2-3-2-3-2", "1-1-1-1-1", "1-1-1-1", "1-1-1-1", "1-1-1-1", "1-1-1-1")
    | core(1, 8, ADAM, NEAREST, 1),
    # Two words of actions, two columns.
    "ddpg sgd": both(
        network("5-3-1", "1-1-1", "1-1", "1-1", "1-1", "1-1"), network("3-2-2", "1-1-1", "1-1", "1-1", "1-1", "1-1")
    )
    | core(2, 8, SGD, NEAREST, 1),
    "ddpg adam dp2": both(
        network("4-3-2-1", "2-1-1-1", "1-1-1", "1-1-1", "1-1-1", "2-1-1"),
        network("2-3-2", "2-1-2", "1-1", "1-1", "1-2", "1-1"),
    )
    | core(2, 6, ADAM, STOCHASTIC, 0),
}
