#pragma once

// What a program was built from. The driver keeps it for HOSTCL_CAPTURE alone.

#include "compiler/compiler.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hostcl::runtime {

struct BuildInputs {
  enum class Kind : std::uint8_t { source, il, binary, link };

  /// The value of a specialisation constant.
  struct Constant {
    std::uint32_t id, bytes;
    std::uint64_t bits;
  };

  Kind kind;
  std::string code{};    ///< source, SPIR-V module or binary; empty for a linked program
  std::string options{}; ///< as the application gave them
  std::vector<Constant> constants{};
  /// Headers of clCompileProgram().
  std::vector<compiler::Header> headers{};
  /// The programs that clLinkProgram() got.
  std::vector<std::shared_ptr<const BuildInputs>> parts{};
};

} // namespace hostcl::runtime
