// Addressing and filters of the model (OpenCL C 3.0, 8.2).

#include "support/image_model.hpp"

#include <algorithm>
#include <cmath>

namespace test {

namespace {

/// A texel's place along an axis, and its weight. Outside is -1.
struct Tap {
  int at;
  double weight;
};

int addressed(double at, int size, Addressing addressing) {
  switch (addressing) {
  case Addressing::repeat:
    return static_cast<int>(at < 0 ? at + size : at >= size ? at - size : at);
  case Addressing::clamp:
    return at < 0 || at >= size ? -1 : static_cast<int>(at);
  default:
    return static_cast<int>(std::clamp(at, 0.0, size - 1.0));
  }
}

/// u of the specification, which nearest filters round as the specification's expression does in float.
template <class T>
T scaled(T s, int size, const SamplerModel& sampler) {
  if (sampler.addressing == Addressing::repeat) return (s - std::floor(s)) * static_cast<T>(size);
  if (sampler.addressing == Addressing::mirrored_repeat)
    return std::fabs(s - 2 * std::rint(s / 2)) * static_cast<T>(size);
  return sampler.normalized ? s * static_cast<T>(size) : s;
}

/// One texel along an axis, or the two that a linear filter mixes.
struct Taps {
  Tap tap[2];
  int count;
  const Tap* begin() const { return tap; }
  const Tap* end() const { return tap + count; }
};

Taps taps(float s, int size, const SamplerModel& sampler) {
  if (!sampler.linear) {
    const float product = scaled<float>(s, size, sampler);
    return {{{addressed(std::floor(product), size, sampler.addressing), 1}, {}}, 1};
  }
  const double u = scaled<double>(s, size, sampler) - 0.5, first = std::floor(u), weight = u - first;
  return {{{addressed(first, size, sampler.addressing), 1 - weight},
           {addressed(first + 1, size, sampler.addressing), weight}},
          2};
}

} // namespace

std::byte* ImageModel::texel(int x, int y, int z) const {
  return data + static_cast<std::size_t>(z) * slice_pitch + static_cast<std::size_t>(y) * row_pitch +
         static_cast<std::size_t>(x) * texel_bytes(format);
}

Colour ImageModel::at(int x, int y, int z) const {
  const int depth = is_array ? layers : size[2];
  const bool inside = x >= 0 && x < size[0] && y >= 0 && y < size[1] && z >= 0 && z < depth;
  return inside ? decode(format, texel(x, y, z)) : border(format);
}

Colour ImageModel::sample(const SamplerModel& sampler, const std::array<float, 3>& coordinates) const {
  const Taps only_first = {{{0, 1}, {}}, 1};
  std::array<Taps, 3> along = {only_first, only_first, only_first};
  for (unsigned i = 0; i < axes; ++i)
    along[i] = taps(coordinates[i], size[i], sampler);
  if (is_array)
    along[2].tap[0].at =
        static_cast<int>(std::clamp(std::rint(coordinates[axes]), 0.0f, static_cast<float>(layers - 1)));
  Colour sum = {};
  for (const Tap& z : along[2])
    for (const Tap& y : along[1])
      for (const Tap& x : along[0]) {
        const Colour colour = at(x.at, y.at, z.at);
        for (unsigned i = 0; i < 4; ++i)
          sum[i] += x.weight * y.weight * z.weight * colour[i];
      }
  return sum;
}

Colour ImageModel::sample(const SamplerModel& sampler, const std::array<int, 3>& coordinates) const {
  std::array<int, 3> place = {0, 0, 0};
  for (unsigned i = 0; i < axes; ++i)
    place[i] = addressed(coordinates[i], size[i], sampler.addressing);
  if (is_array) place[2] = std::clamp(coordinates[axes], 0, layers - 1);
  return at(place[0], place[1], place[2]);
}

} // namespace test
