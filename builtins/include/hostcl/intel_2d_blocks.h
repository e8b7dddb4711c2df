// cl_intel_subgroup_2d_block_io.
#ifndef HOSTCL_INTEL_2D_BLOCKS_H
#define HOSTCL_INTEL_2D_BLOCKS_H

#include <hostcl/declare.h>

#ifndef __hostcl_lacks_cl_intel_subgroup_2d_block_io

#define __HOSTCL_2D_PREFETCH(T, bits, rows, columns, count)                                                  \
  void __HOSTCL_COLLECTIVE intel_sub_group_2d_block_prefetch_##bits##b_##rows##r##columns##x##count##c(      \
      __global void* base, int width, int height, int pitch, int2 coordinates);
#define __HOSTCL_2D_MOVE(name, T, bits, rows, columns, count)                                                \
  void __HOSTCL_COLLECTIVE intel_sub_group_2d_block_##name##_##bits##b_##rows##r##columns##x##count##c(      \
      __global void* base, int width, int height, int pitch, int2 coordinates, __private T* elements);
#define __HOSTCL_2D_READ(T, ...) __HOSTCL_2D_MOVE(read, T, __VA_ARGS__)
#define __HOSTCL_2D_TRANSFORM(T, ...) __HOSTCL_2D_MOVE(read_transform, T, __VA_ARGS__)
#define __HOSTCL_2D_TRANSPOSE(T, ...) __HOSTCL_2D_MOVE(read_transpose, T, __VA_ARGS__)
#define __HOSTCL_2D_WRITE(T, ...) __HOSTCL_2D_MOVE(write, T, __VA_ARGS__)
#include <hostcl/intel_2d_block_shapes.h>
#undef __HOSTCL_2D_PREFETCH
#undef __HOSTCL_2D_MOVE
#undef __HOSTCL_2D_READ
#undef __HOSTCL_2D_TRANSFORM
#undef __HOSTCL_2D_TRANSPOSE
#undef __HOSTCL_2D_WRITE

#endif
#endif
