#pragma once

// Code generation for the host CPU.

#include "llvm/Support/Error.h"

#include <memory>

namespace llvm {
class MemoryBuffer;
class Module;
class TargetMachine;
class raw_pwrite_stream;
} // namespace llvm

namespace hostcl::compiler {

/// A code generator for the host with all its features; not to be shared between threads.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> host_target_machine();

/// Turns a spir64 module into one for the host: triple, data layout, CPU attributes and calling conventions.
/// Address spaces below 256 are plain addresses there.
void retarget_to_host(llvm::Module& module, const llvm::TargetMachine& machine);

enum class CodeForm { object, assembly };

/// Writes machine code for `module`, which has been retargeted.
llvm::Error emit_code(llvm::Module& module, llvm::TargetMachine& machine, CodeForm form,
                      llvm::raw_pwrite_stream& stream);
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> emit_object(llvm::Module& module,
                                                                llvm::TargetMachine& machine);

} // namespace hostcl::compiler
