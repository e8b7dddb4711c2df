#pragma once

// The values of a kernel's arguments other than buffers, and all of them in the memory of the host.

#include "differential/buffers.hpp"
#include "differential/sharing.hpp"

#include <CL/cl.h>

#include <cstddef>
#include <string>
#include <vector>

namespace differential {

/// What kernels know as `struct parts`.
struct Parts {
  cl_int a;
  cl_uchar b[4];
  cl_long c;
};

/// A parameter other than a buffer: `bytes` at `value`, or so many of local memory where that is null.
struct PlainArgument {
  std::size_t bytes = 0;
  const void* value = nullptr;
};

/// The values of all parameters but buffers, for a launch over the range.
class PlainArguments {
public:
  explicit PlainArguments(const Range& range);
  PlainArguments(const PlainArguments&) = delete;

  static bool has(const std::string& parameter);
  PlainArgument of(const std::string& parameter) const;

private:
  cl_int n_;
  cl_uint m_;
  cl_int per_;
  cl_uint unit_ = 1;
  std::size_t exchange_bytes_;
  std::array<cl_int, shared_arguments> at_{}; ///< where places begin
  Parts given_{-7, {1, 200, 3, 77}, 0x123456789};
  cl_int4 given4_{{1, -2, 300, 0x7fffffff}};
};

/// Buffers, local memory and values for a kernel that is a function of the host.
class HostArguments {
public:
  HostArguments(std::vector<std::string> parameters, const Range& range);

  /// For each parameter where its value is.
  void** pointers() { return pointers_.data(); }
  Results results() const;

private:
  std::vector<std::string> parameters_;
  const Range& range_;
  PlainArguments plain_;
  std::vector<std::vector<unsigned char>> memory_; ///< of buffers and of local memory
  std::vector<std::vector<unsigned char>> shared_; ///< allocations
  std::vector<void*> addresses_, pointers_;
};

} // namespace differential
