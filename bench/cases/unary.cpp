// Every function of one argument: a million random arguments from memory to memory.

#include "bench/reference/unary.hpp"
#include "bench/device.hpp"

namespace bench {
namespace {

constexpr std::size_t count = 1 << 20;

const reference::UnaryFunction& find_function(const std::string& name) {
  const auto all = reference::unary_functions();
  return *std::find_if(all.begin(), all.end(), [&](const auto& row) { return row.name == name; });
}

template <class T>
std::vector<T> arguments_of(const reference::UnaryFunction& function) {
  return random_values<T>(count, function.lowest, function.highest);
}

template <class T>
Measurement unary(const Device& device, const char* name) {
  constexpr bool is_double = std::is_same_v<T, double>;
  const auto& function = find_function(name);
  const auto in = arguments_of<T>(function);
  const cl::Buffer out = device.empty_buffer<T>(count), in_buffer = device.buffer(in);
  const std::string options =
      std::string("-DFUNCTION=") + name + (is_double ? " -DTYPE=double" : " -DTYPE=float");
  const auto kernel = device.kernel("unary.cl", "unary", options.c_str(), in_buffer, out);
  const Measurement measured = device.time(count, kernel, cl::NDRange(count));

  std::vector<double> expected(count);
  std::transform(in.begin(), in.end(), expected.begin(), function.expected);
  check_close(device.read<T>(out, count), expected, is_double ? 1e-12 : 1e-5);
  return measured;
}

template <class T>
Measurement loop_in_cpp(const char* name, reference::Loop<T> reference::UnaryFunction::* loop) {
  const auto& function = find_function(name);
  const auto in = arguments_of<T>(function);
  std::vector<T> out(count);
  return median(count, [&] { (function.*loop)(out, in); });
}

constexpr Unit items{"M/s", 1e6};
#define FLOAT_LOOP(name) [] { return loop_in_cpp<float>(#name, &reference::UnaryFunction::float_loop); }
#define DOUBLE_LOOP(name) [] { return loop_in_cpp<double>(#name, &reference::UnaryFunction::double_loop); }
#define ROW(name, type, loop)                                                                                \
  {"unary." #type "." #name, #name " of " #type, items,                                                      \
   [](const Device& device) { return unary<type>(device, #name); }, loop},
constexpr Case cases[] = {
#define UNARY(name, lowest, highest, expression) ROW(name, float, FLOAT_LOOP(name))
#define UNARY_OF_OPENCL(name, lowest, highest, expression) ROW(name, float, nullptr)
#include "bench/reference/unary.inc"
#undef UNARY
#undef UNARY_OF_OPENCL
#define UNARY(name, lowest, highest, expression) ROW(name, double, DOUBLE_LOOP(name))
#define UNARY_OF_OPENCL(name, lowest, highest, expression) ROW(name, double, nullptr)
#include "bench/reference/unary.inc"
};

} // namespace

std::span<const Case> unary_cases() {
  return cases;
}

} // namespace bench
