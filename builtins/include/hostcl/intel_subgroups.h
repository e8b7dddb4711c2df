// cl_intel_subgroups, and its companions for char, short and long, for local memory and for prefetching.
#ifndef HOSTCL_INTEL_SUBGROUPS_H
#define HOSTCL_INTEL_SUBGROUPS_H

#include <hostcl/declare.h>

#ifndef __hostcl_lacks_cl_intel_subgroups

#define __HOSTCL_SHUFFLES(T)                                                                                 \
  T __HOSTCL_COLLECTIVE intel_sub_group_shuffle(T x, unsigned int lane);                                     \
  T __HOSTCL_COLLECTIVE intel_sub_group_shuffle_down(T current, T next, unsigned int delta);                 \
  T __HOSTCL_COLLECTIVE intel_sub_group_shuffle_up(T previous, T current, unsigned int delta);               \
  T __HOSTCL_COLLECTIVE intel_sub_group_shuffle_xor(T x, unsigned int mask);
#define __HOSTCL_SHUFFLE_WIDTHS(T)                                                                           \
  __HOSTCL_SHUFFLES(T)                                                                                       \
  __HOSTCL_SHUFFLES(T##2)                                                                                    \
  __HOSTCL_SHUFFLES(T##3) __HOSTCL_SHUFFLES(T##4) __HOSTCL_SHUFFLES(T##8) __HOSTCL_SHUFFLES(T##16)

#define __HOSTCL_BROADCAST(T) T __HOSTCL_COLLECTIVE intel_sub_group_broadcast(T x, unsigned int lane);
#define __HOSTCL_SPANS(T, name)                                                                              \
  T __HOSTCL_COLLECTIVE intel_sub_group_reduce_##name(T x);                                                  \
  T __HOSTCL_COLLECTIVE intel_sub_group_scan_exclusive_##name(T x);                                          \
  T __HOSTCL_COLLECTIVE intel_sub_group_scan_inclusive_##name(T x);
#define __HOSTCL_NARROW(T)                                                                                   \
  __HOSTCL_SHUFFLE_WIDTHS(T)                                                                                 \
  __HOSTCL_BROADCAST(T)                                                                                      \
  __HOSTCL_BROADCAST(T##2)                                                                                   \
  __HOSTCL_BROADCAST(T##3)                                                                                   \
  __HOSTCL_BROADCAST(T##4)                                                                                   \
  __HOSTCL_BROADCAST(T##8)                                                                                   \
  __HOSTCL_BROADCAST(T##16) __HOSTCL_SPANS(T, add) __HOSTCL_SPANS(T, min) __HOSTCL_SPANS(T, max)
#ifndef __hostcl_lacks_cl_intel_subgroups_char
__HOSTCL_NARROW(char)
__HOSTCL_NARROW(uchar)
#endif
#ifndef __hostcl_lacks_cl_intel_subgroups_short
__HOSTCL_NARROW(short)
__HOSTCL_NARROW(ushort)
#endif
#undef __HOSTCL_BROADCAST
#undef __HOSTCL_SPANS
#undef __HOSTCL_NARROW
__HOSTCL_SHUFFLE_WIDTHS(int)
__HOSTCL_SHUFFLE_WIDTHS(uint)
__HOSTCL_SHUFFLE_WIDTHS(float)
__HOSTCL_SHUFFLES(long)
__HOSTCL_SHUFFLES(ulong)
#ifdef cl_khr_fp64
__HOSTCL_SHUFFLES(double)
#endif
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__HOSTCL_SHUFFLES(half)
#endif
#undef __HOSTCL_SHUFFLES
#undef __HOSTCL_SHUFFLE_WIDTHS

#ifdef __IMAGE_SUPPORT__
#define __HOSTCL_IMAGE_BLOCK(T, suffix)                                                                      \
  T __HOSTCL_COLLECTIVE intel_sub_group_block_read##suffix(read_only image2d_t image, int2 coordinates);     \
  void __HOSTCL_COLLECTIVE intel_sub_group_block_write##suffix(write_only image2d_t image, int2 coordinates, \
                                                               T value);
#else
#define __HOSTCL_IMAGE_BLOCK(T, suffix)
#endif
#ifdef __opencl_c_read_write_images
#define __HOSTCL_READ_WRITE_IMAGE_BLOCK(T, suffix)                                                           \
  T __HOSTCL_COLLECTIVE intel_sub_group_block_read##suffix(read_write image2d_t image, int2 coordinates);    \
  void __HOSTCL_COLLECTIVE intel_sub_group_block_write##suffix(read_write image2d_t image, int2 coordinates, \
                                                               T value);
#else
#define __HOSTCL_READ_WRITE_IMAGE_BLOCK(T, suffix)
#endif

#ifndef __hostcl_lacks_cl_intel_subgroup_local_block_io
#define __HOSTCL_LOCAL_BLOCK(T, E, suffix)                                                                   \
  T __HOSTCL_COLLECTIVE intel_sub_group_block_read##suffix(const __local E* p);                              \
  void __HOSTCL_COLLECTIVE intel_sub_group_block_write##suffix(__local E* p, T value);
#else
#define __HOSTCL_LOCAL_BLOCK(T, E, suffix)
#endif

#define __HOSTCL_BLOCK(T, E, suffix)                                                                         \
  __HOSTCL_IMAGE_BLOCK(T, suffix)                                                                            \
  __HOSTCL_READ_WRITE_IMAGE_BLOCK(T, suffix)                                                                 \
  __HOSTCL_LOCAL_BLOCK(T, E, suffix)                                                                         \
  T __HOSTCL_COLLECTIVE intel_sub_group_block_read##suffix(const __global E* p);                             \
  void __HOSTCL_COLLECTIVE intel_sub_group_block_write##suffix(__global E* p, T value);
#define __HOSTCL_BLOCKS(E, letters)                                                                          \
  __HOSTCL_BLOCK(E, E, letters)                                                                              \
  __HOSTCL_BLOCK(E##2, E, letters##2) __HOSTCL_BLOCK(E##4, E, letters##4) __HOSTCL_BLOCK(E##8, E, letters##8)
__HOSTCL_BLOCKS(uint, )
__HOSTCL_BLOCKS(uint, _ui)
#ifndef __hostcl_lacks_cl_intel_subgroups_short
__HOSTCL_BLOCKS(ushort, _us)
__HOSTCL_BLOCK(ushort16, ushort, _us16)
#endif
#ifndef __hostcl_lacks_cl_intel_subgroups_char
__HOSTCL_BLOCKS(uchar, _uc)
__HOSTCL_BLOCK(uchar16, uchar, _uc16)
#endif
#ifndef __hostcl_lacks_cl_intel_subgroups_long
__HOSTCL_BLOCKS(ulong, _ul)
#endif
#undef __HOSTCL_BLOCK
#undef __HOSTCL_LOCAL_BLOCK
#undef __HOSTCL_IMAGE_BLOCK
#undef __HOSTCL_READ_WRITE_IMAGE_BLOCK
#undef __HOSTCL_BLOCKS

// cl_intel_subgroup_buffer_prefetch
#ifndef __hostcl_lacks_cl_intel_subgroup_buffer_prefetch
#define __HOSTCL_PREFETCH(E, suffix)                                                                         \
  void __HOSTCL_COLLECTIVE intel_sub_group_block_prefetch##suffix(const __global E* p);
#define __HOSTCL_PREFETCHES(E, letters)                                                                      \
  __HOSTCL_PREFETCH(E, letters)                                                                              \
  __HOSTCL_PREFETCH(E, letters##2) __HOSTCL_PREFETCH(E, letters##4) __HOSTCL_PREFETCH(E, letters##8)
__HOSTCL_PREFETCHES(uchar, _uc)
__HOSTCL_PREFETCH(uchar, _uc16)
__HOSTCL_PREFETCHES(ushort, _us)
__HOSTCL_PREFETCH(ushort, _us16)
__HOSTCL_PREFETCHES(uint, _ui)
__HOSTCL_PREFETCHES(ulong, _ul)
#undef __HOSTCL_PREFETCH
#undef __HOSTCL_PREFETCHES
#endif

#endif
#endif
