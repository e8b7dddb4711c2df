// Circular functions of huge arguments, for which vectors take another path if any lane has one (builtins/math/trig.hpp).

#include "support/session.hpp"

#include <cmath>

namespace {

/// Every third argument is huge.
template <class T>
std::vector<T> angles(T factor) {
  std::vector<T> result;
  T huge = static_cast<T>(1e6);
  for (int i = 0; i < 100; ++i) {
    result.push_back(i % 3 ? static_cast<T>(i) : (i % 2 ? huge : -huge));
    if (i % 3 == 0) huge *= factor;
  }
  return result;
}

template <class T>
void check_functions(const std::string& type, T factor, T tolerance) {
  const test::Session session;
  const std::string source = "kernel void k(global " + type + "* o, global const " + type +
                             "* a) { size_t i = get_global_id(0); " + type +
                             " x = a[i], c; o[4 * i] = sin(x); o[4 * i + 1] = cos(x);"
                             " o[4 * i + 2] = tan(x); o[4 * i + 3] = sincos(x, &c) + c; }";
  const auto kernel = session.kernel(source.c_str(), "k");
  const std::vector<T> x = angles(factor);
  auto results = session.buffer(4 * 100 * sizeof(T)), arguments = session.buffer<T>(x);
  test::set_arguments(kernel, results, arguments);
  session.run(kernel, 100);
  const auto y = session.read<T>(results, 400);
  for (std::size_t i = 0; i < 100; ++i) {
    INFO("x = " << x[i]);
    CHECK(y[4 * i] == Approx(std::sin(x[i])).epsilon(tolerance));
    CHECK(y[4 * i + 1] == Approx(std::cos(x[i])).epsilon(tolerance));
    CHECK(y[4 * i + 2] == Approx(std::tan(x[i])).epsilon(tolerance));
    CHECK(y[4 * i + 3] == Approx(std::sin(x[i]) + std::cos(x[i])).epsilon(tolerance).margin(tolerance));
  }
}

} // namespace

TEST_CASE("sin, cos, tan and sincos of float are right up to the largest arguments", "[huge_angles]") {
  check_functions<float>("float", 7.3f, 1e-6f);
}

TEST_CASE("sin, cos, tan and sincos of double are right up to the largest arguments", "[huge_angles]") {
  check_functions<double>("double", 7.3e8, 1e-14);
}
