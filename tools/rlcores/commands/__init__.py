"""One module per command of `rlcores`, named like it, each with a function `command`, or a typer `group` of several.

cli.py registers every module that is here, and what other distributions name in their entry points of the group
`rlcores.commands`, as the laboratory does: its commands are there when it is installed. Heavy imports belong inside the
function, so that `rlcores --help` stays quick.
"""
