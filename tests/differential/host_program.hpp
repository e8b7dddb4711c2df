#pragma once

// A case's kernel as C++ of the host, from another compiler than hostcl's: what it leaves in its buffers is what any
// driver has to. work_item.hpp and opencl.hpp of host/ have the language; texts differ in vector literals, local
// arrays and attributes alone.

#include "differential/buffers.hpp"

#include <memory>
#include <string>
#include <vector>

namespace differential {

/// What the command has printed; `status` is zero if it has succeeded.
std::string output_of(const std::string& command, int& status);

/// A folder for what the host's compiler reads and writes, with a precompiled header. It goes with the object.
class HostFolder {
public:
  HostFolder();
  HostFolder(const HostFolder&) = delete;
  ~HostFolder();

  /// False where there is no g++, or it does not understand the header.
  bool is_ready() const { return ready_; }
  const std::string& path() const { return path_; }

private:
  std::string path_;
  bool ready_ = false;
};

/// The kernel as C++.
std::string as_cpp(const std::string& source);

/// Whether the source is in the part of the language that host/ has.
bool is_for_host(const std::string& source);

class HostProgram {
public:
  /// @throws std::runtime_error with the compiler's messages
  HostProgram(const std::string& source, const std::string& folder);

  /// As Device::run, one launch after the other.
  std::vector<Results> run(const std::string& source, const Launches& launches);

private:
  struct Close {
    void operator()(void* library) const;
  };
  std::unique_ptr<void, Close> library_;
};

} // namespace differential
