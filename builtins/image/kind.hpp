#pragma once

// What a unit of one kind of images has, as units.cmake defines it: IMAGE, its type; AXES and IS_ARRAY, its
// coordinates; HAS_DEPTH if its texels are depths, NO_SAMPLER for images that are not sampled.

#include "address.hpp"

namespace {

using ImageKind = Kind<AXES, IS_ARRAY>;
using Integers = ImageKind::coordinates<int>;
using Floats = ImageKind::coordinates<float>;

} // namespace

/// M(R, name) for the functions of each type of result.
#ifdef HAS_DEPTH
#define FOR_EACH_RESULT(M, name) M(float, name##f)
#define FOR_EACH_HALF_RESULT(M, name)
#else
#define FOR_EACH_RESULT(M, name) M(float4, name##f) M(int4, name##i) M(uint4, name##ui)
#define FOR_EACH_HALF_RESULT(M, name) M(half4, name##h)
#endif
