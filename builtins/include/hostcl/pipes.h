// CLK_NULL_RESERVE_ID: clang's own definition is a cast for which clang writes invalid IR.
#ifndef HOSTCL_PIPES_H
#define HOSTCL_PIPES_H

#ifdef __opencl_c_pipes
#ifdef __cplusplus
extern "C"
#endif
    reserve_id_t __null_reserve_id(void) __attribute__((const, nothrow));

#undef CLK_NULL_RESERVE_ID
#define CLK_NULL_RESERVE_ID __null_reserve_id()
#endif

#endif
