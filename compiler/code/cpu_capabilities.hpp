#pragma once

// Facts about the CPU models of an architecture that LLVM does not know. There is a source file for each
// architecture.

#include "compiler/settings/capabilities.hpp"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCSubtargetInfo.h"

namespace hostcl::compiler {

/// The capabilities of an LLVM CPU model with these features.
Capabilities capabilities_of(llvm::StringRef cpu, const llvm::StringMap<bool>& features);

/// Why the driver cannot compile for a model that LLVM knows; null if it can.
const char* why_not_compiled_for(const llvm::MCSubtargetInfo& model);

/// Whether LLVM emits the instructions of this feature only for intrinsics that kernels do not contain. If
/// so, the driver may compile for a CPU model with the feature on a machine without it.
bool is_system_feature(llvm::StringRef feature);

} // namespace hostcl::compiler
