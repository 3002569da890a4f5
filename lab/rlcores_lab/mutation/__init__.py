"""Break the RTL at random and see whether the core's tests notice: what `rlcores mutate` does.

points    where the text of a module can be broken, and how
schemata  one copy of the sources that holds all chosen mutants, one of them switched on as a simulation starts
plan      what is broken and which tests are run, a file of verif/mutation a core
run       baseline, then every mutant until a test fails
worker    the process that runs the tests, one fork a test
equal     a proof that a mutant changes nothing
"""
