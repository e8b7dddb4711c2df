// The shapes of blocks of cl_intel_subgroup_2d_block_io. The including file defines the macros below, which this file
// expands for each shape: `count` blocks next to each other, each of `rows` x `columns` elements of `bits` bits. Each
// work-item holds its part of the blocks in objects of type T. If HOSTCL_2D_READ is not defined, this file is empty.
//     HOSTCL_2D_READ(T, bits, rows, columns, count)
//     HOSTCL_2D_TRANSFORM(T, bits, rows, columns, count)
//     HOSTCL_2D_TRANSPOSE(T, bits, rows, columns, count)
//     HOSTCL_2D_WRITE(T, bits, rows, columns, count)
//     HOSTCL_2D_PREFETCH(T, bits, rows, columns, count)

#ifdef HOSTCL_2D_READ

#define HOSTCL_2D_READ_AND_PREFETCH(T, bits, rows, columns, count)                                           \
  HOSTCL_2D_READ(T, bits, rows, columns, count)                                                              \
  HOSTCL_2D_PREFETCH(T, bits, rows, columns, count)
#define HOSTCL_2D_TALL(T, bits, columns, count)                                                              \
  HOSTCL_2D_READ_AND_PREFETCH(T, bits, 8, columns, count)                                                    \
  HOSTCL_2D_READ_AND_PREFETCH(T, bits, 16, columns, count)                                                   \
  HOSTCL_2D_READ_AND_PREFETCH(T, bits, 32, columns, count)
#define HOSTCL_2D_ALL(T, bits, columns, count)                                                               \
  HOSTCL_2D_READ_AND_PREFETCH(T, bits, 1, columns, count)                                                    \
  HOSTCL_2D_READ_AND_PREFETCH(T, bits, 2, columns, count)                                                    \
  HOSTCL_2D_READ_AND_PREFETCH(T, bits, 4, columns, count) HOSTCL_2D_TALL(T, bits, columns, count)
HOSTCL_2D_ALL(ushort, 8, 32, 1)
HOSTCL_2D_ALL(ushort, 8, 32, 2)
HOSTCL_2D_TALL(uchar, 8, 16, 4)
HOSTCL_2D_ALL(ushort, 16, 16, 1)
HOSTCL_2D_ALL(ushort, 16, 16, 2)
HOSTCL_2D_ALL(uint, 32, 8, 1)
HOSTCL_2D_ALL(uint, 32, 8, 2)
HOSTCL_2D_ALL(uint, 32, 16, 1)
#undef HOSTCL_2D_READ_AND_PREFETCH
#undef HOSTCL_2D_TALL
#undef HOSTCL_2D_ALL
HOSTCL_2D_PREFETCH(uint, 8, 32, 16, 1)
HOSTCL_2D_PREFETCH(uint, 8, 32, 16, 2)

HOSTCL_2D_TRANSFORM(uint, 8, 32, 16, 1)
HOSTCL_2D_TRANSFORM(uint, 8, 32, 16, 2)
HOSTCL_2D_TRANSFORM(uint, 8, 32, 16, 4)
HOSTCL_2D_TRANSFORM(uint, 16, 16, 16, 1)
HOSTCL_2D_TRANSFORM(uint, 16, 16, 16, 2)
HOSTCL_2D_TRANSFORM(uint, 16, 32, 16, 1)
HOSTCL_2D_TRANSFORM(uint, 16, 32, 16, 2)
HOSTCL_2D_TRANSPOSE(uint, 32, 16, 8, 1)
HOSTCL_2D_TRANSPOSE(uint, 32, 32, 8, 1)

#define HOSTCL_2D_LOW(T, bits, columns)                                                                      \
  HOSTCL_2D_WRITE(T, bits, 1, columns, 1)                                                                    \
  HOSTCL_2D_WRITE(T, bits, 2, columns, 1)                                                                    \
  HOSTCL_2D_WRITE(T, bits, 4, columns, 1) HOSTCL_2D_WRITE(T, bits, 8, columns, 1)
HOSTCL_2D_LOW(uchar, 8, 16)
HOSTCL_2D_LOW(ushort, 8, 32)
HOSTCL_2D_LOW(ushort, 16, 16)
HOSTCL_2D_LOW(uint, 32, 16)
#undef HOSTCL_2D_LOW

#endif
