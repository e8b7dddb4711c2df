#pragma once

// What a module declares besides its types, values and functions: names, decorations, entry points and others.

#include "compiler/front/spirv/support.hpp"
#include "compiler/front/spirv/types.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace llvm {
class MDNode;
}

namespace hostcl::compiler::spirv {

struct Decoration {
  spv::Decoration kind;
  std::span<const std::uint32_t> operands;
};

/// Decorations of ids (SPIR-V specification, 3.20). Decorations of members are ignored, because types have
/// their layout.
class Decorations {
public:
  /// Records OpDecorate, OpDecorateId, OpDecorateString and OpGroupDecorate.
  /// Ignores the decorations of members.
  void read(Operands in);

  std::span<const Decoration> of(Id id) const;
  bool has(Id id, spv::Decoration kind) const { return find(id, kind) != nullptr; }
  /// The first decoration of this kind, or null.
  const Decoration* find(Id id, spv::Decoration kind) const;
  /// The first operand of a decoration of this kind, which must be a number.
  std::optional<std::uint32_t> number(Id id, spv::Decoration kind) const;

private:
  using List = llvm::SmallVector<Decoration, 2>;
  llvm::DenseMap<Id, List> lists_;
};

/// An entry point with the execution model Kernel.
struct EntryPoint {
  Id function;
  std::string_view name;
};

struct ExecutionMode {
  spv::ExecutionMode mode;
  std::span<const std::uint32_t> operands; ///< literals, or ids for execution modes whose names end in Id
};

/// An OpAsmINTEL.
struct Assembly {
  const Type* type; ///< type of the function that the assembly is called as
  std::string_view text, constraints;
};

/// A sampled image is a pair, which cannot be a value in IR.
struct SampledImage {
  TypedValue image, sampler;
};

/// A source position; the file is 0 if there is none.
struct Place {
  Id file = 0;
  std::uint32_t line = 0, column = 0;
};

/// The declarations by id. The functions that read instructions fill them in.
struct Declarations {
  Decorations decorations;
  llvm::DenseMap<Id, std::string_view> names; ///< of OpName
  llvm::MapVector<Id, std::string_view> strings;
  std::vector<EntryPoint> entry_points;
  llvm::DenseMap<Id, llvm::SmallVector<ExecutionMode, 2>> execution_modes; ///< by the entry point's function
  llvm::DenseMap<Id, InstructionSet> instruction_sets;
  /// Scopes and domains of SPV_INTEL_memory_access_aliasing, and lists of them.
  llvm::DenseMap<Id, llvm::MDNode*> alias_nodes;
  llvm::DenseMap<Id, Assembly> assemblies;
  llvm::DenseMap<Id, SampledImage> sampled_images;
  /// The source position of the instructions that follow.
  Place place;
  /// Whether the module says for each operation what LLVM may assume beyond IEEE 754
  /// (SPV_KHR_float_controls2).
  bool float_controls_2 = false;
  /// Whether the module computes with bfloat16 (SPV_INTEL_bfloat16_arithmetic).
  bool bfloat_arithmetic = false;
  /// Whether the module declares cooperative matrix types (SPV_KHR_cooperative_matrix).
  bool has_matrices = false;

  /// The entry point with this function, or null.
  const EntryPoint* entry_point(Id function) const;
  /// The place as the beginning of a message, such as "a.cl:3:5: ", or an empty text.
  std::string place_name() const;
};

/// Returns what a map has for the id. Refuses an id that it does not have: "id 5 is not `name`".
const auto& entry(const auto& map, Id id, const char* name) {
  auto found = map.find(id);
  if (found == map.end()) refuse(described(id) + " is not " + name);
  return found->second;
}

} // namespace hostcl::compiler::spirv
