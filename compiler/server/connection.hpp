#pragma once

// A process that DriverProcess has started, from the inside.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hostcl::compiler {

/// What DriverProcess passes to the process.
struct Connection {
  int socket = -1;
  std::array<int, 2> files = {-1, -1}; ///< DriverProcess::Role::files
  int application = -1;                ///< a pidfd
  std::vector<std::uint64_t> numbers;  ///< DriverProcess::Role::numbers
};

/// Reads the arguments of hcl_serve(). @param numbers how many are expected @returns nothing if they are wrong
std::optional<Connection> connect(int count, char** arguments, std::size_t numbers);
/// Tells the application that the process has started. @returns whether it was told
bool greet(const Connection& connection);
/// Waits until the application ends or closes the connection, and ends the process then.
[[noreturn]] void await_end(const Connection& connection);

} // namespace hostcl::compiler
