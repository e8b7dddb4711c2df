// The heat equation on the nodes of a cluster, by StarPU with MPI: each rank has a band of the grid's rows, a task is one
// step of a band on the node's OpenCL device, and StarPU sends the outer rows where they are read. Compared with one
// thread of C++, bit for bit.
//   mpirun -n 2 starpu_heat [--width=N] [--height=N] [--steps=N]

#include "grid.hpp"
#include "options.hpp"

#include <starpu.h>
#include <starpu_mpi.h>
#include <starpu_opencl.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

using cluster::Grid;

starpu_opencl_program program;

[[noreturn]] void fail(const char* what, int error) {
  std::fprintf(stderr, "starpu_heat: %s failed with %d\n", what, error);
  std::exit(2);
}

void check(const char* what, int error) {
  if (error != 0) fail(what, error);
}

struct BandSize {
  int width, rows, is_first, is_last;
};

/// What a worker of StarPU runs: the kernel `step` on its device.
void step_on_device(void* buffers[], void* argument) {
  BandSize size;
  starpu_codelet_unpack_args(argument, &size);
  cl_kernel kernel = nullptr;
  cl_command_queue queue = nullptr;
  cl_event done = nullptr;
  check("starpu_opencl_load_kernel",
        starpu_opencl_load_kernel(&kernel, &queue, &program, "step",
                                  starpu_worker_get_devid(starpu_worker_get_id())));
  cl_uint index = 0;
  for (; index < 6; ++index) {
    auto memory = reinterpret_cast<cl_mem>(STARPU_VECTOR_GET_DEV_HANDLE(buffers[index]));
    check("clSetKernelArg", clSetKernelArg(kernel, index, sizeof memory, &memory));
  }
  for (const cl_int number : {size.width, size.rows, size.is_first, size.is_last})
    check("clSetKernelArg", clSetKernelArg(kernel, index++, sizeof number, &number));
  const std::array<std::size_t, 2> items{static_cast<std::size_t>(size.width),
                                         static_cast<std::size_t>(size.rows)};
  check("clEnqueueNDRangeKernel",
        clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, items.data(), nullptr, 0, nullptr, &done));
  check("clWaitForEvents", clWaitForEvents(1, &done));
  starpu_opencl_collect_stats(done);
  clReleaseEvent(done);
  starpu_opencl_release_kernel(kernel);
}

starpu_codelet step_codelet() {
  starpu_codelet codelet{};
  codelet.where = STARPU_OPENCL;
  codelet.opencl_funcs[0] = step_on_device;
  codelet.nbuffers = 6;
  for (int i = 0; i < 6; ++i)
    codelet.modes[i] = i < 3 ? STARPU_R : STARPU_W;
  codelet.name = "step";
  return codelet;
}

/// Numbers that a rank owns, as StarPU knows them.
struct Data {
  std::vector<float> values; ///< empty on other ranks
  starpu_data_handle_t handle = nullptr;

  void share(std::size_t count, int owner, int rank) {
    static starpu_mpi_tag_t tag = 0;
    const bool is_own = owner == rank;
    if (is_own) values.resize(count);
    starpu_vector_data_register(&handle, is_own ? STARPU_MAIN_RAM : -1,
                                reinterpret_cast<std::uintptr_t>(values.data()),
                                static_cast<std::uint32_t>(count), sizeof(float));
    starpu_mpi_data_register(handle, tag++, owner);
  }
};

/// The rows of one rank, with data for even and for odd steps.
struct Band {
  std::size_t begin = 0, rows = 0;
  std::array<Data, 2> values, top, bottom;
};

class Heat {
public:
  Heat(const Grid& grid, std::size_t width) : width_(width) {
    starpu_mpi_comm_rank(MPI_COMM_WORLD, &rank_);
    int ranks = 0;
    starpu_mpi_comm_size(MPI_COMM_WORLD, &ranks);
    bands_.resize(ranks);
    for (int owner = 0; owner < ranks; ++owner) {
      Band& band = bands_[owner];
      band.begin = cluster::part_begin(grid.size() / width, ranks, owner);
      band.rows = cluster::part_begin(grid.size() / width, ranks, owner + 1) - band.begin;
      if (owner == rank_) {
        const float* first = &grid[band.begin * width];
        band.values[0].values.assign(first, first + band.rows * width);
        band.top[0].values.assign(first, first + width);
        band.bottom[0].values.assign(first + (band.rows - 1) * width, first + band.rows * width);
      }
      for (int i = 0; i < 2; ++i) {
        band.values[i].share(band.rows * width, owner, rank_);
        band.top[i].share(width, owner, rank_);
        band.bottom[i].share(width, owner, rank_);
      }
    }
  }

  ~Heat() {
    for (Band& band : bands_)
      for (auto* all : {&band.values, &band.top, &band.bottom})
        for (Data& data : *all)
          starpu_data_unregister(data.handle);
  }
  Heat(const Heat&) = delete;

  /// All ranks insert all tasks, and each runs its own.
  void run(std::size_t steps) {
    for (std::size_t step = 0; step < steps; ++step)
      for (std::size_t i = 0; i < bands_.size(); ++i)
        insert(i, step % 2);
    starpu_task_wait_for_all();
    starpu_mpi_barrier(MPI_COMM_WORLD);
  }

  /// The grid, on rank 0.
  Grid result(std::size_t steps) {
    Grid grid;
    for (Band& band : bands_) {
      Data& data = band.values[steps % 2];
      starpu_mpi_get_data_on_node(MPI_COMM_WORLD, data.handle, 0);
      if (rank_ != 0) continue;
      starpu_data_acquire(data.handle, STARPU_R);
      const auto* values = static_cast<const float*>(starpu_data_get_local_ptr(data.handle));
      grid.insert(grid.end(), values, values + band.rows * width_);
      starpu_data_release(data.handle);
    }
    return grid;
  }

  int rank() const { return rank_; }
  std::size_t ranks() const { return bands_.size(); }

private:
  void insert(std::size_t i, std::size_t now) {
    const std::size_t next = 1 - now;
    const bool is_first = i == 0, is_last = i + 1 == bands_.size();
    Band& band = bands_[i];
    const Data &above = is_first ? band.top[now] : bands_[i - 1].bottom[now],
               &below = is_last ? band.bottom[now] : bands_[i + 1].top[now];
    const BandSize size{static_cast<int>(width_), static_cast<int>(band.rows), is_first, is_last};
    check("starpu_mpi_task_insert",
          starpu_mpi_task_insert(MPI_COMM_WORLD, &codelet_, STARPU_VALUE, &size, sizeof size, STARPU_R,
                                 band.values[now].handle, STARPU_R, above.handle, STARPU_R, below.handle,
                                 STARPU_W, band.values[next].handle, STARPU_W, band.top[next].handle,
                                 STARPU_W, band.bottom[next].handle, 0));
  }

  starpu_codelet codelet_ = step_codelet();
  int rank_ = 0;
  std::size_t width_;
  std::vector<Band> bands_;
};

/// @returns whether the result is right
bool run(int count, char** arguments) {
  const auto number = [&](const char* name, std::size_t otherwise) {
    return cluster::number_of(count, arguments, name, otherwise);
  };
  const std::size_t width = number("width", 1024), height = number("height", 1024),
                    steps = number("steps", 100);
  check("starpu_opencl_load_opencl_from_file",
        starpu_opencl_load_opencl_from_file(CLUSTER_FOLDER "/heat.cl", &program, ""));
  const Grid grid = cluster::first_grid(width, height);
  Heat(grid, width).run(1); // the code is compiled
  Heat heat(grid, width);
  const auto begin = std::chrono::steady_clock::now();
  heat.run(steps);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  const Grid result = heat.result(steps);
  if (heat.rank() != 0) return true;
  const bool is_right = result == cluster::expected_grid(grid, width, height, steps);
  std::printf(R"({"program": "starpu_heat", "devices": %zu, "seconds": %.6f, "steps": %zu, "verified": %s})"
              "\n",
              heat.ranks(), seconds.count(), steps, is_right ? "true" : "false");
  return is_right;
}

} // namespace

int main(int count, char** arguments) {
  check("starpu_mpi_init_conf", starpu_mpi_init_conf(&count, &arguments, 1, MPI_COMM_WORLD, nullptr));
  const bool is_right = run(count, arguments);
  starpu_opencl_unload_opencl(&program);
  starpu_mpi_shutdown();
  return is_right ? 0 : 1;
}
