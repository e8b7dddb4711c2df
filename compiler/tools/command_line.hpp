#pragma once

// hostclc's command line.

#include "compiler/abi/launch.hpp"
#include "compiler/code/fallback_level.hpp"
#include "compiler/compiler.hpp"

#include <string>
#include <vector>

namespace hostcl::compiler {

struct Command {
  std::vector<std::string> files{}; ///< one, but for --check and --cache
  std::string build_options{};      ///< of OpenCL
  std::string cache;                ///< the folder of a cache to fill
  std::vector<std::string> cpus{};  ///< for which; an empty name is this machine's
  std::string passes;
  std::string kernel;
  std::string print;
  ImageProperties images;
  FallbackLevel level = FallbackLevel::full;
  bool check = false;
  bool tier0 = false; ///< the code that runs every launch
  bool assembly = false;
  bool time = false;
  abi::NDRange launch{{1 << 20, 1, 1}, {0, 0, 0}, {64, 1, 1}, {}, 1, 0};
};

/// Parses the command line and applies settings of the process. Ends it where that is all there is to do: after help,
/// and after a message about what is wrong.
Command parse_command_line(int argc, char** argv);

} // namespace hostcl::compiler
