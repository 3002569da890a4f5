"""`rlcores train`: actors in processes, one learner, and a run's folder with checkpoint, best weights and curve.

settings   what is learned and how; one Plan is everything that decides a run
spaces     what an environment takes and gives, and whether an algorithm can use it
policies   what acts, with the same bits everywhere
actor      environments under a policy, a round at a time;  pool: the same actor here, in processes, or on Ray
replaying  DQN and DDPG on a replay learner;  ppo: PPO, with advantages from the GAE core
loop       rounds, evaluation, best weights, checkpoint;  folder: the files of a run;  live: what is shown meanwhile

A run depends on its Plan only: actors work in rounds, so neither their number nor their timing changes a step.
"""
