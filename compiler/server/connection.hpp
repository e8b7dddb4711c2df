#pragma once

// The other side of a DriverProcess (driver_process.hpp): code in the process that a DriverProcess has started.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hostcl::compiler {

/// What the application passes to the process.
struct Connection {
  int socket = -1;
  std::array<int, 2> files = {-1, -1}; ///< DriverProcess::Role::files
  int application = -1;                ///< a pidfd of the application's process
  std::vector<std::uint64_t> numbers;  ///< DriverProcess::Role::numbers
};

/// Reads the arguments of hcl_serve().
/// @param numbers number of elements that Role::numbers must have @returns nothing if the arguments are wrong
std::optional<Connection> connect(int count, char** arguments, std::size_t numbers);
/// Sends the Greeting (channel.hpp), by which the application learns that the process has started.
/// @returns whether the Greeting was sent
bool greet(const Connection& connection);
/// Waits until the application ends or closes the connection, and then ends the calling process.
[[noreturn]] void await_end(const Connection& connection);

} // namespace hostcl::compiler
