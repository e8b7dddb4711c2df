#pragma once

#include "conformance/atomics/case.hpp"
#include "conformance/support/device.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace conformance {

/// Builds and runs cases one after the other; the buffers are made once.
class Runner {
public:
  explicit Runner(const Device& device);
  ~Runner();

  /// Empty if the case passed, else the reason.
  std::string run(const Case& test);
  double milliseconds() const { return milliseconds_; }

private:
  std::string execute(const Case& test, const Kernel& kernel);

  const Device& device_;
  std::array<cl_mem, 5> buffers_{}; ///< object, expected, returned, final, initial
  double milliseconds_ = 0;
};

} // namespace conformance
