"""One module per command of `rlcores`, named like it, each with a function `command`.

cli.py registers every module that is here: a command whose core does not exist yet has no module. Heavy imports
belong inside the function, so that `rlcores --help` stays quick.
"""
