// cl_intel_subgroup_2d_block_io.
#ifndef HOSTCL_INTEL_2D_BLOCKS_H
#define HOSTCL_INTEL_2D_BLOCKS_H

#include <hostcl/declare.h>

#ifndef __hostcl_lacks_cl_intel_subgroup_2d_block_io

#define HOSTCL_2D_PREFETCH(T, bits, rows, columns, count)                                                    \
  void __HOSTCL_COLLECTIVE intel_sub_group_2d_block_prefetch_##bits##b_##rows##r##columns##x##count##c(      \
      __global void* base, int width, int height, int pitch, int2 coordinates);
#define HOSTCL_2D_MOVE(name, T, bits, rows, columns, count)                                                  \
  void __HOSTCL_COLLECTIVE intel_sub_group_2d_block_##name##_##bits##b_##rows##r##columns##x##count##c(      \
      __global void* base, int width, int height, int pitch, int2 coordinates, __private T* elements);
#define HOSTCL_2D_READ(T, ...) HOSTCL_2D_MOVE(read, T, __VA_ARGS__)
#define HOSTCL_2D_TRANSFORM(T, ...) HOSTCL_2D_MOVE(read_transform, T, __VA_ARGS__)
#define HOSTCL_2D_TRANSPOSE(T, ...) HOSTCL_2D_MOVE(read_transpose, T, __VA_ARGS__)
#define HOSTCL_2D_WRITE(T, ...) HOSTCL_2D_MOVE(write, T, __VA_ARGS__)
#include <hostcl/intel_2d_block_shapes.h>
#undef HOSTCL_2D_PREFETCH
#undef HOSTCL_2D_MOVE
#undef HOSTCL_2D_READ
#undef HOSTCL_2D_TRANSFORM
#undef HOSTCL_2D_TRANSPOSE
#undef HOSTCL_2D_WRITE

#endif
#endif
