// The bodies of image functions for tests on the host: a kind's number, coordinates of four components, and an
// Image that tells its own format.

#include "../image/mipmap.hpp"

__attribute__((nothrow)) uint __hostcl_image_order(Descriptor image) { return image->order; }
__attribute__((nothrow)) uint __hostcl_image_type(Descriptor image) { return image->type; }
__attribute__((nothrow)) bool __hostcl_image_is_small(Descriptor image) { return image->is_small; }

namespace {

template <class K, class V> auto first_components(V coordinates) {
  if constexpr (K::components == 1) return coordinates.x;
  else if constexpr (K::components == 2) return coordinates.xy;
  else return coordinates;
}

template <class K, class V> auto gradient_of(V gradient) {
  if constexpr (K::axes == 1) return gradient.x;
  else if constexpr (K::axes == 2) return gradient.xy;
  else return gradient;
}

/// Calls f with the kind: 1D, 1D array, 2D, 2D array, 3D.
template <class F> auto for_kind(int kind, F f) {
  switch (kind) {
  case 0: return f(Kind<1, false>());
  case 1: return f(Kind<1, true>());
  case 2: return f(Kind<2, false>());
  case 3: return f(Kind<2, true>());
  default: return f(Kind<3, false>());
  }
}

template <class R, class V> R read(Descriptor image, ulong sampler, int kind, V coordinates) {
  return for_kind(kind, [=](auto k) {
    using K = decltype(k);
    return sample<R, K>(View(image), sampler, first_components<K>(coordinates));
  });
}

template <class V> void write_any(Descriptor image, int kind, int4 coordinates, V colour) {
  for_kind(kind, [=](auto k) {
    using K = decltype(k);
    write<K>(View(image), first_components<K>(coordinates), colour);
  });
}

} // namespace

#define FUNCTIONS(R, suffix)                                                                                 \
  extern "C" R test_read##suffix(Descriptor image, ulong sampler, int kind, float4 coordinates) {            \
    return read<R>(image, sampler, kind, coordinates);                                                       \
  }                                                                                                          \
  extern "C" R test_read_at##suffix(Descriptor image, ulong sampler, int kind, int4 coordinates) {           \
    return read<R>(image, sampler, kind, coordinates);                                                       \
  }                                                                                                          \
  extern "C" void test_write##suffix(Descriptor image, int kind, int4 coordinates, R colour) {               \
    write_any(image, kind, coordinates, colour);                                                             \
  }
FUNCTIONS(float4, f)
FUNCTIONS(int4, i)
FUNCTIONS(uint4, ui)

extern "C" float4 test_read_level(Descriptor image, ulong sampler, int kind, float4 coordinates, float lod) {
  return for_kind(kind, [=](auto k) {
    using K = decltype(k);
    return sample_level<float4, K>(View(image), sampler, first_components<K>(coordinates), lod);
  });
}

extern "C" float test_lod(Descriptor image, ulong sampler, int kind, float4 gradient_x, float4 gradient_y) {
  return for_kind(kind, [=](auto k) {
    using K = decltype(k);
    return lod_of<K>(View(image), sampler, gradient_of<K>(gradient_x), gradient_of<K>(gradient_y));
  });
}
