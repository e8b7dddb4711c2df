#include "sweep.hpp"

#include "opencl.hpp"

#include <chrono>
#include <cstdio>
#include <set>

namespace maths {

namespace {

// The error in ULP of OpenCL C 3.0, 7.4: 2^-149 at least, and infinity counts as 2^128. A NaN or a zero's
// sign that differs is an infinite error. The upper half of `worst` is the error, the lower one the argument.
constexpr const char* source = R"(
  double recip(double x) { return 1.0 / x; }
  double reference_of(double x) { return REFERENCE; }
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
      ulong found = (ulong)as_uint(error_of(FUNCTION, reference_of(x))) << 32 | (first + i);
      largest = max(largest, found);
    }
    atom_max(worst, largest);
  })";

void sweep(const cl::Context& context, const cl::CommandQueue& queue, const Function& function) {
  const auto start = std::chrono::steady_clock::now();
  const std::string& call = function.call;
  const std::size_t prefix = call.rfind('_');
  const std::string reference = prefix == std::string::npos ? call : call.substr(prefix + 1);
  cl::Program program(context, source);
  program.build(("-DFUNCTION=" + call + " -DREFERENCE=" + reference).c_str());

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
  std::printf("%-12s %10.4f at %a (%.1f s)\n", function.name.c_str(),
              std::bit_cast<float>(std::uint32_t(worst >> 32)), std::bit_cast<float>(std::uint32_t(worst)),
              seconds.count());
  std::fflush(stdout);
}

} // namespace

void sweep(const std::vector<Function>& functions) {
  const cl::Context context(CL_DEVICE_TYPE_ALL);
  const cl::CommandQueue queue(context);
  std::set<std::string> done;
  for (const Function& function : functions)
    if (function.second_argument == Kind::none && function.second_result == Kind::none &&
        !*function.options && done.insert(function.call).second)
      sweep(context, queue, function);
}

} // namespace maths
