#pragma once

// What passes tell each other about a kernel, as string attributes of the function so that it survives in
// textual IR and tests can state it.
//
//   "hostcl.kernel"                 this function is a kernel (also true for the calling convention
//   spir_kernel) "hostcl.width"="16"             one call runs so many work-items: set by the vectoriser
//   "hostcl.linear"="true"          ... that follow each other in the linear local id, not along x
//   "hostcl.full_chunks"="true"     the local size along x (linear: the group) is always a multiple of the
//   width "hostcl.uniform_groups"="true"  every group has the enqueued local size "hostcl.dimensions"="1"
//   sizes above this dimension are 1; 3 if absent "hostcl.context_fixed", "hostcl.context_per_chunk"   bytes
//   of context needed: set by barrier-regions

#include <cstdint>

namespace llvm {
class Function;
}

namespace hostcl::compiler {

struct KernelShape {
  unsigned width = 1;
  unsigned dimensions = 3;
  bool linear = false;
  bool full_chunks = false;
  bool uniform_groups = false;
};

bool is_kernel_body(const llvm::Function& function);

KernelShape kernel_shape(const llvm::Function& kernel);

/// Bytes of context that a kernel's group function needs: once, and for each chunk of the group.
struct ContextSize {
  std::uint64_t fixed = 0;
  std::uint64_t per_chunk = 0;
};

ContextSize context_size(const llvm::Function& kernel);
void set_context_size(llvm::Function& kernel, ContextSize size);

} // namespace hostcl::compiler
