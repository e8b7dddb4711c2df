#pragma once

// Kernel attributes: properties of a kernel by which one pass tells a later pass what it has found or done. They are
// string attributes of the function, so that textual IR contains them, and tests can state them. The last pass that
// reads them is kernel-entry.
// Test: compiler/tests/kernel_shape.cpp

#include <cstdint>

namespace llvm {
class Function;
}

namespace hostcl::compiler {

/// The attributes of a kernel. Each member is the attribute "hostcl.MEMBER", such as "hostcl.width"="16" or
/// "hostcl.full_chunks"="true".
struct KernelShape {
  unsigned width = 1;              ///< work-items along x that one call runs: set by the vectoriser
  unsigned dimensions = 3;         ///< sizes above this dimension are 1
  unsigned vector_dimension = 0;   ///< the kernel's x is this dimension of the launch, and vice versa
  bool full_chunks = false;        ///< the local size along x is always a multiple of the width
  bool one_chunk = false;          ///< the local size along x is always the width
  bool partial_sub_groups = false; ///< groups whose rows are not whole chunks run one work-item per chunk
  bool linearised_sub_groups =
      false; ///< chunks follow the linear local id, which is the kernel's local id along x
  bool buffers_disjoint = false; ///< buffers of different arguments do not overlap
  bool uniform_groups = false;   ///< every group has the enqueued local size
  bool single_item = false;      ///< every group is one work-item
  bool sees_vectors = false;     ///< work-items know which of them are lanes of one vector
  bool groups_merge = false;     ///< several groups may run as one, whose size no attribute tells
  bool group_scratch = false; ///< sub-groups of one region may change the same place of the group's scratch
  unsigned group_rows = 0; ///< groups may have any size, but should have so many rows; 0: the enqueued size
  bool reversed = false;   ///< the last chunk of a group runs first
  bool tier0 = false;      ///< little code rather than fast code: no copies, and few loops

  /// Converts a dimension of the kernel to the dimension of the launch, or the other way round (vector_dimension.cpp).
  unsigned renamed(unsigned dimension) const {
    return dimension == 0 ? vector_dimension : dimension == vector_dimension ? 0 : dimension;
  }
};

/// Whether the function is a kernel with a body (calling convention spir_kernel).
bool is_kernel_body(const llvm::Function& function);

KernelShape kernel_shape(const llvm::Function& kernel);

/// The functions of a split kernel (passes/checks/split_races.cpp): the form for launches that may have races, and the
/// function that tells which launches cannot have races. Null for other kernels.
llvm::Function* checked_form_of(const llvm::Function& kernel);
llvm::Function* race_condition_of(const llvm::Function& kernel);
/// The kernel whose checked form the function is; the function itself if it is not a checked form.
const llvm::Function* kernel_of_form(const llvm::Function& function);

/// Bytes of context that a kernel needs: `fixed` once for each thread, `per_chunk` for each chunk of a group. They are
/// the attributes "hostcl.context_fixed" and "hostcl.context_per_chunk". Earlier passes may take bytes at the start of
/// the fixed part; barrier-regions places its own part after them and sets both attributes.
struct ContextSize {
  std::uint64_t fixed = 0;
  std::uint64_t per_chunk = 0;
};

ContextSize context_size(const llvm::Function& kernel);
void set_context_size(llvm::Function& kernel, ContextSize size);

} // namespace hostcl::compiler
