// How a function of the API goes on, on aarch64. Its arguments are in x0 to x7; x16 is free between functions.

    .macro jump_by_table // to the function whose pointer is `slot` bytes from the start of the driver's table
    hint #34             // bti c, which older assemblers and CPUs take for nothing
    adrp x16, :got:hostcl_dispatch
    ldr x16, [x16, :got_lo12:hostcl_dispatch]
    ldr x16, [x16, slot]
    br x16
    .endm
