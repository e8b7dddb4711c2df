// Compares functions of one float with the double functions of the same driver, on all 2^32 arguments.
// usage: maths_sweep [NAME...]    these functions, or all

#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr const char* all_functions[] = {
    "acos",         "acosh",       "acospi",      "asin",         "asinh",       "asinpi",
    "atan",         "atanh",       "atanpi",      "cbrt",         "ceil",        "cos",
    "cosh",         "cospi",       "erf",         "erfc",         "exp",         "exp10",
    "exp2",         "expm1",       "fabs",        "floor",        "ilogb",       "log",
    "log10",        "log1p",       "log2",        "logb",         "rint",        "round",
    "rsqrt",        "sin",         "sinh",        "sinpi",        "sqrt",        "tan",
    "tanh",         "tanpi",       "tgamma",      "trunc",        "half_cos",    "half_exp",
    "half_exp10",   "half_exp2",   "half_log",    "half_log10",   "half_log2",   "half_recip",
    "half_rsqrt",   "half_sin",    "half_sqrt",   "half_tan",     "native_cos",  "native_exp",
    "native_exp10", "native_exp2", "native_log",  "native_log10", "native_log2", "native_recip",
    "native_rsqrt", "native_sin",  "native_sqrt", "native_tan"};

// The error in ULP of OpenCL C 3.0, 7.4: 2^-149 at least, and infinity counts as 2^128. A NaN or a zero's
// sign that differs is an infinite error. The upper half of `worst` is the error, the lower one the argument.
constexpr const char* source = R"(
  double recip(double x) { return 1.0 / x; }
  float error_of(float y, double wanted) {
    if (isnan(y) || isnan(wanted)) return isnan(y) && isnan(wanted) ? 0.0f : INFINITY;
    if (y == 0 && wanted == 0) return signbit(y) == signbit(wanted) ? 0.0f : INFINITY;
    double have = isinf(y) ? copysign(0x1p128, (double)y) : y;
    double want = fabs(wanted) > 0x1p128 ? copysign(0x1p128, wanted) : wanted;
    double ulp = as_double(as_long(fmax(fabs(want), 0x1p-126)) & 0x7ff0000000000000l) * 0x1p-23;
    return fabs(have - want) / ulp;
  }
  kernel void sweep(global ulong* worst, uint count) {
    uint first = get_global_id(0) * count;
    ulong largest = 0;
    for (uint i = 0; i < count; ++i) {
      float x = as_float(first + i);
      ulong found = (ulong)as_uint(error_of(FUNCTION(x), REFERENCE((double)x))) << 32 | (first + i);
      largest = max(largest, found);
    }
    atom_max(worst, largest);
  })";

void sweep(const cl::Context& context, const cl::CommandQueue& queue, const std::string& name) {
  const auto start = std::chrono::steady_clock::now();
  const std::size_t prefix = name.rfind('_');
  const std::string reference = prefix == std::string::npos ? name : name.substr(prefix + 1);
  cl::Program program(context, source);
  program.build(("-DFUNCTION=" + name + " -DREFERENCE=" + reference).c_str());

  constexpr cl_uint arguments_per_item = 4096;
  std::uint64_t worst = 0;
  const cl::Buffer buffer(context, CL_MEM_COPY_HOST_PTR, sizeof worst, &worst);
  cl::Kernel kernel(program, "sweep");
  kernel.setArg(0, buffer);
  kernel.setArg(1, arguments_per_item);
  queue.enqueueNDRangeKernel(kernel, cl::NullRange,
                             cl::NDRange((std::uint64_t{1} << 32) / arguments_per_item));
  queue.enqueueReadBuffer(buffer, CL_TRUE, 0, sizeof worst, &worst);

  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("%-13s %10.4f at %a (%.1f s)\n", name.c_str(), std::bit_cast<float>(std::uint32_t(worst >> 32)),
              std::bit_cast<float>(std::uint32_t(worst)), seconds.count());
  std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
  std::vector<std::string> names(argv + 1, argv + argc);
  if (names.empty()) names.assign(std::begin(all_functions), std::end(all_functions));
  try {
    const cl::Context context(CL_DEVICE_TYPE_CPU);
    const cl::CommandQueue queue(context);
    for (const std::string& name : names)
      sweep(context, queue, name);
  } catch (const cl::Error& error) {
    std::fprintf(stderr, "maths_sweep: %s returned %d\n", error.what(), error.err());
    return 1;
  }
}
