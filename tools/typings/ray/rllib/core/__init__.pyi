"""RLlib's names of its one agent and of its one module."""

DEFAULT_AGENT_ID: str
DEFAULT_MODULE_ID: str
