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

/// What the bits of floating-point results depend on: the CPU, or nothing but the program and its data (docs/maths.md).
enum class Bits { cpu, same };

/// Where the compiler works: on threads of this process, or in processes of its own (compiler/server/server.hpp).
enum class CompilerPlace { thread, process };

/// The kind of file that is written for the profiler perf (compiler/perf_files.hpp).
enum class PerfFiles { none, map, jitdump };

/// Work-items per vector; 0: the compiler chooses.
struct VectorWidth {
  unsigned items = 0;
};

/// The number of CPU threads; 0: as many as the process may use. A number above `most` is rejected as a typing error,
/// because the driver would start all of these threads.
struct ThreadCount {
  static constexpr unsigned most = 1024;
  unsigned number = 0;
};

/// Bytes of the device's memory; 0: the machine's memory. A device with fewer bytes than `least` could not allocate the
/// size that OpenCL requires (CL_DEVICE_MAX_MEM_ALLOC_SIZE).
struct MemorySize {
  static constexpr std::uint64_t least = std::uint64_t{64} << 20;
  std::uint64_t bytes = 0;
};

/// Number of a PCI or Khronos vendor; 0: the manufacturer of the CPU.
struct VendorId {
  std::uint32_t number = 0;
};

/// A file or folder that the user has named, as an absolute path: a relative name refers to the working folder of the
/// time when the setting was read.
std::string absolute_name(std::string_view name);
struct FileName : std::string {
  using std::string::string;
};

/// The kernels that are built with debug information.
struct DebuggedKernels {
  bool all = false;
  std::string names; ///< if not all: names separated by commas, without white space, quotes and backslashes
};

struct Options {
#define OPTION(type, member, default_value, variable, description) type member = default_value;
#include "runtime/support/options.inc"
#undef OPTION
};

/// The settings, read from the environment at the first call. Unknown variables and values that cannot be used are
/// reported then.
const Options& options();

/// The known variable whose name is nearest to this one, by the number of letters to change.
std::string_view nearest_option(std::string_view name);

/// A variable of the environment that has no effect.
struct Complaint {
  std::string variable, value;
  /// The description of a known variable whose value cannot be used; empty if the name is unknown.
  std::string_view description;
};

/// Complaints about known variables in the order of options.inc, then complaints about unknown names.
std::vector<Complaint> option_complaints();

/// The folder of the cache: HOSTCL_CACHE_DIR, or a folder in the user's cache folder (XDG Base Directory
/// specification). Empty for a user without a home folder.
std::string cache_folder();

} // namespace hostcl::runtime
