#pragma once

// Facts that passes tell each other about a kernel, as string attributes of the function, so that it survives
// in textual IR and tests can state it. The last pass that reads an attribute is kernel-entry.
// Test: compiler/tests/kernel_shape.cpp

#include <cstdint>

namespace llvm {
class Function;
}

namespace hostcl::compiler {

/// Each member is an attribute "hostcl.MEMBER", such as "hostcl.width"="16" or "hostcl.full_chunks"="true".
struct KernelShape {
  unsigned width = 1;            ///< work-items along x that one call runs: set by the vectoriser
  unsigned dimensions = 3;       ///< sizes above this dimension are 1
  unsigned vector_dimension = 0; ///< the kernel's x is this dimension of the launch, and vice versa
  bool full_chunks = false;      ///< the local size along x is always a multiple of the width
  bool one_chunk = false;        ///< the local size along x is always the width
  bool split_rows = false;       ///< groups whose rows are not whole chunks run one work-item per chunk
  bool joined_rows = false;    ///< chunks follow the linear local id, which is the kernel's local id along x
  bool buffers_apart = false;  ///< buffers of different arguments do not overlap
  bool uniform_groups = false; ///< every group has the enqueued local size
  bool single_item = false;    ///< every group is one work-item
  bool sees_vectors = false;   ///< work-items know which of them are lanes of one vector
  bool groups_merge = false;   ///< several groups may run as one, of a size that no other fact tells
  bool group_scratch = false;  ///< sub-groups of one region may change the same place of the group's scratch
  unsigned group_rows = 0; ///< groups may have any size, but should have so many rows; 0: the enqueued size
  bool reversed = false;   ///< the last chunk of a group runs first
  bool compact = false;    ///< little code rather than fast code: no copies, and few loops

  /// The launch's name of the kernel's dimension, or the kernel's of the launch's.
  unsigned renamed(unsigned dimension) const {
    return dimension == 0 ? vector_dimension : dimension == vector_dimension ? 0 : dimension;
  }
};

bool is_kernel_body(const llvm::Function& function);

KernelShape kernel_shape(const llvm::Function& kernel);

/// The forms of a kernel that is split (passes/checks/split_races.hpp): the function that runs launches that may race, and the
/// one that tells those that do not. Null for other kernels.
llvm::Function* checked_form_of(const llvm::Function& kernel);
llvm::Function* race_condition_of(const llvm::Function& kernel);
/// The kernel that a function is the checked form of; the function itself if it is none.
const llvm::Function* kernel_of_form(const llvm::Function& function);

/// Bytes of context that a kernel needs: once, and for each chunk of a group. Attributes
/// "hostcl.context_fixed" and "hostcl.context_per_chunk", set by barrier-regions, which lays its part out
/// after the bytes that earlier passes have taken at the start of the fixed one.
struct ContextSize {
  std::uint64_t fixed = 0;
  std::uint64_t per_chunk = 0;
};

ContextSize context_size(const llvm::Function& kernel);
void set_context_size(llvm::Function& kernel, ContextSize size);

} // namespace hostcl::compiler
