"""Which part of a training loop goes onto which device (Zhang 2022), and how cores are split (Zhang et al. 2021).

workloads  the three sizes of Zhang (2022): environments, networks, batches, and the paper's own mapping
steps      a training step on a CPU (NumPy, PyTorch) and a GPU (PyTorch), and priorities on a GPU
fpga       clocks of the learner and the sum tree on a board, from the cycle models
profiles   seconds of each primitive on each device: measured, read from a file, or assumed
choose     the mapping, and the storage
split      cores for actors and learners
tables     what is printed, and where it differs from the paper
"""
