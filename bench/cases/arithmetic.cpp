// Cases that are bound by arithmetic.

#include "bench/device.hpp"
#include "bench/reference/reference.hpp"

#include <array>

namespace bench {
namespace {

// n-body

constexpr std::size_t body_count = 8192;
constexpr float softening = 1e-2f;
constexpr double nbody_operations = 20.0 * body_count * body_count; // as it is counted by custom

std::vector<reference::Body> bodies() {
  Random random;
  std::vector<reference::Body> result(body_count);
  for (auto& body : result)
    body = {float(random.between(-1, 1)), float(random.between(-1, 1)), float(random.between(-1, 1)),
            float(random.between(0, 1)) / body_count};
  return result;
}

Measurement nbody(const Device& device) {
  const auto all = bodies();
  const cl::Buffer result = device.empty_buffer<reference::Body>(body_count),
                   bodies_buffer = device.buffer(all);
  const auto kernel = device.kernel("nbody.cl", "nbody", "-cl-fast-relaxed-math", result, bodies_buffer,
                                    cl_int(body_count), softening);
  const Measurement measured = device.time(nbody_operations, kernel, cl::NDRange(body_count));

  std::vector<reference::Body> expected(body_count);
  reference::nbody(expected, all, softening);
  const auto actual = device.read<reference::Body>(result, body_count);
  for (std::size_t i = 0; i < body_count; ++i)
    check_close(std::array{actual[i].x, actual[i].y, actual[i].z},
                std::array{expected[i].x, expected[i].y, expected[i].z}, 1e-3);
  return measured;
}

Measurement nbody_in_cpp() {
  const auto all = bodies();
  std::vector<reference::Body> result(body_count);
  return median(nbody_operations, [&] { reference::nbody(result, all, softening); });
}

// Matrix product

constexpr std::size_t matrix_size = 768;
constexpr double sgemm_operations = 2.0 * matrix_size * matrix_size * matrix_size;

Measurement sgemm(const Device& device, const char* kernel_name) {
  constexpr std::size_t elements = matrix_size * matrix_size;
  const auto a = random_values<float>(elements, -1, 1, 1), b = random_values<float>(elements, -1, 1, 2);
  const cl::Buffer c = device.empty_buffer<float>(elements), a_buffer = device.buffer(a),
                   b_buffer = device.buffer(b);
  const auto kernel = device.kernel("sgemm.cl", kernel_name, "", c, a_buffer, b_buffer, cl_int(matrix_size));
  const Measurement measured =
      device.time(sgemm_operations, kernel, cl::NDRange(matrix_size, matrix_size), cl::NDRange(16, 16));

  std::vector<float> expected(elements);
  reference::sgemm(expected, a, b, matrix_size);
  check_close(device.read<float>(c, elements), expected, 1e-3);
  return measured;
}

Measurement sgemm_naive(const Device& device) {
  return sgemm(device, "sgemm_naive");
}
Measurement sgemm_tiled(const Device& device) {
  return sgemm(device, "sgemm_tiled");
}

Measurement sgemm_in_cpp() {
  constexpr std::size_t elements = matrix_size * matrix_size;
  const auto a = random_values<float>(elements, -1, 1, 1), b = random_values<float>(elements, -1, 1, 2);
  std::vector<float> c(elements);
  return median(sgemm_operations, [&] { reference::sgemm(c, a, b, matrix_size); });
}

// Functions

Measurement black_scholes(const Device& device) {
  constexpr std::size_t count = 1 << 21;
  const auto price = random_values<float>(count, 50, 150, 1),
             strike = random_values<float>(count, 50, 150, 2), years = random_values<float>(count, 0.1, 3, 3);
  const cl::Buffer call = device.empty_buffer<float>(count), price_buffer = device.buffer(price),
                   strike_buffer = device.buffer(strike), years_buffer = device.buffer(years);
  const auto kernel =
      device.kernel("maths.cl", "black_scholes", "", price_buffer, strike_buffer, years_buffer, call);
  const Measurement measured = device.time(count, kernel, cl::NDRange(count));

  constexpr double rate = 0.02, volatility = 0.3;
  std::vector<double> expected(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double deviation = volatility * std::sqrt(years[i]);
    const double d1 =
        (std::log(double(price[i]) / strike[i]) + (rate + 0.5 * volatility * volatility) * years[i]) /
        deviation;
    expected[i] = 0.5 * price[i] * std::erfc(-d1 * M_SQRT1_2) -
                  0.5 * strike[i] * std::exp(-rate * years[i]) * std::erfc(-(d1 - deviation) * M_SQRT1_2);
  }
  check_close(device.read<float>(call, count), expected, 1e-4);
  return measured;
}

/// One function of one argument, on random arguments between 0.1 and 10.
template <class T>
Measurement function(const Device& device, const char* kernel_name, double tolerance,
                     double (*expected_of)(double)) {
  constexpr std::size_t count = 1 << 21;
  const auto in = random_values<T>(count, 0.1, 10);
  const cl::Buffer out = device.empty_buffer<T>(count), in_buffer = device.buffer(in);
  const auto kernel = device.kernel("maths.cl", kernel_name, "", in_buffer, out);
  const Measurement measured = device.time(count, kernel, cl::NDRange(count));

  std::vector<double> expected(count);
  for (std::size_t i = 0; i < count; ++i)
    expected[i] = expected_of(in[i]);
  check_close(device.read<T>(out, count), expected, tolerance);
  return measured;
}

Measurement trigonometry(const Device& device) {
  return function<float>(device, "trigonometry", 1e-5, [](double x) {
    return std::sin(x) * std::cos(x) + std::pow(x, double(1.7f)) + std::tanh(x);
  });
}

Measurement double_maths(const Device& device) {
  return function<double>(device, "double_maths", 1e-13,
                          [](double x) { return std::exp(x) * std::log(x) + std::sin(x) / std::sqrt(x); });
}

// Mandelbrot

constexpr std::size_t picture_size = 1024;
constexpr std::uint32_t iteration_limit = 256;

std::vector<std::uint32_t> expected_iterations() {
  std::vector<std::uint32_t> iterations(picture_size * picture_size);
  reference::mandelbrot(iterations, picture_size, iteration_limit);
  return iterations;
}

double sum(const std::vector<std::uint32_t>& iterations) {
  double result = 0;
  for (const std::uint32_t i : iterations)
    result += i;
  return result;
}

Measurement mandelbrot(const Device& device) {
  const auto expected = expected_iterations();
  const cl::Buffer out = device.empty_buffer<cl_uint>(expected.size());
  const auto kernel = device.kernel("mandelbrot.cl", "mandelbrot", "", out, iteration_limit);
  const Measurement measured = device.time(sum(expected), kernel, cl::NDRange(picture_size, picture_size));

  // Whether multiplications and additions are fused decides a few points at the edge of the set.
  const auto actual = device.read<cl_uint>(out, expected.size());
  std::size_t different = 0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    different += actual[i] != expected[i];
  check(different < expected.size() / 100, std::to_string(different) + " points differ");
  return measured;
}

Measurement mandelbrot_in_cpp() {
  auto iterations = expected_iterations();
  const double amount = sum(iterations);
  return median(amount, [&] { reference::mandelbrot(iterations, picture_size, iteration_limit); });
}

constexpr Unit gflops{"GFLOP/s", 1e9};
constexpr Unit items{"M/s", 1e6};
constexpr Case cases[] = {
    {"nbody", "n-body, relaxed maths", gflops, nbody, nbody_in_cpp},
    {"sgemm_naive", "SGEMM naive", gflops, sgemm_naive, sgemm_in_cpp},
    {"sgemm_tiled", "SGEMM tiled with barriers", gflops, sgemm_tiled},
    {"black_scholes", "Black-Scholes float (log, exp, sqrt, erfc)", items, black_scholes},
    {"trigonometry", "sin·cos+pow+tanh float", items, trigonometry},
    {"double_maths", "exp·log+sin/sqrt double", items, double_maths},
    {"mandelbrot", "Mandelbrot (divergent loop)", {"M iterations/s", 1e6}, mandelbrot, mandelbrot_in_cpp},
};

} // namespace

std::span<const Case> arithmetic_cases() {
  return cases;
}

} // namespace bench
