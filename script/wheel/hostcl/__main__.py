"""Prints the path of the driver's library."""

import hostcl

print(hostcl.icd())
