#pragma once

// The process of a compile server, as the application sees it.

#include "compiler/server/driver_process.hpp"
#include "compiler/server/rights.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace hostcl::compiler {

class ServerProcess : public DriverProcess {
public:
  /// Starts a server and waits until it accepts requests. Must be called by isolated work.
  /// @param memory_bytes limit of the memory that the server may use beyond what it uses at its start
  /// @param why receives the reason if no server can be started
  /// @returns null if no server can be started
  static std::unique_ptr<ServerProcess> start(std::uint64_t memory_bytes, std::string& why);

  /// DriverProcess::is_own() for this server's files as well.
  bool is_own() const { return DriverProcess::is_own() && requests() >= 0 && replies() >= 0; }
  int requests() const { return requests_.get(); }
  int replies() const { return replies_.get(); }

  /// present_rights() of the thread that started the server, at that time.
  const Rights& rights() const { return rights_; }
  /// IsolatedWork::caller of the thread that started the server.
  std::uint64_t starter() const { return starter_; }

private:
  ServerProcess();

  const Rights rights_;
  const std::uint64_t starter_;
  const FileDescriptor requests_, replies_;
};

} // namespace hostcl::compiler
