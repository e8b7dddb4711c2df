// How a function of the API goes on, on x86-64.

    .macro jump_by_table // to the function whose pointer is `slot` bytes from the start of the driver's table
    endbr64
    movq hostcl_dispatch@GOTPCREL(%rip), %rax
    jmpq *slot(%rax)
    .endm
