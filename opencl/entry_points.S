// The OpenCL API by name, for programs that contain their own driver and have no ICD loader. Each function jumps
// through the driver's dispatch table. Each name begins with HOSTCL_PREFIX: with PO, clBuildProgram is exported as
// POclBuildProgram.

#define JOIN_TOKENS(first, second) first##second
#define JOIN(first, second) JOIN_TOKENS(first, second)
#define EXPORTED(name) JOIN(HOSTCL_PREFIX, name)

#include HOSTCL_JUMPS // for this kind of CPU

    .text
    .set slot, 0 // bytes from the start of the table

    .macro next_slot
    .set slot, slot + 8
    .endm

    // A macro for each version of OpenCL: those after it have its functions, as those of other OpenCL libraries do.
    .macro entry name, exported
    .endm
    .macro version number
    .purgem entry
    .macro entry name, exported
    .globl own_\name
    .type own_\name, @function
    .symver own_\name, \exported@@OPENCL_\number
    .p2align 4
own_\name:
    .cfi_startproc
    jump_by_table
    .cfi_endproc
    .size own_\name, . - own_\name
    next_slot
    .endm
    .endm

#define VERSION(number) version number
#define ENTRY(name, function) entry name, EXPORTED(name)
#define SHARED(name, function) entry name, EXPORTED(name)
#define PLAIN(name, function) entry name, EXPORTED(name)
#define ABSENT(name) entry name, EXPORTED(name)
#define EMPTY(name) next_slot
#include "runtime/api/entry_points.inc"
VERSION(3.1)
ENTRY(clGetKernelSuggestedLocalWorkSize, get_kernel_suggested_local_work_size)

    .section .note.GNU-stack, "", @progbits
