# The object's address spaces. The generic form is what programs with that address space call.
list(APPEND HOSTCL_BUILTINS_VARIED atomic/c11.clcpp)
foreach(space global local generic)
  hostcl_builtins_unit(atomic/c11_${space} atomic/c11.clcpp SPACE=__${space})
endforeach()
