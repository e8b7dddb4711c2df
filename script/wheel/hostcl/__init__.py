"""Where the OpenCL driver of this package is.

PyOpenCL's own loader finds the driver by itself. Others are told:

  OCL_ICD_VENDORS=$(python -m hostcl) APPLICATION      hostcl and no other driver; ocl-icd, Debian's loader
  OCL_ICD_FILENAMES=$(python -m hostcl) APPLICATION    beside the installed drivers; Khronos' loader
"""

import pathlib


def icd():
    """The path of the driver's library. It lies where PyOpenCL's loader looks, beside that loader."""
    return str(pathlib.Path(__file__).resolve().parent.parent / "pyopencl" / ".libs" / "libhostcl.so")
