# One unit for each of the source files read, write and mipmap (a family of functions) and each image type (a kind).
# Each kind below has: name, OpenCL type, number of coordinates that address texels, whether the number of the layer
# follows them, one more definition.
list(APPEND HOSTCL_BUILTINS_VARIED image/read.clcpp image/write.clcpp image/mipmap.clcpp)
foreach(kind 1d:image1d_t:1:0: 1d_buffer:image1d_buffer_t:1:0:NO_SAMPLER 1d_array:image1d_array_t:1:1:
             2d:image2d_t:2:0: 2d_array:image2d_array_t:2:1: 3d:image3d_t:3:0:
             2d_depth:image2d_depth_t:2:0:HAS_DEPTH 2d_array_depth:image2d_array_depth_t:2:1:HAS_DEPTH)
  string(REPLACE ":" ";" kind "${kind}")
  list(GET kind 0 name)
  list(GET kind 1 type)
  list(GET kind 2 axes)
  list(GET kind 3 is_array)
  list(GET kind 4 more)
  set(families read write mipmap)
  if(more STREQUAL "NO_SAMPLER")
    set(families read write)
  endif()
  foreach(family ${families})
    hostcl_builtins_unit(image/${family}_${name} image/${family}.clcpp
                         IMAGE=${type} AXES=${axes} IS_ARRAY=${is_array} ${more})
  endforeach()
endforeach()
