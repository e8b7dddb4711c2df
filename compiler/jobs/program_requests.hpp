#pragma once

// The compiler's jobs as plain data: a request and a reply for each thing that is compiled. A request contains all on
// which the reply depends, except for the files and the time that a source may read. This file has the requests whose
// reply is a module; requests.hpp has the others. job.hpp has the care that all jobs get: the cache, isolation, compile
// servers.

#include "compiler/compiler.hpp"
#include "compiler/server/channel.hpp"

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

/// The job of compile().
struct CompileRequest {
  using Reply = ModuleReply;
  static constexpr Task task = Task::compile;

  SettingsPtr settings;
  std::string source, options;
  std::vector<Header> headers;
  std::string
      debug_folder; ///< folder of the source on disk (source_on_disk()); empty without debug information
};

/// The job of compile_il().
struct CompileIlRequest {
  using Reply = ModuleReply;
  static constexpr Task task = Task::compile_il;

  SettingsPtr settings;
  std::vector<std::byte> il;
  std::vector<Specialisation> values;
  std::string options;
};

/// The job of link().
struct LinkRequest {
  using Reply = ModuleReply;
  static constexpr Task task = Task::link;

  SettingsPtr settings;
  std::vector<ModulePtr> modules;
  std::string options;
};

/// Reading less bitcode than this takes less time than storing an entry of the disk cache.
constexpr std::size_t least_bytes_worth_storing = 32 << 10;

/// The job of deserialise(): checks a binary that the application gives.
struct CheckRequest {
  using Reply = ModuleReply;
  static constexpr Task task = Task::check;

  SettingsPtr settings;
  std::vector<std::byte> container;

  bool is_worth_storing() const { return container.size() >= least_bytes_worth_storing; }
};

} // namespace hostcl::compiler
