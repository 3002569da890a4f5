"""sb3-contrib's algorithms, as far as the drop-ins call them."""

from stable_baselines3.common.off_policy_algorithm import OffPolicyAlgorithm

class QRDQN(OffPolicyAlgorithm): ...
