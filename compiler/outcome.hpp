#pragma once

// How the compiler's public functions fail. Inside the compiler errors are llvm::Error and llvm::Expected; isolate.hpp
// makes outcomes of them.

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace hostcl::compiler {

enum class Status {
  success,
  invalid_options, ///< an option or setting is unknown or malformed; the log names it
  failure,         ///< the source or the combination of modules is wrong; the log says where
  invalid_binary,  ///< serialised bytes are damaged, truncated, or from another version or CPU
  out_of_memory,
};

/// A result of the compiler. It has a value if and only if `status` is success, and it always has a log.
template <class T = std::monostate>
struct Outcome {
  Status status = Status::failure;
  std::string log{};
  T value{};

  explicit operator bool() const { return status == Status::success; }
};

/// A failure, as an outcome of any type.
struct Failed {
  Status status;
  std::string log{};

  template <class T>
  operator Outcome<T>() && {
    return {status, std::move(log), {}};
  }
};

} // namespace hostcl::compiler
