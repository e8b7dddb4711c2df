// Bodies that attract each other, on all devices of a platform: each moves a part of them, and reads the positions of
// all, which the driver brings from device to device. Compared with one thread of C++ in double precision.
//   n_body [--devices=N] [--bodies=N] [--steps=N]

#include "devices.hpp"
#include "options.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <deque>

namespace {

constexpr float step_seconds = 0.001F;
constexpr double softening = 0.01;

std::vector<cl_float4> first_bodies(std::size_t count) {
  std::vector<cl_float4> bodies(count);
  std::uint32_t state = 1;
  const auto random = [&] {
    state = state * 1664525 + 1013904223;
    return static_cast<float>(state >> 8) / (1 << 24);
  };
  for (cl_float4& body : bodies)
    body = {{random(), random(), random(), (random() + 0.5F) / static_cast<float>(count)}};
  return bodies;
}

std::vector<std::array<double, 3>> expected_places(const std::vector<cl_float4>& bodies, std::size_t steps) {
  std::vector<std::array<double, 3>> places, velocities(bodies.size());
  for (const cl_float4& body : bodies)
    places.push_back({body.s[0], body.s[1], body.s[2]});
  for (std::size_t step = 0; step < steps; ++step) {
    const auto before = places;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      std::array<double, 3> force{};
      for (std::size_t j = 0; j < bodies.size(); ++j) {
        std::array<double, 3> way;
        for (std::size_t d = 0; d < 3; ++d)
          way[d] = before[j][d] - before[i][d];
        const double inverse = 1 / std::sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2] + softening);
        for (std::size_t d = 0; d < 3; ++d)
          force[d] += way[d] * (bodies[j].s[3] * inverse * inverse * inverse);
      }
      for (std::size_t d = 0; d < 3; ++d) {
        velocities[i][d] += force[d] * step_seconds;
        places[i][d] += velocities[i][d] * step_seconds;
      }
    }
  }
  return places;
}

/// The bodies of one device, with positions for even and for odd steps.
struct Part {
  cl_int count;
  cl::Buffer positions[2], velocities, forces;
  cl::Kernel attract, move;
  cl::Event done; ///< the step that was enqueued last
};

class Bodies {
public:
  Bodies(cluster::Devices& devices, const std::vector<cl_float4>& bodies) : devices_(devices) {
    for (std::size_t d = 0; d < devices.count(); ++d) {
      const std::size_t begin = cluster::part_begin(bodies.size(), devices.count(), d),
                        count = cluster::part_begin(bodies.size(), devices.count(), d + 1) - begin;
      const auto buffer = [&] {
        return cl::Buffer(devices.context, CL_MEM_READ_WRITE, count * sizeof(cl_float4));
      };
      parts_.push_back({static_cast<cl_int>(count),
                        {buffer(), buffer()},
                        buffer(),
                        buffer(),
                        cl::Kernel(devices.program, "attract"),
                        cl::Kernel(devices.program, "move"),
                        {}});
      const std::vector<cl_float4> nothing(count);
      devices.queues[d].enqueueWriteBuffer(parts_[d].positions[0], CL_TRUE, 0, count * sizeof(cl_float4),
                                           &bodies[begin]);
      devices.queues[d].enqueueWriteBuffer(parts_[d].velocities, CL_TRUE, 0, count * sizeof(cl_float4),
                                           nothing.data());
    }
  }

  void run(std::size_t steps) {
    for (std::size_t step = 0; step < steps; ++step) {
      std::vector<cl::Event> before;
      for (const Part& part : parts_)
        if (part.done() != nullptr) before.push_back(part.done);
      for (std::size_t d = 0; d < parts_.size(); ++d)
        enqueue(d, step % 2, before);
      for (const cl::CommandQueue& queue : devices_.queues)
        queue.flush();
    }
    for (const cl::CommandQueue& queue : devices_.queues)
      queue.finish();
  }

  std::vector<cl_float4> result(std::size_t steps) const {
    std::vector<cl_float4> all;
    for (std::size_t d = 0; d < parts_.size(); ++d) {
      std::vector<cl_float4> some(parts_[d].count);
      devices_.queues[d].enqueueReadBuffer(parts_[d].positions[steps % 2], CL_TRUE, 0,
                                           some.size() * sizeof some[0], some.data());
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }

private:
  /// A step of a part, which begins when all parts have ended the step before.
  void enqueue(std::size_t d, std::size_t now, const std::vector<cl::Event>& before) {
    Part& part = parts_[d];
    const cl::CommandQueue& queue = devices_.queues[d];
    const cl::NDRange range(part.count);
    for (std::size_t other = 0; other < parts_.size(); ++other) {
      part.attract.setArg(0, part.positions[now]);
      part.attract.setArg(1, parts_[other].positions[now]);
      part.attract.setArg(2, parts_[other].count);
      part.attract.setArg(3, part.forces);
      part.attract.setArg(4, static_cast<cl_int>(other == 0));
      queue.enqueueNDRangeKernel(part.attract, cl::NullRange, range, cl::NullRange, &before,
                                 &events_.emplace_back());
    }
    cl_uint index = 0;
    for (const cl::Buffer& buffer :
         {part.positions[now], part.velocities, part.forces, part.positions[1 - now]})
      part.move.setArg(index++, buffer);
    part.move.setArg(index, step_seconds);
    queue.enqueueNDRangeKernel(part.move, cl::NullRange, range, cl::NullRange, nullptr, &part.done);
    events_.push_back(part.done);
  }

  cluster::Devices& devices_;
  std::vector<Part> parts_;
  /// The events of all commands, until these have ended: PoCL's client may use one that has been released.
  std::deque<cl::Event> events_;
};

/// The largest distance of a body from where it should be.
double error_of(const std::vector<cl_float4>& bodies, const std::vector<std::array<double, 3>>& expected) {
  double most = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d)
      most = std::max(most, std::abs(bodies[i].s[d] - expected[i][d]));
  return most;
}

int run(int count, char** arguments) {
  const auto number = [&](const char* name, std::size_t otherwise) {
    return cluster::number_of(count, arguments, name, otherwise);
  };
  const std::size_t steps = number("steps", 10);
  cluster::Devices devices(number("devices", 0), CLUSTER_FOLDER "/n_body.cl", "");
  const std::vector<cl_float4> first = first_bodies(number("bodies", 4096));
  Bodies(devices, first).run(1); // the code is compiled, and is on the devices
  Bodies bodies(devices, first);
  const auto begin = std::chrono::steady_clock::now();
  bodies.run(steps);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  const double error = error_of(bodies.result(steps), expected_places(first, steps));
  const bool is_right = error < 1e-5;
  std::printf(
      R"({"program": "n_body", "devices": %zu, "seconds": %.6f, "steps": %zu, "verified": %s, "error": %.2g})"
      "\n",
      devices.count(), seconds.count(), steps, is_right ? "true" : "false", error);
  return is_right ? 0 : 1;
}

} // namespace

int main(int count, char** arguments) {
  try {
    return run(count, arguments);
  } catch (const cl::Error& error) {
    std::fprintf(stderr, "n_body: %s failed with %d\n", error.what(), error.err());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "n_body: %s\n", error.what());
  }
  return 2;
}
