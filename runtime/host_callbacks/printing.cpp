#include "runtime/host_callbacks/printing.hpp"

#include "compiler/abi/printf.hpp"
#include "runtime/launch/running_kernel.hpp"
#include "runtime/object/device.hpp"
#include "runtime/support/float_environment.hpp"
#include "runtime/support/log.hpp"
#include "runtime/support/options.hpp"

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <new>
#include <string>

namespace hostcl::runtime {

namespace {

/// The number of bytes that a launch may print, and the setting or query that gives this number.
struct PrintLimit {
  std::uint64_t bytes;
  const char* name;
};

/// The limit of HOSTCL_PRINTF_SIZE or, if the launch's device has the quirk printf_buffer and its buffer is smaller, the
/// size of the buffer.
PrintLimit print_limit(const RunningKernel& kernel) {
  const std::uint64_t set = options().printf_size == 0 ? ~std::uint64_t{0} : options().printf_size;
  const Device& device = *kernel.device;
  if (device.quirks().printf_buffer && device.limits().printf_bytes < set)
    return {device.limits().printf_bytes, "CL_DEVICE_PRINTF_BUFFER_SIZE"};
  return {set, "HOSTCL_PRINTF_SIZE"};
}

/// Whether the launch may print this many bytes more. Logs a message the first time that it may not.
bool may_print(std::size_t bytes) {
  const RunningKernel* kernel = running_kernel();
  if (!kernel) return true;
  const auto [most, name] = print_limit(*kernel);
  if (most == ~std::uint64_t{0}) return true;
  const std::uint64_t before = kernel->printed->fetch_add(bytes, std::memory_order_relaxed);
  if (before <= most && bytes <= most - before) return true;
  if (before <= most)
    log(LogLevel::warn, "kernel '", kernel->signature->name, "' has printed ", before,
        " bytes in one launch; further output is dropped (", name, "=", most, ")");
  kernel->printed->store(most + 1, std::memory_order_relaxed);
  return false;
}

/// abi::HostCallbacks::print: all contexts print to standard output.
std::int32_t print(void*, const char* format, const std::byte* arguments) {
  try {
    std::string message;
    const bool is_correct = [&] {
      const DefaultLibraryFloatEnvironment environment;
      return compiler::format_message(message, format, arguments);
    }();
    return print_text(message) && is_correct ? 0 : -1;
  } catch (const std::bad_alloc&) {
    return -1;
  }
}

} // namespace

bool print_text(std::string_view message) {
  if (!may_print(message.size())) return false;
  std::fwrite(message.data(), 1, message.size(), stdout);
  std::fflush(stdout); // a process that reads the file after the kernel has ended finds the whole output
  return true;
}

void add_print_callback(abi::HostCallbacks& host_callbacks) {
  host_callbacks.print = print;
}

} // namespace hostcl::runtime
