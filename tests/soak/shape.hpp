#pragma once

// Index spaces of launches.

#include "soak/random.hpp"

#include <CL/cl.h>

#include <cstddef>

namespace soak {

/// One to three dimensions with or without an offset and a local size, which need not divide the global one.
struct Shape {
  cl_uint dimensions = 1;
  std::size_t offset[3] = {}, global[3] = {1, 1, 1}, local[3] = {1, 1, 1};
  bool has_offset = false, has_local = false;

  std::size_t size() const { return global[0] * global[1] * global[2]; }
  cl_int enqueue(cl_command_queue queue, cl_kernel kernel, cl_uint count, const cl_event* waits,
                 cl_event* event) const {
    return clEnqueueNDRangeKernel(queue, kernel, dimensions, has_offset ? offset : nullptr, global,
                                  has_local ? local : nullptr, count, waits, event);
  }
};

/// A shape of no more than so many work-items.
inline Shape random_shape(Random& random, std::size_t items) {
  Shape shape;
  shape.dimensions = static_cast<cl_uint>(random.between(1, 3));
  shape.has_offset = random.chance(30);
  shape.has_local = random.chance(50);
  std::size_t rest = items, group = 256;
  for (cl_uint i = 0; i < shape.dimensions; ++i) {
    const bool is_last = i + 1 == shape.dimensions;
    shape.global[i] =
        is_last && random.chance(60) ? rest : random.between(1, is_last || rest < 64 ? rest : 64);
    rest /= shape.global[i];
    if (shape.has_offset) shape.offset[i] = random.below(100);
    if (!shape.has_local) continue;
    shape.local[i] = random.between(1, shape.global[i] < group ? shape.global[i] : group);
    group /= shape.local[i];
  }
  return shape;
}

} // namespace soak
