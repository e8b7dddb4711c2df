#pragma once

// Settings from HOSTCL_* environment variables. options.inc is the list.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hostcl::runtime {

enum class LogLevel { off, error, warn, info, trace };

/// The type that the device reports.
enum class DeviceType { cpu, gpu, accelerator };

/// The choice of machine code for a launch, see loaded_kernel.hpp.
enum class CodeChoice { automatic, tier1, tier0 };

/// Where the compiler works: on threads of this process, or in processes of its own (compiler/server/server.hpp).
enum class CompilerPlace { thread, process };

/// What is written for perf (compiler/jit/profilers.hpp).
enum class PerfFiles { none, map, jitdump };

/// Work-items per vector; 0 leaves it to the compiler.
struct VectorWidth {
  unsigned items = 0;
};

/// CPU threads; 0 stands for as many as the process may use. More than `most` are taken for a typing error,
/// because all would be started.
struct ThreadCount {
  static constexpr unsigned most = 1024;
  unsigned number = 0;
};

/// Bytes of the device's memory; 0 stands for the machine's. With fewer than `least` it could not give out at
/// once the size that OpenCL requires of a device (CL_DEVICE_MAX_MEM_ALLOC_SIZE).
struct MemorySize {
  static constexpr std::uint64_t least = std::uint64_t{64} << 20;
  std::uint64_t bytes = 0;
};

/// Number of a PCI or Khronos vendor; 0 stands for that of the CPU's maker.
struct VendorId {
  std::uint32_t number = 0;
};

/// A name from the user, of a file or folder, as it is from every working folder: relative names are those of the folder
/// that the setting was read in.
std::string absolute_name(std::string_view name);
struct FileName : std::string {
  using std::string::string;
};

/// Which kernels are built for debuggers.
struct DebuggedKernels {
  bool all = false;
  std::string names; ///< of some, with commas between them, without white space, quotes and backslashes
};

struct Options {
#define OPTION(type, member, default_value, variable, description) type member = default_value;
#include "runtime/support/options.inc"
#undef OPTION
};

/// Read from the environment once, at the first call. Unknown variables and values are reported then.
const Options& options();

/// The known variable whose name takes the fewest changes of letters.
std::string_view nearest_option(std::string_view name);

/// A variable of the environment that has no effect.
struct Complaint {
  std::string variable, value;
  std::string_view description; ///< of the variable, whose value cannot be used; empty if its name is unknown
};

/// In the order of options.inc, then those with unknown names.
std::vector<Complaint> option_complaints();

/// The folder of compiled programs: HOSTCL_CACHE_DIR, or the one in the user's cache folder (XDG Base Directory
/// specification). Empty for a user without a home.
std::string cache_folder();

} // namespace hostcl::runtime
