#include "bench/functions/measured.hpp"

#include "tests/maths/device.hpp"

#include <memory>

namespace bench::functions {
namespace {

using maths::Format, maths::Kind, maths::Real;

// Each work-group of `throughput` goes through its own section of the arrays again and again. The section fits into the
// first-level cache for float, and into the second-level cache for double. All `shifts` are 0, but the compiler does
// not know that, so that it cannot take the results of one iteration for those of another. In `latency`, the bits of
// each result are masked by `zero`, which the compiler does not know to be 0, and combined with the next arguments.
constexpr const char* kernels = R"(
#define AS_(type) as_##type
#define AS(type) AS_(type)
kernel void throughput(int times, global const T* xs, global const Y* ys, global T* out, global const int* shifts,
                       int per_item) {
  size_t first = get_group_id(0) * GROUP * per_item + get_local_id(0);
  for (int t = 0; t < times; ++t) {
    size_t shifted = first + shifts[t % SHIFTS];
    for (int k = 0; k < per_item; ++k) {
      size_t i = shifted + k * GROUP;
      T x = xs[i], result;
      Y y = ys[i];
      OTHER other = 0;
      result = CALL;
      out[i] = AS(T)((T_BITS)(AS(T_BITS)(result) ^ AS(OTHER_BITS)(other)));
    }
  }
}
kernel void latency(int times, global const T* xs, global const Y* ys, global T* out, global const T_BITS* zero) {
  T_BITS mask = *zero, link = 0;
  for (int t = 0; t < times; ++t)
    for (int i = 0; i < CHAIN; ++i) {
      T x = AS(T)((T_BITS)(AS(T_BITS)(xs[i]) ^ link)), result;
      Y y = AS(Y)((Y_BITS)(AS(Y_BITS)(ys[i]) ^ link));
      OTHER other = 0;
      result = CALL;
      link = (AS(T_BITS)(result) | AS(OTHER_BITS)(other)) & mask;
    }
  *out = AS(T)(link);
}
)";

constexpr std::size_t group = 256, per_item = 8, groups = 4, shifts = 16, chain = 256;
constexpr std::size_t elements = group * per_item * groups;
constexpr double shortest_launch = 0.0005;
constexpr maths::Amount amount{200'000, 40'009}; // of arguments for errors

cl::Program build(const Device& device, const maths::Function& function, const Format& format) {
  std::string source;
  if (format.size != 4) {
    const char* extension = format.size == 8 ? "cl_khr_fp64" : "cl_khr_fp16";
    if (!device.has_extension(extension)) throw Unsupported(std::string("no ") + extension);
    source += std::string("#pragma OPENCL EXTENSION ") + extension + " : enable\n";
  }
  const auto define = [&](const std::string& name, const std::string& text) {
    source += "#define " + name + ' ' + text + '\n';
  };
  const auto define_type = [&](const std::string& name, Kind kind) {
    const std::size_t size = size_of(kind, format);
    define(name, type_of(kind, format));
    define(name + "_BITS", size == 2 ? "ushort" : size == 4 ? "uint" : "ulong");
  };
  define_type("T", Kind::real);
  define_type("Y", function.second_argument);
  define_type("OTHER", function.second_result);
  define("GROUP", std::to_string(group));
  define("SHIFTS", std::to_string(shifts));
  define("CHAIN", std::to_string(chain));
  define("CALL", function.call);
  return device.build_source(source + function.definitions + kernels, "-cl-std=CL1.2");
}

/// The arguments that are timed.
struct Arrays {
  cl::Buffer x, y;
  Arrays(const Device& device, const Row& row, const Format& format) {
    std::vector<Real> first, second;
    for (std::size_t i = 0; i < elements; ++i) {
      const maths::Pair pair = row.argument(format, i);
      first.push_back(pair.x);
      second.push_back(pair.y);
    }
    const auto buffer = [&](Kind kind, const std::vector<Real>& values) {
      std::vector<unsigned char> bytes(elements * sizeof(std::uint64_t));
      encode(kind, format, values, bytes.data());
      return device.buffer(bytes);
    };
    x = buffer(Kind::real, first);
    y = buffer(row.function.second_argument, second);
  }
};

/// Seconds per iteration, in the shortest launch of a kernel whose first argument is the number of iterations.
double seconds_per_iteration(const Device& device, cl::Kernel& kernel, std::size_t global,
                             std::size_t local) {
  int times = 1;
  const auto launch = [&] {
    kernel.setArg(0, times);
    const auto start = Clock::now();
    device.launch(kernel, cl::NDRange(global), cl::NDRange(local));
    device.queue().finish();
    return seconds_since(start);
  };
  launch();
  launch();
  while (launch() < shortest_launch && times < 1 << 24)
    times *= 2;
  return device.time(times, kernel, cl::NDRange(global), cl::NDRange(local)).best / times;
}

double throughput(const Device& device, const cl::Program& program, const Arrays& arrays) {
  cl::Kernel kernel(program, "throughput");
  const cl::Buffer out = device.empty_buffer<std::uint64_t>(elements),
                   offsets = device.empty_buffer<int>(shifts);
  kernel.setArg(1, arrays.x);
  kernel.setArg(2, arrays.y);
  kernel.setArg(3, out);
  kernel.setArg(4, offsets);
  kernel.setArg(5, cl_int(per_item));
  return seconds_per_iteration(device, kernel, group * groups, group) / elements;
}

double latency(const Device& device, const cl::Program& program, const Arrays& arrays) {
  cl::Kernel kernel(program, "latency");
  const cl::Buffer out = device.empty_buffer<std::uint64_t>(1), zero = device.empty_buffer<std::uint64_t>(1);
  kernel.setArg(1, arrays.x);
  kernel.setArg(2, arrays.y);
  kernel.setArg(3, out);
  kernel.setArg(4, zero);
  return seconds_per_iteration(device, kernel, 1, 1) / chain;
}

maths::Worst largest_error(const Device& device, const Row& row, std::size_t format) {
  const std::vector<maths::Function> functions{row.function};
  maths::Device tested(functions, {{1}}, /*flush=*/false, device.context());
  const maths::Arguments arguments(row.function, maths::formats[format], amount);
  const auto pair_at = [&](std::size_t i) {
    return row.errors_in_range ? row.argument(maths::formats[format], i) : arguments[i];
  };
  const std::size_t count = row.errors_in_range ? amount.random : arguments.size();
  const auto batch = std::make_unique<maths::Batch>();
  batch->format = format;
  maths::Worst worst;
  for (std::size_t first = 0; first < count; first += maths::Batch::capacity) {
    batch->fill(row.function, pair_at, first, count);
    worst.add(tested.test(*batch));
  }
  return worst;
}

} // namespace

Figures measure(const Device& device, const Row& row, std::size_t format) {
  const cl::Program program = build(device, row.function, maths::formats[format]);
  const Arrays arrays(device, row, maths::formats[format]);
  return {throughput(device, program, arrays), latency(device, program, arrays),
          largest_error(device, row, format)};
}

double clock_rate() {
  constexpr int additions = 20'000;
  double shortest = HUGE_VAL;
  for (int i = 0; i < 20; ++i) {
    const auto start = Clock::now();
    std::uint64_t sum = 1;
    for (int k = 0; k < additions; k += 10) {
#pragma GCC unroll 10
      for (int j = 0; j < 10; ++j) {
        sum += sum;
        asm volatile("" : "+r"(sum)); // so that the compiler does not combine the additions
      }
    }
    shortest = std::min(shortest, seconds_since(start));
  }
  return additions / shortest;
}

} // namespace bench::functions
