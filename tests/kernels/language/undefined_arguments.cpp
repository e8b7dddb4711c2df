// Built-in functions of variables that only some work-items have assigned. The others do not use the result, and the
// compiler may compute it for them as well; it must not conclude that the variable is assigned.

#include "support/session.hpp"

#include <cmath>

namespace {

constexpr const char* functions[] = {
    "acos",  "acosh",  "asin",   "asinh", "atan",   "atanh",      "cbrt",        "cos",   "cosh",
    "erf",   "erfc",   "exp",    "exp2",  "expm1",  "frexp_of",   "ilogb",       "log",   "log10",
    "log1p", "logb",   "rsqrt",  "sin",   "sinpi",  "tan",        "tanh",        "tanpi", "pow2",
    "fmod2", "hypot2", "ldexp2", "pown2", "rootn2", "remainder2", "atan2_of_one"};

const std::string definitions = R"(
  T frexp_of(T x) { int n; return frexp(x, &n) + n; }
  T pow2(T x) { return pow(x, (T)2); }
  T fmod2(T x) { return fmod(x, (T)2); }
  T hypot2(T x) { return hypot(x, (T)2); }
  T ldexp2(T x) { return ldexp(x, 2); }
  T pown2(T x) { return pown(x, 5); }
  T rootn2(T x) { return rootn(x, 3); }
  T remainder2(T x) { return remainder(x, (T)2); }
  T atan2_of_one(T x) { return atan2(x, (T)1); }
  kernel void guarded(global T* out, global const T* in) {
    const size_t i = get_global_id(0);
    T v;
    bool assigned = false;
    if (i & 1) { v = in[i]; assigned = true; }
    T result = -7;
    for (int k = 0; k < 2; ++k)
      if (assigned) result = FUNCTION(v) + k;
    if (assigned || i < 64) out[i] = result;
  }
  kernel void plain(global T* out, global const T* in) {
    const size_t i = get_global_id(0);
    out[i] = FUNCTION(in[i]) + 1;
  }
)";

template <class T>
void check_functions(const std::string& type) {
  const test::Session session;
  constexpr std::size_t count = 128;
  std::vector<T> arguments(count), untouched(count, T(5));
  for (std::size_t i = 0; i < count; ++i)
    arguments[i] = T(i) / T(count);
  auto in = session.buffer<T>(arguments), expected = session.buffer(count * sizeof(T));
  for (const std::string function : functions) {
    const std::string source = "#define T " + type + "\n#define FUNCTION " + function + "\n" + definitions;
    auto out = session.buffer<T>(untouched);
    const auto guarded = session.kernel(source.c_str(), "guarded"),
               plain = session.kernel(source.c_str(), "plain");
    test::set_arguments(guarded, out, in);
    test::set_arguments(plain, expected, in);
    session.run(guarded, count);
    session.run(plain, count);
    const auto found = session.read<T>(out, count), wanted = session.read<T>(expected, count);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const T right = i % 2 ? wanted[i] : i < 64 ? T(-7) : T(5);
      wrong += !(found[i] == right || (std::isnan(found[i]) && std::isnan(right)));
    }
    INFO(function << " of " << type);
    CHECK(wrong == 0);
  }
}

} // namespace

TEST_CASE("Functions of float of a variable that only some work-items assign", "[undefined_arguments]") {
  check_functions<float>("float");
}

TEST_CASE("Functions of double of a variable that only some work-items assign", "[undefined_arguments]") {
  check_functions<double>("double");
}
