// Helpers of the headers beside this one.
#ifndef HOSTCL_DECLARE_H
#define HOSTCL_DECLARE_H

#define __HOSTCL_OVERLOADABLE __attribute__((overloadable))
#define __HOSTCL_COLLECTIVE __attribute__((overloadable, convergent))

// M(space) for the address spaces of an atomic object.
#if defined(__opencl_c_generic_address_space)
#define __HOSTCL_OBJECT_SPACES(M) M(__global) M(__local) M(__generic)
#else
#define __HOSTCL_OBJECT_SPACES(M) M(__global) M(__local)
#endif

#endif
