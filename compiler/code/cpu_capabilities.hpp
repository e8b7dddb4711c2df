#pragma once

// Facts about the CPUs of an architecture that LLVM does not know. There is a source file for each architecture.

#include "compiler/settings/capabilities.hpp"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCSubtargetInfo.h"

namespace llvm {
class Function;
} // namespace llvm

namespace hostcl::compiler {

/// The features that LLVM knows for this architecture, and whether this machine has them.
llvm::StringMap<bool> host_features();

/// The capabilities of an LLVM CPU model with these features.
/// @param is_host whether the code is to run on this machine: CPUs of the same model may have registers of different
/// sizes
Capabilities capabilities_of(llvm::StringRef cpu, const llvm::StringMap<bool>& features, bool is_host);

/// Tells LLVM's code generator the size of the vector registers that the function may use, in bits.
void set_vector_bits(llvm::Function& function, unsigned bits);

/// Why the driver cannot compile for a model that LLVM knows; null if it can.
const char* why_not_compiled_for(const llvm::MCSubtargetInfo& model);

/// Whether LLVM emits the instructions of this feature only for intrinsics that kernels do not contain. If
/// so, the driver may compile for a CPU model with the feature on a machine without it.
bool is_system_feature(llvm::StringRef feature);

} // namespace hostcl::compiler
