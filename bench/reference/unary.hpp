#pragma once

// Functions of one argument, element by element: the loops over the C library that the built-in library is
// compared with. Compiled with -O3 -march=native, so that the compiler vectorises what it can.

#include <span>

namespace bench::reference {

/// A loop over all elements, on all cores; null where C does not have the function.
template <class T>
using Loop = void (*)(std::span<T> out, std::span<const T> in);

struct UnaryFunction {
  const char* name;
  double lowest, highest; ///< of the arguments that are measured
  double (*expected)(double);
  Loop<float> float_loop;
  Loop<double> double_loop;
};

/// In alphabetical order.
std::span<const UnaryFunction> unary_functions();

} // namespace bench::reference
