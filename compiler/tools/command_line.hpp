#pragma once

// hostclc's command line.

#include "compiler/abi/launch.hpp"
#include "compiler/code/fallback_level.hpp"
#include "compiler/compiler.hpp"

#include <string>
#include <vector>

namespace hostcl::compiler {

struct Command {
  SettingsPtr settings{};
  std::vector<std::string> files{}; ///< one file, except for --check and --cache
  std::string build_options{};      ///< OpenCL's build options
  std::string cache;                ///< folder of the cache that is to be filled
  /// CPU models for which the cache is filled; an empty name is this machine's CPU.
  std::vector<std::string> cpus{};
  std::string passes;
  std::string kernel;
  std::string print;
  bool print_values = false;
  ImageProperties images;
  FallbackLevel level = FallbackLevel::full;
  bool check = false;
  bool print_plan = false;
  bool tier0 = false; ///< whether to compile tier 0 code
  bool assembly = false;
  bool time = false;
  abi::NDRange launch{{1 << 20, 1, 1}, {0, 0, 0}, {64, 1, 1}, {}, 1, 0};
};

/// Parses the command line. Ends the process after printing help, and after a
/// message about a wrong command line.
Command parse_command_line(int argc, char** argv);

} // namespace hostcl::compiler
