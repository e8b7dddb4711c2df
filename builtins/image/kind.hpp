#pragma once

// Types and lists for a source file that is compiled once for each image type (read.clcpp, write.clcpp,
// mipmap.clcpp). Each compilation gives one unit of the library. units.cmake defines macros for each
// compilation: IMAGE, the OpenCL type, such as image2d_t; AXES, the number of coordinates that address
// texels; IS_ARRAY, 1 if the number of the layer follows these coordinates; HAS_DEPTH for depth images;
// NO_SAMPLER for image types that cannot be read with a sampler.

#include "address.hpp"

namespace {

using ImageKind = Kind<AXES, IS_ARRAY>;
using Integers = ImageKind::coordinates<int>;
using Floats = ImageKind::coordinates<float>;

} // namespace

/// Expands M(T, NAME) for each type T of texels that kernels read or write, for example M(float4,
/// read_imagef). The type half is in a list of its own, because depth images and functions with a level of
/// detail do not have it.
#ifdef HAS_DEPTH
#define FOR_EACH_RESULT(M, name) M(float, name##f)
#define FOR_EACH_HALF_RESULT(M, name)
#else
#define FOR_EACH_RESULT(M, name) M(float4, name##f) M(int4, name##i) M(uint4, name##ui)
#define FOR_EACH_HALF_RESULT(M, name) M(half4, name##h)
#endif
