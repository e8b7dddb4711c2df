#pragma once

// The functions that the passes of the compiler provide; docs/kernel-ir.md says what each of them means.

#define HOSTCL_PURE extern "C" __attribute__((const, nothrow))
#define HOSTCL_CONVERGENT extern "C" __attribute__((convergent, nothrow))

HOSTCL_PURE ulong __hostcl_local_id(uint dim);
HOSTCL_PURE ulong __hostcl_group_id(uint dim);
HOSTCL_PURE ulong __hostcl_local_size(uint dim);
HOSTCL_PURE ulong __hostcl_enqueued_local_size(uint dim);
HOSTCL_PURE ulong __hostcl_global_size(uint dim);
HOSTCL_PURE ulong __hostcl_global_offset(uint dim);
HOSTCL_PURE ulong __hostcl_group_count(uint dim);
HOSTCL_PURE uint __hostcl_work_dim();

HOSTCL_CONVERGENT void __hostcl_barrier(uint flags);
HOSTCL_PURE uint __hostcl_sub_group_lane();
HOSTCL_PURE uint __hostcl_sub_group_width();
HOSTCL_PURE __local void* __hostcl_group_scratch();
