// A file of its own because it is compiled with -ffast-math, as the kernel is with -cl-fast-relaxed-math.

#include "bench/reference/parallel.hpp"
#include "bench/reference/reference.hpp"

#include <cmath>

namespace bench::reference {

void nbody(std::span<Body> acceleration, std::span<const Body> bodies, float softening) {
  parallel_for(bodies.size(), 64, [=](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const Body own = bodies[i];
      float ax = 0, ay = 0, az = 0;
      for (std::size_t j = 0; j < bodies.size(); ++j) {
        const float dx = bodies[j].x - own.x, dy = bodies[j].y - own.y, dz = bodies[j].z - own.z;
        const float inverse = 1.0f / std::sqrt(dx * dx + dy * dy + dz * dz + softening);
        const float pull = bodies[j].mass * inverse * inverse * inverse;
        ax += pull * dx;
        ay += pull * dy;
        az += pull * dz;
      }
      acceleration[i] = {ax, ay, az, 0};
    }
  });
}

} // namespace bench::reference
