#pragma once

// Modules and outcomes as parts of messages to and from compile servers.

#include "compiler/compiler.hpp"
#include "compiler/server/message.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hostcl::compiler {

struct ModuleMessage {
  ModuleProperties properties;
  std::vector<std::byte> bitcode;

  static ModuleMessage of(const Module& module) {
    return {module.properties(), {module.bitcode().begin(), module.bitcode().end()}};
  }
  ModulePtr module() && { return std::make_shared<Module>(properties, std::move(bitcode)); }
};
template <class Archive>
void fields(Archive& archive, ModuleMessage& message) {
  archive(message.properties, message.bitcode);
}

/// An Outcome whose value is a module.
struct ModuleOutcome {
  Status status = Status::failure;
  std::string log;
  std::optional<ModuleMessage> module{};
  bool reproducible = false; ///< see FrontendResult

  static ModuleOutcome of(const Outcome<ModulePtr>& outcome) {
    return {outcome.status, outcome.log,
            outcome.value ? std::optional(ModuleMessage::of(*outcome.value)) : std::nullopt};
  }
  Outcome<ModulePtr> outcome() && {
    return {status, std::move(log), module ? std::move(*module).module() : nullptr};
  }
};
template <class Archive>
void fields(Archive& archive, ModuleOutcome& message) {
  archive(message.status, message.log, message.module, message.reproducible);
}

} // namespace hostcl::compiler
