#pragma once

// OpenCL C as C++ of the host: enough of the language for random kernels. One work-item at a time runs, and gives way
// to the next one in barriers.

#include "vectors.hpp"

#define kernel extern "C"
#define global
#define local
#define private
#define constant const
#define generic
#define restrict __restrict
#define read_only
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("0x3fffff") // as clang's opencl-c-base.h has it
#define INT_MIN (-0x7fffffff - 1)
#define INT_MAX 0x7fffffff

using size_t = unsigned long;
using ptrdiff_t = long;
using uintptr_t = unsigned long;
using event_t = int;
using half = _Float16;
using atomic_int = int;
using atomic_uint = uint;
enum memory_order {
  memory_order_relaxed,
  memory_order_acquire,
  memory_order_release,
  memory_order_acq_rel,
  memory_order_seq_cst
};
enum memory_scope { memory_scope_work_group, memory_scope_device, memory_scope_all_svm_devices };

#include "work_item.hpp"

extern "C" {
/// The one that runs; the process that loads this file sets it.
const differential::WorkItem* hostcl_item;
}

// --- Work-items

#define HOSTCL_QUERY(name, member, beyond)                                                                   \
  inline size_t name(uint d) {                                                                               \
    return d < 3 ? hostcl_item->member[d] : (beyond);                                                        \
  }
HOSTCL_QUERY(get_global_id, global_id, 0)
HOSTCL_QUERY(get_local_id, local_id, 0)
HOSTCL_QUERY(get_group_id, group_id, 0)
HOSTCL_QUERY(get_global_offset, offset, 0)
HOSTCL_QUERY(get_global_size, global_size, 1)
HOSTCL_QUERY(get_local_size, local_size, 1)
HOSTCL_QUERY(get_enqueued_local_size, enqueued_local_size, 1)
HOSTCL_QUERY(get_num_groups, num_groups, 1)
#undef HOSTCL_QUERY

inline uint get_work_dim() {
  return hostcl_item->dimensions;
}
inline size_t get_local_linear_id() {
  return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
}
inline size_t get_global_linear_id() {
  auto id = [](uint d) { return get_global_id(d) - get_global_offset(d); };
  return (id(2) * get_global_size(1) + id(1)) * get_global_size(0) + id(0);
}

// --- Work-groups

inline void barrier(int) {
  hostcl_item->wait();
}
inline void work_group_barrier(int, memory_scope = memory_scope_work_group) {
  hostcl_item->wait();
}
inline void mem_fence(int) {}
inline void atomic_work_item_fence(int, memory_order, memory_scope) {}

inline size_t hostcl_group_items() {
  return get_local_size(0) * get_local_size(1) * get_local_size(2);
}
/// What the first `count` work-items of the group give, combined in the order of their numbers.
template <class T, class Combine>
T hostcl_fold(T mine, T start, size_t count, Combine combine) {
  __builtin_memcpy(&hostcl_item->shared[get_local_linear_id()], &mine, sizeof mine);
  hostcl_item->wait();
  for (size_t other = 0; other < count; ++other) {
    T value;
    __builtin_memcpy(&value, &hostcl_item->shared[other], sizeof value);
    start = combine(start, value);
  }
  hostcl_item->wait();
  return start;
}
template <class T>
constexpr bool is_signed = T(-1) < T(0);
template <class T>
constexpr T most() {
  return is_signed<T> ? T(~(ulong(1) << (sizeof(T) * 8 - 1))) : T(-1);
}
template <class T>
constexpr T least() {
  return is_signed<T> ? T(ulong(1) << (sizeof(T) * 8 - 1)) : T(0);
}
#define HOSTCL_FOLD(name, start, combine)                                                                    \
  template <class T>                                                                                         \
  T work_group_reduce_##name(T x) {                                                                          \
    return hostcl_fold(x, T(start), hostcl_group_items(), [](T a, T b) { return T(combine); });              \
  }                                                                                                          \
  template <class T>                                                                                         \
  T work_group_scan_inclusive_##name(T x) {                                                                  \
    return hostcl_fold(x, T(start), get_local_linear_id() + 1, [](T a, T b) { return T(combine); });         \
  }                                                                                                          \
  template <class T>                                                                                         \
  T work_group_scan_exclusive_##name(T x) {                                                                  \
    return hostcl_fold(x, T(start), get_local_linear_id(), [](T a, T b) { return T(combine); });             \
  }
HOSTCL_FOLD(add, 0, a + b)
HOSTCL_FOLD(min, most<T>(), a < b ? a : b)
HOSTCL_FOLD(max, least<T>(), a > b ? a : b)
#undef HOSTCL_FOLD
inline int work_group_any(int x) {
  return hostcl_fold(int(x != 0), 0, hostcl_group_items(), [](int a, int b) { return a | b; });
}
inline int work_group_all(int x) {
  return hostcl_fold(int(x != 0), 1, hostcl_group_items(), [](int a, int b) { return a & b; });
}
template <class T>
T work_group_broadcast(T x, size_t lx, size_t ly = 0, size_t lz = 0) {
  const size_t count = (lz * get_local_size(1) + ly) * get_local_size(0) + lx + 1;
  return hostcl_fold(x, T(0), count, [](T, T b) { return b; });
}
template <class T>
event_t async_work_group_copy(T* to, const T* from, size_t count, event_t) {
  for (size_t i = 0; i < count; ++i)
    to[i] = from[i];
  return 1;
}
inline void wait_group_events(int, event_t*) {
  hostcl_item->wait();
}

#include "functions.hpp"

// --- The kernel's arguments, each through a pointer to it

template <int... index>
struct Indices {};

template <class... P>
void hostcl_call(void (*function)(P...), void** arguments) {
  [&]<int... index>(Indices<index...>) {
    function(*static_cast<P*>(arguments[index])...);
  }(Indices<__integer_pack(sizeof...(P))...>{});
}
