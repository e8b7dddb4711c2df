#pragma once

// A row: the same work as OpenCL and as C++ with oneTBB, on arrays of its own for each side.

#include "bench/device.hpp"
#include "bench/native/code/code.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace bench::native {

enum class Role {
  input,   ///< neither side writes to it
  result,  ///< begins each round with its first contents, and is compared
  scratch, ///< is written to before it is read
};

/// An array of a row. The two sides have memory of their own, on large pages for both.
struct Array {
  std::size_t index;
};

/// The sizes of a launch. Without `local` the driver chooses.
struct Grid {
  std::vector<int> global, local = {};
};

class Work {
public:
  /// Kernels are those of `file` in bench/native/kernels. Numbers are the small ones where `small`.
  Work(const Device& device, const char* file, bool small);

  int pick(int full, int small) const { return small_ ? small : full; }
  /// The same, for the C++ side as well.
  int number(int full, int small);

  template <class T>
  Array input(const std::vector<T>& contents) {
    return array(contents.data(), contents.size(), Role::input, 0);
  }

  /// `tolerance` is relative to the largest magnitude in the array; 0 for equal bits.
  template <class T>
    requires std::is_arithmetic_v<T>
  Array result(const std::vector<T>& contents, double tolerance = 1e-5) {
    return array(contents.data(), contents.size(), Role::result, std::is_integral_v<T> ? 0 : tolerance);
  }

  /// A result whose elements may be in any order.
  Array unordered_result(const std::vector<cl_uint>& contents);

  /// An image of RGBA8 for the OpenCL side, and an array of pixels for the C++ side.
  /// @param type CL_UNORM_INT8 or CL_UNSIGNED_INT8
  Array image(Role role, const std::vector<cl_uint>& pixels, int width, cl_channel_type type);

  template <class T>
  Array scratch(std::size_t count) {
    return array<T>(nullptr, count, Role::scratch, 0);
  }

  /// Appends a launch to the OpenCL side; arguments are arrays, numbers, and cl::Local.
  template <class... Arguments>
  void launch(const char* name, const Grid& grid, const Arguments&... arguments) {
    cl::Kernel kernel(program_, name);
    cl_uint index = 0;
    (set_argument(kernel, index++, arguments), ...);
    launches_.push_back({std::move(kernel), range(grid.global), range(grid.local)});
  }

  /// Kernel, global size, and local size where one is given, as "gemm 512,512 16,16".
  std::vector<std::string> launches() const;

  /// Gives one side's results their first contents.
  void restore_opencl() const;
  void restore_native();

  /// All launches, from the first one's enqueueing to the last one's end.
  void run_opencl() const;
  void run_native(Call call) const { call(data_); }

  /// @throws std::runtime_error if results of the last runs differ from those that keep_expected() found
  void check_opencl() const;
  void check_native() const;
  /// Makes the C++ side's results what others are compared with. They may not be what they were at first.
  void keep_expected();

private:
  struct Stored {
    std::size_t bytes = 0;
    Role role = Role::input;
    double tolerance = 0;
    double (*difference)(const std::byte* have, const std::byte* want, std::size_t bytes) = nullptr;
    std::vector<std::byte> first, expected;
    std::shared_ptr<std::byte> memory; ///< the C++ side's
    cl::Buffer buffer;                 ///< the OpenCL side's, unless it has an image
    cl::Image2D image;
    cl::array<std::size_t, 3> image_size = {};
  };
  struct Launch {
    cl::Kernel kernel;
    cl::NDRange global, local;
  };

  template <class T>
  Array array(const T* contents, std::size_t count, Role role, double tolerance);
  Array store(Stored stored, const void* contents);
  void write_opencl(const Stored& stored, const void* contents) const;
  std::vector<std::byte> read_opencl(const Stored& stored) const;
  static cl::NDRange range(const std::vector<int>& sizes);
  void compare(std::size_t index, const std::byte* have) const;

  void set_argument(cl::Kernel& kernel, cl_uint index, Array array) const {
    const Stored& stored = arrays_.at(array.index);
    if (stored.image()) return void(kernel.setArg(index, stored.image));
    kernel.setArg(index, stored.buffer);
  }
  template <class T>
  void set_argument(cl::Kernel& kernel, cl_uint index, const T& value) const {
    kernel.setArg(index, value);
  }

  const Device& device_;
  bool small_;
  cl::Program program_;
  std::vector<Stored> arrays_;
  std::vector<Launch> launches_;
  Data data_;
};

/// The largest difference, relative to the largest magnitude; infinity where only one is a number.
template <class T>
double largest_difference(const std::byte* have_bytes, const std::byte* want_bytes, std::size_t bytes) {
  const T *have = reinterpret_cast<const T*>(have_bytes), *want = reinterpret_cast<const T*>(want_bytes);
  double difference = 0, magnitude = 0;
  for (std::size_t i = 0; i < bytes / sizeof(T); ++i) {
    const double apart = std::abs(double(have[i]) - double(want[i]));
    if (!(apart <= std::numeric_limits<double>::max())) return std::numeric_limits<double>::infinity();
    difference = std::max(difference, apart);
    magnitude = std::max(magnitude, std::abs(double(want[i])));
  }
  return magnitude > 0 ? difference / magnitude : difference;
}

template <class T>
Array Work::array(const T* contents, std::size_t count, Role role, double tolerance) {
  Stored stored;
  stored.bytes = count * sizeof(T);
  stored.role = role;
  stored.tolerance = tolerance;
  if constexpr (std::is_arithmetic_v<T>) stored.difference = largest_difference<T>;
  return store(std::move(stored), contents);
}

/// A row of the table.
struct Row {
  const char* name;
  const char* title;
  const char* kernels; ///< a file of bench/native/kernels
  void (*set_up)(Work&);
};

// One table per file in rows/, in the order of the printed table.
std::span<const Row> memory_rows();
std::span<const Row> stencil_rows();
std::span<const Row> product_rows();
std::span<const Row> reduction_rows();
std::span<const Row> atomic_rows();
std::span<const Row> sorting_rows();
std::span<const Row> graph_rows();
std::span<const Row> particle_rows();
std::span<const Row> dynamic_rows();
std::span<const Row> signal_rows();
std::span<const Row> image_rows();

} // namespace bench::native
