#pragma once

#include <cxxabi.h>

namespace hostcl::compiler {

/// The C++ library's state of a thread's exceptions, with the layout that the Itanium C++ ABI gives it.
struct ExceptionState {
  void* caught;
  unsigned uncaught;
};

inline ExceptionState& exception_state() {
  return *reinterpret_cast<ExceptionState*>(abi::__cxa_get_globals());
}

} // namespace hostcl::compiler
