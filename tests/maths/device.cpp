#include "device.hpp"

#include "parallel.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace maths {

namespace {

constexpr std::size_t largest_element = 8;

Real decoded(Kind kind, const Format& format, const unsigned char* bytes) {
  if (kind == Kind::integer) {
    std::int32_t value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes, std::size_t(format.size));
  return format.from_bits(bits);
}

/// A kernel that calls the function for each element of its arrays.
std::string source_of(const std::string& name, const Function& function, const Format& format, int width) {
  const std::string n = width == 1 ? "" : std::to_string(width);
  const std::string x = format.name, y = type_of(function.second_argument, format),
                    other = type_of(function.second_result, format);
  const auto load = [&](const std::string& from) {
    return width == 1 ? from + "[i]" : "vload" + n + "(i, " + from + ")";
  };
  const auto store = [&](const std::string& value, const std::string& to) {
    return width == 1 ? to + "[i] = " + value + ";\n" : "vstore" + n + "(" + value + ", i, " + to + ");\n";
  };
  std::string text = std::string(function.definitions) + "kernel void " + name + "(global const " + x +
                     "* a, global const " + y + "* b, global " + x + "* c, global " + other +
                     "* d) {\n  size_t i = get_global_id(0);\n  " + x + n + " x = " + load("a") +
                     ", result;\n";
  if (function.second_argument != Kind::none) text += "  " + y + n + " y = " + load("b") + ";\n";
  if (function.second_result != Kind::none) text += "  " + other + n + " other;\n";
  text += "  result = " + function.call + ";\n  " + store("result", "c");
  if (function.second_result != Kind::none) text += "  " + store("other", "d");
  return text + "}\n";
}

/// The larger error of the results for these arguments.
Worst error_in(const Function& function, const Format& format, Pair arguments, const Results& wanted,
               Real first, Real second) {
  Worst worst;
  if (!wanted.defined) return worst;
  const auto [x, y] = arguments;
  worst.add({error_of(function, format, x, first, wanted.first), x, y, first, wanted.first});
  const Kind kind = function.second_result;
  if (kind == Kind::none || (kind == Kind::integer && std::isnan(wanted.second))) return worst;
  const double error = kind == Kind::integer ? double(std::fabs(second - wanted.second))
                                             : error_of(function, format, x, second, wanted.second);
  worst.add({error, x, y, second, wanted.second, 0, true});
  return worst;
}

/// The error if each subnormal argument and each subnormal result may count as zero (OpenCL C 3.0, 7.5.3).
Worst error_with_flushing(const Function& function, const Format& format, Pair arguments, Worst least,
                          Real first, Real second) {
  const auto is_subnormal = [&](Real x) {
    return x != 0 && std::fabs(x) < std::ldexp(Real(1), format.smallest);
  };
  const auto choices = [&](Real x) {
    return is_subnormal(x) ? std::vector<Real>{x, Real(0), -Real(0)} : std::vector<Real>{x};
  };
  // A result that may be subnormal within its bound may become zero as well.
  const auto flush = [&](Real& wanted, Real got) {
    if (std::fabs(wanted) < std::ldexp(Real(1) + 0x1p-16L, format.smallest) && got == 0) wanted = got;
  };
  // With flushing, the numbers next to zero are the smallest normal numbers.
  const bool is_next = function.call.starts_with("nextafter") && std::fabs(arguments.y) > 0 &&
                       (arguments.x == 0 || is_subnormal(arguments.x));
  if (is_next && first == std::copysign(std::ldexp(Real(1), format.smallest), arguments.y)) return {};
  // native_divide multiplies by the reciprocal of y. If the reciprocal is subnormal, any quotient is allowed.
  if (function.name == "native_divide" && is_subnormal(1 / arguments.y)) return {};
  const bool returns_x =
      function.call.starts_with("x,"); // the first result is x itself, also if x is subnormal
  for (const Real x : choices(arguments.x))
    for (const Real y :
         function.second_argument == Kind::real ? choices(arguments.y) : std::vector{arguments.y}) {
      Results wanted = function.reference(format, x, y);
      if (returns_x) wanted.first = arguments.x;
      flush(wanted.first, first);
      if (function.second_result == Kind::real) flush(wanted.second, second);
      const Worst error = error_in(function, format, arguments, wanted, first, second);
      if (error.error < least.error) least = error;
    }
  return least;
}

} // namespace

std::string type_of(Kind kind, const Format& format) {
  return kind == Kind::integer ? "int" : format.name;
}

std::size_t size_of(Kind kind, const Format& format) {
  return kind == Kind::integer ? 4 : std::size_t(format.size);
}

void encode(Kind kind, const Format& format, std::span<const Real> values, unsigned char* bytes) {
  const std::size_t size = size_of(kind, format);
  in_parallel(values.size(), [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t bits =
          kind == Kind::integer ? std::uint64_t(std::int64_t(values[i])) : format.to_bits(values[i]);
      std::memcpy(bytes + i * size, &bits, size); // the low bytes: hosts are little-endian
    }
  });
}

std::vector<int> Widths::of(std::size_t function) const {
  if (!alternate || list.size() < 2) return list;
  return {list[0], list[1 + function % (list.size() - 1)]};
}

Device::Device(const std::vector<Function>& functions, const Widths& widths, bool flush,
               const cl::Context& context)
    : functions_(functions), widths_(widths), flush_(flush), context_(context), queue_(context_) {
  constexpr std::size_t bytes = Batch::capacity * largest_element;
  for (cl::Buffer* buffer : {&x_, &y_, &first_, &second_})
    *buffer = cl::Buffer(context_, CL_MEM_READ_WRITE, bytes);
  for (auto* results : {&host_, &first_results_, &second_results_, &scalar_first_, &scalar_second_})
    results->resize(bytes);
}

/// The program with the kernels of all functions that are tested with this type, width and build options. One program
/// takes less time to compile than one for each function.
const cl::Program& Device::program(std::size_t format, int width, const char* options) {
  cl::Program& program = programs_[{format, width, options}];
  if (program()) return program;
  std::string source = formats[format].size == 2 ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" : "";
  source += "typedef " + std::string(formats[format].name) + " T;\n";
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    const Function& function = functions_[i];
    if (std::strcmp(function.options, options) != 0 || std::isnan(function.bound[format])) continue;
    const std::vector<int> widths = widths_.of(i);
    if (std::find(widths.begin(), widths.end(), width) == widths.end()) continue;
    source += source_of("test_" + std::to_string(i), function, formats[format], width);
  }
  program = cl::Program(context_, source);
  try {
    program.build(
        (std::string(flush_ ? "-cl-std=CL3.0 -cl-denorms-are-zero " : "-cl-std=CL3.0 ") + options).c_str());
  } catch (const cl::BuildError& error) {
    for (const auto& [device, log] : error.getBuildLog())
      std::fprintf(stderr, "%s\n", log.c_str());
    throw;
  }
  return program;
}

cl::Kernel& Device::kernel(std::size_t function, std::size_t format, int width) {
  // Functions that differ only in their bound or in the range of their arguments share one kernel, that of the first.
  std::size_t first = 0;
  const auto same = [&](const Function& a, const Function& b) {
    return a.call == b.call && std::strcmp(a.options, b.options) == 0;
  };
  const auto tested = [&](std::size_t i) {
    const std::vector<int> widths = widths_.of(i);
    return !std::isnan(functions_[i].bound[format]) &&
           std::find(widths.begin(), widths.end(), width) != widths.end();
  };
  while (!(same(functions_[first], functions_[function]) && tested(first)))
    ++first;
  cl::Kernel& kernel = kernels_[{first, format, width}];
  if (kernel()) return kernel;
  kernel = cl::Kernel(program(format, width, functions_[first].options),
                      ("test_" + std::to_string(first)).c_str());
  kernel.setArg(0, x_);
  kernel.setArg(1, y_);
  kernel.setArg(2, first_);
  kernel.setArg(3, second_);
  return kernel;
}

void Device::write_arguments(const Batch& batch) {
  const Format& format = formats[batch.format];
  const auto write = [&](const cl::Buffer& buffer, const Real* values, Kind kind) {
    if (kind == Kind::none) return;
    encode(kind, format, {values, batch.count}, host_.data());
    queue_.enqueueWriteBuffer(buffer, CL_TRUE, 0, batch.count * size_of(kind, format), host_.data());
  };
  write(x_, batch.x, Kind::real);
  write(y_, batch.y, functions_[batch.function].second_argument);
}

void Device::run(const Batch& batch, int width) {
  const Format& format = formats[batch.format];
  const Kind second = functions_[batch.function].second_result;
  const std::size_t items = (batch.count + std::size_t(width) - 1) / std::size_t(width);
  queue_.enqueueNDRangeKernel(kernel(batch.function, batch.format, width), cl::NullRange, cl::NDRange(items));
  queue_.enqueueReadBuffer(first_, CL_TRUE, 0, batch.count * std::size_t(format.size), first_results_.data());
  if (second != Kind::none)
    queue_.enqueueReadBuffer(second_, CL_TRUE, 0, batch.count * size_of(second, format),
                             second_results_.data());
}

Worst Device::compare(const Batch& batch, int width) const {
  const Function& function = functions_[batch.function];
  const Format& format = formats[batch.format];
  const Kind kind = function.second_result;
  const std::size_t size = std::size_t(format.size), second_size = size_of(kind, format);
  std::vector<Worst> worst(slice_count());
  // Results that equal the scalar kernel's results have been examined already.
  const auto known = [&](const auto& results, const auto& scalar, std::size_t i, std::size_t bytes) {
    return std::memcmp(&results[i * bytes], &scalar[i * bytes], bytes) == 0;
  };
  in_parallel(batch.count, [&](std::size_t begin, std::size_t end, std::size_t slice) {
    for (std::size_t i = begin; i < end; ++i) {
      if (width != 1 && known(first_results_, scalar_first_, i, size) &&
          (kind == Kind::none || known(second_results_, scalar_second_, i, second_size)))
        continue;
      const Real first = decoded(Kind::real, format, &first_results_[i * size]);
      const Real second = kind == Kind::none ? 0 : decoded(kind, format, &second_results_[i * second_size]);
      Worst error = error_in(function, format, {batch.x[i], batch.y[i]}, batch.wanted[i], first, second);
      if (flush_ && format.size > 2 && error.error > 0)
        error = error_with_flushing(function, format, {batch.x[i], batch.y[i]}, error, first, second);
      error.width = width;
      worst[slice].add(error);
    }
  });
  for (const Worst& other : worst)
    worst[0].add(other);
  return worst[0];
}

Worst Device::test(const Batch& batch) {
  write_arguments(batch);
  Worst worst;
  for (const int width : widths_.of(batch.function)) {
    run(batch, width);
    worst.add(compare(batch, width));
    if (width == 1) {
      std::swap(first_results_, scalar_first_);
      std::swap(second_results_, scalar_second_);
    }
  }
  return worst;
}

} // namespace maths
