#pragma once

#include <cxxabi.h>

namespace hostcl::compiler {

/// What the C++ library knows of a thread's exceptions, as the ABI of C++ has it.
struct ExceptionState {
  void* caught;
  unsigned uncaught;
};

inline ExceptionState& exception_state() {
  return *reinterpret_cast<ExceptionState*>(abi::__cxa_get_globals());
}

} // namespace hostcl::compiler
