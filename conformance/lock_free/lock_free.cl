// Every atomic read-modify-write of every type, each in a kernel of its own, for check_lock_free.

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

#define ORDER memory_order_acq_rel, memory_scope_device

#define KERNEL(T, A, name, call)                                                                             \
  kernel void name##_##A(global A* p, global T* out) {                                                       \
    size_t i = get_global_id(0);                                                                             \
    T x = out[i];                                                                                            \
    out[i] = call;                                                                                           \
  }

#define ALL_TYPES(T, A)                                                                                      \
  KERNEL(T, A, exchange, atomic_exchange_explicit(p + i, x, ORDER))                                          \
  KERNEL(T, A, compare_exchange_strong,                                                                      \
         atomic_compare_exchange_strong_explicit(p + i, &x, (T)(x + 1), memory_order_acq_rel,                \
                                                 memory_order_acquire, memory_scope_device))                 \
  KERNEL(T, A, compare_exchange_weak,                                                                        \
         atomic_compare_exchange_weak_explicit(p + i, &x, (T)(x + 1), memory_order_acq_rel,                  \
                                               memory_order_acquire, memory_scope_device))                   \
  KERNEL(T, A, fetch_add, atomic_fetch_add_explicit(p + i, x, ORDER))                                        \
  KERNEL(T, A, fetch_sub, atomic_fetch_sub_explicit(p + i, x, ORDER))                                        \
  KERNEL(T, A, fetch_min, atomic_fetch_min_explicit(p + i, x, ORDER))                                        \
  KERNEL(T, A, fetch_max, atomic_fetch_max_explicit(p + i, x, ORDER))

#define INTEGERS(T, A)                                                                                       \
  ALL_TYPES(T, A)                                                                                            \
  KERNEL(T, A, fetch_or, atomic_fetch_or_explicit(p + i, x, ORDER))                                          \
  KERNEL(T, A, fetch_xor, atomic_fetch_xor_explicit(p + i, x, ORDER))                                        \
  KERNEL(T, A, fetch_and, atomic_fetch_and_explicit(p + i, x, ORDER))

INTEGERS(int, atomic_int)
INTEGERS(uint, atomic_uint)
INTEGERS(long, atomic_long)
INTEGERS(ulong, atomic_ulong)
ALL_TYPES(float, atomic_float)
ALL_TYPES(double, atomic_double)
