#pragma once

// What the compiler knows of the models of one kind of CPU, in a file for each kind.

#include "compiler/settings/capabilities.hpp"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCSubtargetInfo.h"

namespace hostcl::compiler {

/// What a model with these features can do, of those that LLVM names.
Capabilities capabilities_of(llvm::StringRef cpu, const llvm::StringMap<bool>& features);

/// Why the driver cannot compile for a model that LLVM knows; null if it can.
const char* why_not_compiled_for(const llvm::MCSubtargetInfo& model);

/// Whether LLVM emits this feature's instructions only for intrinsics that kernels do not contain. The driver may then
/// compile for a CPU model that has the feature on a machine that lacks the feature.
bool is_system_feature(llvm::StringRef feature);

} // namespace hostcl::compiler
