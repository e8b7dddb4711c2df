#pragma once

// HOSTCL_CAPTURE: writes a launch to a folder from which the programs replay.c and run.py, which are written to the
// folder as well, repeat the launch with any OpenCL driver (docs/debugging.md). Test: tests/process/capture

#include "runtime/launch/launch_record.hpp"

#include <memory>

namespace hostcl::runtime::capture {

/// Which launches are captured, and the folder for them.
struct Rule;
/// Null if HOSTCL_CAPTURE is not set. Set when the driver is loaded.
extern const Rule* rule;

/// A launch that is being captured.
class Capture;
struct EndCapture {
  void operator()(Capture* capture) const;
};

/// Writes the launch and its memory as it is now, so that a launch that ends the process is captured as well.
/// @returns null if the rule does not match the launch, or if the launch cannot be captured; a warning then says why
std::unique_ptr<Capture, EndCapture> begin(const LaunchRecord& record, Device& device) noexcept;
/// Adds the memory as the launch leaves it, and the status of the launch.
void end(Capture& capture, cl_int status) noexcept;

/// Calls `run`, which runs the launch and returns its status, and captures the launch if the rule matches it. A launch
/// that enqueues kernels must have ended with all of them when `run` returns.
template <class Run>
cl_int captured(const LaunchRecord& record, Device& device, Run run) {
  if (!rule) [[likely]]
    return run();
  const auto capture = begin(record, device);
  const cl_int status = run();
  if (capture) end(*capture, status);
  return status;
}

} // namespace hostcl::runtime::capture
