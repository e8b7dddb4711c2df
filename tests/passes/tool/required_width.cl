// A kernel that requires sub-groups of some size, and cannot be vectorised, is refused with the reason.
// RUN: not hostclc --cpu=x86-64-v3 --assembly %s 2>&1 | FileCheck %s
// CHECK: it requires sub-groups of 8 work-items, but is not vectorised: a loop waits for another work-item

__attribute__((intel_reqd_sub_group_size(8)))
kernel void locked(global int* lock, global int* sum) {
  while (atomic_xchg(lock, 1))
    ;
  *sum += get_sub_group_local_id();
  atomic_xchg(lock, 0);
}
