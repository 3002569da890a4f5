"""Which part of a training loop goes onto which device: paper 002's mapping, and paper 003's split of cores.

workloads  the three sizes of paper 002: environments, networks, batches, and the paper's own mapping
steps      a training step on a CPU (NumPy, PyTorch) and a GPU (PyTorch), and priorities on a GPU
fpga       clocks of the learner and the sum tree on a board, from the cycle models
profiles   seconds of each primitive on each device: measured, read from a file, or assumed
choose     the mapping, and the storage
split      cores for actors and learners
tables     what is printed, and where it differs from the paper
"""
