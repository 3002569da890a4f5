"""torchrl's samplers, as far as the drop-ins call them."""

from torch import Generator

class Sampler:
    _rng: Generator | None
    def __init__(self) -> None: ...

class PrioritizedSampler(Sampler): ...
