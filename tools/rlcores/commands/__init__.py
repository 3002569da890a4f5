"""One module per command of `rlcores`, named like it, each with a function `command`, or a typer `group` of several.

cli.py registers every module that is here: a command whose core does not exist yet has no module. Heavy imports
belong inside the function, so that `rlcores --help` stays quick.
"""
