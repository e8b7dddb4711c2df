// The heat equation on all devices of a platform: each has a band of the grid's rows, and reads the outer rows of its
// neighbours, which the driver brings from device to device. Compared with one thread of C++, bit for bit.
//   heat [--devices=N] [--width=N] [--height=N] [--steps=N]

#include "devices.hpp"
#include "grid.hpp"
#include "options.hpp"

#include <chrono>
#include <cstdio>

namespace {

using cluster::Grid;

/// The rows of one device, with buffers for even and for odd steps.
struct Band {
  std::size_t begin, rows; ///< of the grid
  cl::Buffer values[2], top[2], bottom[2];
  cl::Kernel kernel;
  cl::Event done; ///< the step that was enqueued last
};

class Heat {
public:
  Heat(cluster::Devices& devices, const Grid& grid, std::size_t width) : devices_(devices), width_(width) {
    const std::size_t height = grid.size() / width;
    for (std::size_t d = 0; d < devices.count(); ++d) {
      const std::size_t begin = cluster::part_begin(height, devices.count(), d);
      bands_.push_back({begin,
                        cluster::part_begin(height, devices.count(), d + 1) - begin,
                        {},
                        {},
                        {},
                        cl::Kernel(devices.program, "step"),
                        {}});
      fill(bands_.back(), devices.queues[d], grid);
    }
  }

  void run(std::size_t steps) {
    for (std::size_t step = 0; step < steps; ++step) {
      std::vector<cl::Event> done(bands_.size());
      for (std::size_t d = 0; d < bands_.size(); ++d)
        done[d] = enqueue(d, step);
      for (std::size_t d = 0; d < bands_.size(); ++d)
        bands_[d].done = done[d];
      for (const cl::CommandQueue& queue : devices_.queues)
        queue.flush();
    }
    for (const cl::CommandQueue& queue : devices_.queues)
      queue.finish();
  }

  Grid result(std::size_t steps) const {
    Grid grid;
    for (std::size_t d = 0; d < bands_.size(); ++d) {
      Grid rows(bands_[d].rows * width_);
      devices_.queues[d].enqueueReadBuffer(bands_[d].values[steps % 2], CL_TRUE, 0,
                                           rows.size() * sizeof(float), rows.data());
      grid.insert(grid.end(), rows.begin(), rows.end());
    }
    return grid;
  }

private:
  void fill(Band& band, const cl::CommandQueue& queue, const Grid& grid) const {
    const std::size_t row_bytes = width_ * sizeof(float);
    const float* first = &grid[band.begin * width_];
    for (int i = 0; i < 2; ++i) {
      band.values[i] = cl::Buffer(devices_.context, CL_MEM_READ_WRITE, band.rows * row_bytes);
      band.top[i] = cl::Buffer(devices_.context, CL_MEM_READ_WRITE, row_bytes);
      band.bottom[i] = cl::Buffer(devices_.context, CL_MEM_READ_WRITE, row_bytes);
    }
    queue.enqueueWriteBuffer(band.values[0], CL_TRUE, 0, band.rows * row_bytes, first);
    queue.enqueueWriteBuffer(band.top[0], CL_TRUE, 0, row_bytes, first);
    queue.enqueueWriteBuffer(band.bottom[0], CL_TRUE, 0, row_bytes, first + (band.rows - 1) * width_);
  }

  /// A step of a band begins when the step before has ended in it and in its neighbours.
  cl::Event enqueue(std::size_t d, std::size_t step) {
    const std::size_t now = step % 2, next = 1 - now;
    const bool is_first = d == 0, is_last = d + 1 == bands_.size();
    Band& band = bands_[d];
    const cl::Buffer &above = is_first ? band.top[now] : bands_[d - 1].bottom[now],
                     &below = is_last ? band.bottom[now] : bands_[d + 1].top[now];
    cl_uint index = 0;
    for (const cl::Buffer& buffer :
         {band.values[now], above, below, band.values[next], band.top[next], band.bottom[next]})
      band.kernel.setArg(index++, buffer);
    for (const std::size_t number : {width_, band.rows, std::size_t{is_first}, std::size_t{is_last}})
      band.kernel.setArg(index++, static_cast<cl_int>(number));
    std::vector<cl::Event> before;
    for (const std::size_t other : {d - 1, d + 1})
      if (other < bands_.size() && bands_[other].done() != nullptr) before.push_back(bands_[other].done);
    cl::Event done;
    devices_.queues[d].enqueueNDRangeKernel(band.kernel, cl::NullRange, cl::NDRange(width_, band.rows),
                                            cl::NullRange, &before, &done);
    return done;
  }

  cluster::Devices& devices_;
  std::size_t width_;
  std::vector<Band> bands_;
};

int run(int count, char** arguments) {
  const auto number = [&](const char* name, std::size_t otherwise) {
    return cluster::number_of(count, arguments, name, otherwise);
  };
  const std::size_t width = number("width", 1024), height = number("height", 1024),
                    steps = number("steps", 100);
  cluster::Devices devices(number("devices", 0), CLUSTER_FOLDER "/heat.cl", "");
  const Grid grid = cluster::first_grid(width, height);
  Heat(devices, grid, width).run(1); // the code is compiled, and is on the devices
  Heat heat(devices, grid, width);
  const auto begin = std::chrono::steady_clock::now();
  heat.run(steps);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  const bool is_right = heat.result(steps) == cluster::expected_grid(grid, width, height, steps);
  std::printf(R"({"program": "heat", "devices": %zu, "seconds": %.6f, "steps": %zu, "verified": %s})"
              "\n",
              devices.count(), seconds.count(), steps, is_right ? "true" : "false");
  return is_right ? 0 : 1;
}

} // namespace

int main(int count, char** arguments) {
  try {
    return run(count, arguments);
  } catch (const cl::Error& error) {
    std::fprintf(stderr, "heat: %s failed with %d\n", error.what(), error.err());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heat: %s\n", error.what());
  }
  return 2;
}
