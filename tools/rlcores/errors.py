"""The two ways a request to rlcores can end badly."""


class UserError(ValueError):
    """What was asked for does not exist or is not allowed; the message is one sentence. Exit code 2."""


class RunFailed(RuntimeError):
    """The request was fine, but the run it started failed. Exit code 1."""
