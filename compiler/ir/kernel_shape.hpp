#pragma once

// Reads a kernel's attributes (kernel_attributes.def). They are string attributes of the function, so that textual IR
// contains them, and tests can state them. The last pass that reads them is kernel-entry.
// Test: compiler/tests/kernel_shape.cpp

#include <cstdint>

namespace llvm {
class Function;
}

namespace hostcl::compiler {

/// The attributes of a kernel: kernel_attributes.def says what each member means.
struct KernelShape {
#define KERNEL_NUMBER(NAME, DEFAULT) unsigned NAME = DEFAULT;
#define KERNEL_FLAG(NAME) bool NAME = false;
#include "compiler/ir/kernel_attributes.def"
#undef KERNEL_NUMBER
#undef KERNEL_FLAG

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
