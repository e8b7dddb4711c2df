// cl_khr_extended_async_copies.
#ifndef HOSTCL_ASYNC_COPIES_H
#define HOSTCL_ASYNC_COPIES_H

#include <hostcl/declare.h>

#ifndef __hostcl_lacks_cl_khr_extended_async_copies

#define __HOSTCL_COPIES(to, from)                                                                            \
  event_t __HOSTCL_COLLECTIVE async_work_group_copy_2D2D(                                                    \
      to void* dst, size_t dst_offset, const from void* src, size_t src_offset, size_t bytes_per_element,    \
      size_t elements_per_line, size_t lines, size_t src_line_length, size_t dst_line_length,                \
      event_t event);                                                                                        \
  event_t __HOSTCL_COLLECTIVE async_work_group_copy_3D3D(                                                    \
      to void* dst, size_t dst_offset, const from void* src, size_t src_offset, size_t bytes_per_element,    \
      size_t elements_per_line, size_t lines, size_t planes, size_t src_line_length, size_t src_plane_area,  \
      size_t dst_line_length, size_t dst_plane_area, event_t event);
__HOSTCL_COPIES(__local, __global)
__HOSTCL_COPIES(__global, __local)
#undef __HOSTCL_COPIES

#endif
#endif
