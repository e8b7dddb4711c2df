#include "bench/functions/measured.hpp"

namespace bench::functions {
namespace {

// A work-group of `throughput` goes through one piece of the arrays again and again. The piece fits into the first-level
// cache for float, and into the second-level cache for double. The compiler does not know that all `shifts` are 0, so that
// no iteration's results are those of another one. In `latency`, the bits of each result are masked by `zero`, which the
// compiler does not know to be 0, and combined with the next arguments.
constexpr const char* kernels = R"(
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define AS_BITS JOIN(as_, BITS)
#define AS_T JOIN(as_, T)
kernel void throughput(int times, global const T* xs, global const T* ys, global const int* ns, global T* out,
                       global const int* shifts, int per_item) {
  size_t first = get_group_id(0) * GROUP * per_item + get_local_id(0);
  for (int t = 0; t < times; ++t) {
    size_t shifted = first + shifts[t % SHIFTS];
    for (int k = 0; k < per_item; ++k) {
      size_t i = shifted + k * GROUP;
      T x = xs[i], y = ys[i], r, s = 0;
      int n = ns[i];
      CODE
      out[i] = AS_T((BITS)(AS_BITS(r) ^ AS_BITS(s)));
    }
  }
}
kernel void latency(int times, global const T* xs, global const T* ys, global const int* ns, global T* out,
                    global const BITS* zero) {
  BITS mask = *zero, link = 0;
  for (int t = 0; t < times; ++t)
    for (int i = 0; i < CHAIN; ++i) {
      T x = AS_T((BITS)(AS_BITS(xs[i]) ^ link)), y = AS_T((BITS)(AS_BITS(ys[i]) ^ link)), r, s = 0;
      int n = ns[i] ^ (int)link;
      CODE
      link = (AS_BITS(r) | AS_BITS(s)) & mask;
    }
  *out = AS_T(link);
}
kernel void values(global const T* xs, global const T* ys, global const int* ns, global T* first, global T* second) {
  size_t i = get_global_id(0);
  T x = xs[i], y = ys[i], r, s = 0;
  int n = ns[i];
  CODE
  first[i] = r;
  second[i] = s;
}
)";

constexpr std::size_t group = 256, per_item = 8, groups = 4, shifts = 16, chain = 256;
constexpr std::size_t elements = group * per_item * groups;
constexpr double shortest_launch = 0.0005;

template <class T>
struct InOpenCL;
template <>
struct InOpenCL<float> {
  static constexpr const char *name = "float", *bits = "uint", *extension = nullptr;
};
template <>
struct InOpenCL<double> {
  static constexpr const char *name = "double", *bits = "ulong", *extension = "cl_khr_fp64";
};
template <>
struct InOpenCL<_Float16> {
  static constexpr const char *name = "half", *bits = "ushort", *extension = "cl_khr_fp16";
};

template <class T>
cl::Program build(const Device& device, const Row& row) {
  using Names = InOpenCL<T>;
  std::string source;
  if (Names::extension) {
    if (!device.has_extension(Names::extension)) throw Unsupported(std::string("no ") + Names::extension);
    source += std::string("#pragma OPENCL EXTENSION ") + Names::extension + " : enable\n";
  }
  const auto define = [&](const char* name, const std::string& text) {
    source += std::string("#define ") + name + ' ' + text + '\n';
  };
  define("T", Names::name);
  define("BITS", Names::bits);
  define("GROUP", std::to_string(group));
  define("SHIFTS", std::to_string(shifts));
  define("CHAIN", std::to_string(chain));
  define("CODE", row.code);
  return device.build_source(source + kernels, "-cl-std=CL1.2");
}

template <class T>
struct Arrays {
  cl::Buffer x, y, n;
  Arrays(const Device& device, const Samples<T>& samples)
      : x(device.buffer(samples.x)), y(device.buffer(samples.y)), n(device.buffer(samples.n)) {}
};

/// Seconds per iteration of a kernel whose first argument is the number of iterations: of the shortest launch.
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

template <class T>
double throughput(const Device& device, const cl::Program& program, const Arrays<T>& arrays) {
  cl::Kernel kernel(program, "throughput");
  const cl::Buffer out = device.empty_buffer<T>(elements), offsets = device.empty_buffer<int>(shifts);
  kernel.setArg(1, arrays.x);
  kernel.setArg(2, arrays.y);
  kernel.setArg(3, arrays.n);
  kernel.setArg(4, out);
  kernel.setArg(5, offsets);
  kernel.setArg(6, cl_int(per_item));
  return seconds_per_iteration(device, kernel, group * groups, group) / elements;
}

template <class T>
double latency(const Device& device, const cl::Program& program, const Arrays<T>& arrays) {
  cl::Kernel kernel(program, "latency");
  const cl::Buffer out = device.empty_buffer<T>(1), zero = device.empty_buffer<T>(1);
  kernel.setArg(1, arrays.x);
  kernel.setArg(2, arrays.y);
  kernel.setArg(3, arrays.n);
  kernel.setArg(4, out);
  kernel.setArg(5, zero);
  return seconds_per_iteration(device, kernel, 1, 1) / chain;
}

template <class T>
Error error(const Device& device, const cl::Program& program, const Row& row) {
  Samples<T> samples = samples_for_errors<T>(row);
  const std::size_t count = (samples.x.size() + group - 1) / group * group;
  samples.x.resize(count, samples.x[0]);
  samples.y.resize(count, samples.y[0]);
  samples.n.resize(count, samples.n[0]);
  const Arrays<T> arrays(device, samples);
  const cl::Buffer first = device.empty_buffer<T>(count), second = device.empty_buffer<T>(count);
  cl::Kernel kernel(program, "values");
  kernel.setArg(0, arrays.x);
  kernel.setArg(1, arrays.y);
  kernel.setArg(2, arrays.n);
  kernel.setArg(3, first);
  kernel.setArg(4, second);
  device.launch(kernel, cl::NDRange(count), cl::NDRange(group));
  return largest_error(row, samples, device.read<T>(first, count), device.read<T>(second, count));
}

template <class T>
Figures measure_as(const Device& device, const Row& row) {
  const cl::Program program = build<T>(device, row);
  const Arrays<T> arrays(device, samples_of_ranges<T>(row, elements));
  return {throughput(device, program, arrays), latency(device, program, arrays),
          error<T>(device, program, row)};
}

} // namespace

const char* name_of(Type type) {
  constexpr const char* names[] = {InOpenCL<float>::name, InOpenCL<double>::name, InOpenCL<_Float16>::name};
  return names[int(type)];
}

Figures measure(const Device& device, const Row& row, Type type) {
  switch (type) {
  case Type::single_precision:
    return measure_as<float>(device, row);
  case Type::double_precision:
    return measure_as<double>(device, row);
  default:
    return measure_as<_Float16>(device, row);
  }
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
