# find_package(hostcl) gives hostcl::opencl, which has OpenCL's functions and needs no ICD loader. The headers are those of
# the package opencl-headers.
include(${CMAKE_CURRENT_LIST_DIR}/hostcl-targets.cmake)
