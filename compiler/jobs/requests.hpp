#pragma once

// Requests for the parts of linked programs and for kernels, as plain data. program_requests.hpp has the other
// requests.

#include "compiler/code/fallback_level.hpp"
#include "compiler/code/object_store.hpp"
#include "compiler/code/program_variables.hpp"
#include "compiler/code/variant.hpp"
#include "compiler/compiler.hpp"
#include "compiler/jobs/program_requests.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace hostcl::compiler {

/// The job of load(): divides a linked program into its parts.
struct PartsRequest {
  using Reply = ProgramParts;
  static constexpr Task task = Task::parts;

  SettingsPtr settings;
  ModulePtr program;

  bool is_worth_storing() const { return program->bitcode().size() >= least_bytes_worth_storing; }
};

/// A kernel of a program, for launches with some image properties.
struct KernelId {
  SettingsPtr settings;
  ModulePtr program;
  std::string name;
  ImageProperties images;

  bool operator==(const KernelId& other) const {
    return name == other.name && images == other.images && *settings == *other.settings &&
           std::ranges::equal(program->bitcode(), other.program->bitcode());
  }
};

/// Finds the properties of a kernel, which is prepared for this fallback level.
struct PropertiesRequest {
  using Reply = KernelProperties;
  static constexpr Task task = Task::properties;

  KernelId kernel;
  FallbackLevel level = FallbackLevel::full;
};

/// Compiles a kernel for a variant, at this fallback level.
struct ObjectRequest {
  using Reply = KernelObject;
  static constexpr Task task = Task::object;

  KernelId kernel;
  Variant variant;
  FallbackLevel level = FallbackLevel::full;
  unsigned width = 0; ///< see Trial::width
};

} // namespace hostcl::compiler
