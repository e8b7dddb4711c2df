#pragma once

// The OpenCL C++ bindings, with exceptions.

#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

#include <stdexcept>
#include <string>

namespace maths {

/// Calls work(). An error of OpenCL is thrown again with its number in its text.
template <class Work>
auto with_error_numbers(Work work) {
  try {
    return work();
  } catch (const cl::Error& error) {
    throw std::runtime_error(std::string(error.what()) + " returned " + std::to_string(error.err()));
  }
}

} // namespace maths
