// Every mathematical function keeps the bound of OpenCL C 3.0, 7.4 (float, double, half), over special
// values, random ones, all halves and a grid of all floats.

#include "library.hpp"
#include "support/catch.hpp"

namespace {

using namespace accuracy;

constexpr long random_arguments = 20000;
constexpr std::uint64_t float_stride = 100003;

template <class T>
const std::vector<T>& unary_arguments() {
  static const std::vector<T> values = arguments<T>(random_arguments, float_stride);
  return values;
}
template <class T, class S>
const std::vector<std::pair<T, S>>& binary_arguments() {
  static const std::vector<std::pair<T, S>> values = pairs<T, S>(random_arguments);
  return values;
}

void check(const char* name, const Worst& worst, double bound) {
  INFO(name << ": x = " << worst.x << ", y = " << worst.y << ", is " << worst.got << ", exactly "
            << worst.wanted);
  CHECK(worst.error <= bound);
}

} // namespace

#define CASE(name, reference, f, d, h)                                                                       \
  TEST_CASE("Accuracy: " #name) {                                                                            \
    check("float", compare<float>(name, reference, unary_arguments<float>()), f);                            \
    check("double", compare<double>(name, reference, unary_arguments<double>()), d);                         \
    check("half", compare<_Float16>(name, reference, unary_arguments<_Float16>()), h);                       \
  }
UNARY_FUNCTIONS(CASE)
#undef CASE

TEST_CASE("Accuracy: atan of float is closer than asked, as those expect who compare it with a C library's") {
  for (float x = 0.01f; x < 50; x *= 1.0003f)
    CHECK(std::abs(atan(float16(x))[0] - std::atan(double(x))) < 0x1p-23);
}

TEST_CASE("Accuracy: lgamma is zero at 1 and 2, and close around them") {
  for (const double x : {1.0, 2.0}) {
    CHECK(lgamma(float16(float(x)))[0] == 0.0f);
    CHECK(lgamma(double8(x))[0] == 0.0);
  }
  for (double x = 0.01; x < 8; x *= 1.001)
    CHECK(std::abs(lgamma(double8(x))[0] - std::lgamma(x)) <
          0x1p-47 * std::max(1.0, std::abs(std::lgamma(x))));
}

// Two arguments of one type are held as references want them.
#define CASE(name, reference, f, d, h)                                                                       \
  TEST_CASE("Accuracy: " #name) {                                                                            \
    check("float", compare<float, float, float16>(name, reference, binary_arguments<float, float>()), f);    \
    check("double", compare<double, double, double8>(name, reference, binary_arguments<double, double>()),   \
          d);                                                                                                \
    check("half",                                                                                            \
          compare<_Float16, _Float16, half16>(name, reference, binary_arguments<_Float16, _Float16>()), h);  \
  }
BINARY_FUNCTIONS(CASE)
#undef CASE

#define CASE(name, reference, f, d, h)                                                                       \
  TEST_CASE("Accuracy: " #name) {                                                                            \
    check("float", compare<float, int, int16>(name, reference, binary_arguments<float, int>()), f);          \
    check("double", compare<double, int, int8>(name, reference, binary_arguments<double, int>()), d);        \
    check("half", compare<_Float16, int, int16>(name, reference, binary_arguments<_Float16, int>()), h);     \
  }
INTEGER_FUNCTIONS(CASE)
