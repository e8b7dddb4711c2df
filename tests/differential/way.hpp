#pragma once

// The ways of running a kernel that have to give the same results: settings of hostcl, or another driver.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace differential {

/// In place of a platform's name: the kernel is compiled as C++ of the host.
constexpr const char* host_platform = "c++";

/// In the environment of a way through SPIR-V: the level of optimisation at which clang makes the module.
constexpr const char* il_setting = "DIFFERENTIAL_IL";

struct Way {
  /// HOSTCL_* settings in small letters, "width=8 without=permuted_access"; or the name of another driver.
  std::string name;
  std::string platform; ///< part of the platform's name
  std::map<std::string, std::string> environment;
  /// Launches follow each other even where the case wants them at once.
  bool one_by_one = false;
  /// How often each range is launched. All launches must have the same results, although optimised code may replace the
  /// tier 0 code between two of them.
  unsigned launches = 1;
  /// A fault for tests of this program: kernels are changed, text that matches the first pattern becomes the second.
  std::string fault, fault_text;

  std::string with_fault(const std::string& source) const;

  bool is_hostcl() const { return platform == "hostcl"; }
  bool is_host() const { return platform == host_platform; }
  bool is_il() const { return environment.contains(il_setting); }
  bool operator==(const Way&) const = default;
};

/// The way with these settings, among which `launches=N` is the number of launches, and `il=O1` has clang compile the
/// kernel to SPIR-V at -O1.
Way way_of(const std::string& settings);

/// Another driver: a library, or the file of a loader that names it.
Way other_driver(const std::string& file);

/// C++ of the host, compiled in this folder.
Way host_way(const std::string& folder);

/// Ways for the kernel of a seed: all widths in each case, the reference first. Neighbouring seeds have the
/// same ones.
std::vector<Way> ways_for(std::uint64_t seed);

/// The way with a fault, PATTERN=>TEXT.
Way faulty_way(const std::string& settings, const std::string& fault);

/// The same settings, and one more heuristic off.
Way without(const Way& way, const std::string& heuristic);

/// Names of all of the compiler's heuristics.
const std::vector<std::string>& heuristics();

} // namespace differential
