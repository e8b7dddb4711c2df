// Prints the largest error of each function, as docs/maths.md has them.
// usage: maths_survey [NAME...]    all functions, or these
// It tries one bit pattern in 211 of the floats, and 4 million doubles.

#include "library.hpp"

#include <cstdio>
#include <cstring>

namespace {

using namespace accuracy;

constexpr long random_arguments = 4'000'000;
constexpr std::uint64_t float_stride = 211;

char** names = nullptr;

bool is_wanted(const char* name) {
  if (!*names) return true;
  for (char** n = names; *n; ++n)
    if (std::strcmp(*n, name) == 0) return true;
  return false;
}

void print(const char* name, const char* type, const Worst& worst, double bound) {
  std::printf("%-10s %-6s %7.2f of %4g  x = %La, y = %La: %La, exactly %La%s\n", name, type, worst.error,
              bound, worst.x, worst.y, worst.got, worst.wanted, worst.error <= bound ? "" : "  TOO LARGE");
  std::fflush(stdout);
}

} // namespace

int main(int, char** argv) {
  names = argv + 1;
  const auto floats = arguments<float>(random_arguments, float_stride);
  const auto doubles = arguments<double>(random_arguments, 0);
  const auto halves = arguments<_Float16>(0, 0);
#define SURVEY(name, reference, f, d, h)                                                                     \
  if (is_wanted(#name)) {                                                                                    \
    print(#name, "float", compare<float>(name, reference, floats), f);                                       \
    print(#name, "double", compare<double>(name, reference, doubles), d);                                    \
    print(#name, "half", compare<_Float16>(name, reference, halves), h);                                     \
  }
  UNARY_FUNCTIONS(SURVEY)
#undef SURVEY
#define SURVEY(name, reference, f, d, h)                                                                     \
  if (is_wanted(#name)) {                                                                                    \
    print(#name, "float",                                                                                    \
          compare<float, float, float16>(name, reference, pairs<float, float>(random_arguments)), f);        \
    print(#name, "double",                                                                                   \
          compare<double, double, double8>(name, reference, pairs<double, double>(random_arguments)), d);    \
    print(#name, "half",                                                                                     \
          compare<_Float16, _Float16, half16>(name, reference, pairs<_Float16, _Float16>(random_arguments)), \
          h);                                                                                                \
  }
  BINARY_FUNCTIONS(SURVEY)
#undef SURVEY
#define SURVEY(name, reference, f, d, h)                                                                     \
  if (is_wanted(#name)) {                                                                                    \
    print(#name, "float", compare<float, int, int16>(name, reference, pairs<float, int>(random_arguments)),  \
          f);                                                                                                \
    print(#name, "double",                                                                                   \
          compare<double, int, int8>(name, reference, pairs<double, int>(random_arguments)), d);             \
    print(#name, "half",                                                                                     \
          compare<_Float16, int, int16>(name, reference, pairs<_Float16, int>(random_arguments)), h);        \
  }
  INTEGER_FUNCTIONS(SURVEY)
}
