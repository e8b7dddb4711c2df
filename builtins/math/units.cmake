# Not for kernels to inline: machine code of the driver.
hostcl_builtins_host_code(math/huge_angles.clcpp)
