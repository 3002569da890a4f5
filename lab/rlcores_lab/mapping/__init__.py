"""Which part of a training loop goes onto which device (Zhang 2022), and how cores are split (Zhang et al. 2021)."""
