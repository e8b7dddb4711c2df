#pragma once

// The jobs of the compiler as plain data: for each thing that is compiled a request, which contains all on which the
// result depends, and a reply. job.hpp has the care that all jobs get: the cache, isolation, compile servers.

#include "compiler/code/fallback_level.hpp"
#include "compiler/code/object_store.hpp"
#include "compiler/code/program_parts.hpp"
#include "compiler/code/variant.hpp"
#include "compiler/compiler.hpp"
#include "compiler/jobs/fields.hpp"
#include "compiler/server/channel.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace hostcl::compiler {

/// An outcome whose value is a module.
struct ModuleReply {
  Status status = Status::failure;
  std::string log;
  ModulePtr module;
  /// Whether the reply depends only on the request. A source may also depend on files and on the time.
  bool is_reproducible = true;
};
template <class Archive>
void fields(Archive& archive, ModuleReply& reply) {
  archive(reply.status, reply.log, reply.module, reply.is_reproducible);
}

/// compile()
struct CompileRequest {
  using Reply = ModuleReply;
  static constexpr Task task = Task::compile;
  static constexpr bool is_cached = true;

  SettingsPtr settings;
  std::string source, options;
  std::vector<Header> headers;
  std::string
      debug_folder; ///< folder of the source on disk (source_on_disk()); empty without debug information
};
template <class Archive>
void fields(Archive& archive, CompileRequest& request) {
  archive(request.settings, request.source, request.options, request.headers, request.debug_folder);
}

/// compile_il()
struct CompileIlRequest {
  using Reply = ModuleReply;
  static constexpr Task task = Task::compile_il;
  static constexpr bool is_cached = true;

  SettingsPtr settings;
  std::vector<std::byte> il;
  std::vector<Specialisation> values;
  std::string options;
};
template <class Archive>
void fields(Archive& archive, CompileIlRequest& request) {
  archive(request.settings, request.il, request.values, request.options);
}

/// link()
struct LinkRequest {
  using Reply = ModuleReply;
  static constexpr Task task = Task::link;
  static constexpr bool is_cached = true;

  SettingsPtr settings;
  std::vector<ModulePtr> modules;
  std::string options;
};
template <class Archive>
void fields(Archive& archive, LinkRequest& request) {
  archive(request.settings, request.modules, request.options);
}

/// deserialise()
struct CheckRequest {
  using Reply = ModuleReply;
  static constexpr Task task = Task::check;
  static constexpr bool is_cached = false;

  SettingsPtr settings;
  std::vector<std::byte> container;
};
template <class Archive>
void fields(Archive& archive, CheckRequest& request) {
  archive(request.settings, request.container);
}

/// The part of load() that needs LLVM
struct PartsRequest {
  using Reply = ProgramParts;
  static constexpr Task task = Task::parts;
  static constexpr bool is_cached = false;

  SettingsPtr settings;
  ModulePtr program;
};
template <class Archive>
void fields(Archive& archive, PartsRequest& request) {
  archive(request.settings, request.program);
}

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
template <class Archive>
void fields(Archive& archive, KernelId& kernel) {
  archive(kernel.settings, kernel.program, kernel.name, kernel.images);
}

/// The properties of a kernel, which is prepared for a fallback level
struct PropertiesRequest {
  using Reply = KernelProperties;
  static constexpr Task task = Task::properties;
  static constexpr bool is_cached = true;

  KernelId kernel;
  FallbackLevel level = FallbackLevel::full;
};
template <class Archive>
void fields(Archive& archive, PropertiesRequest& request) {
  archive(request.kernel, request.level);
}

/// The machine code of a kernel for a variant, at a fallback level
struct ObjectRequest {
  using Reply = KernelObject;
  static constexpr Task task = Task::object;
  static constexpr bool is_cached = true;

  KernelId kernel;
  Variant variant;
  FallbackLevel level = FallbackLevel::full;
  unsigned width = 0; ///< see Trial::width
};
template <class Archive>
void fields(Archive& archive, ObjectRequest& request) {
  archive(request.kernel, request.variant, request.level, request.width);
}

} // namespace hostcl::compiler
