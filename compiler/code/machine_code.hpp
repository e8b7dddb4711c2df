#pragma once

// Code generation for the host CPU.

#include "compiler/settings/settings.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <memory>
#include <string>

namespace llvm {
class DiagnosticInfo;
class Module;
class TargetMachine;
} // namespace llvm

namespace hostcl::compiler {

/// A code generator for a CPU with all of its features. Only one thread may use it at a time.
/// @param unoptimised whether to use LLVM's unoptimised code generator, which writes slow code. It shares little code
/// with the usual code generator, so it is a fallback if that one fails
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> host_target_machine(const HostCpu& cpu,
                                                                         bool unoptimised = false);

/// Turns a spir64 module into a module for the host: triple, data layout, CPU attributes and calling
/// conventions. Address spaces below 256 become plain addresses.
void retarget_to_host(llvm::Module& module, const llvm::TargetMachine& machine, const HostCpu& cpu);

/// Makes the code generator leave out slow passes that only make the code of this module faster.
void generate_code_fast(llvm::Module& module);

/// Writes machine code for `module`, which must have been retargeted.
llvm::Error emit_code(llvm::Module& module, llvm::TargetMachine& machine, llvm::CodeGenFileType form,
                      llvm::raw_pwrite_stream& stream);

/// A code generator that is ready to write object files. Making a writer costs as much as compiling a small kernel, so
/// idle writers are kept: borrow() lends a kept writer or a new one, which is kept when the loan ends.
class ObjectWriter {
public:
  /// Ends a loan. If an exception is being handled, the writer's state is unknown, and the writer is leaked.
  struct Return {
    void operator()(ObjectWriter* writer) const;
  };
  using Loan = std::unique_ptr<ObjectWriter, Return>;
  /// @param unoptimised see host_target_machine(); such writers are not kept
  static llvm::Expected<Loan> borrow(const HostCpu& cpu, bool unoptimised = false);

  llvm::TargetMachine& machine() { return *machine_; }
  bool is_for(const HostCpu& cpu) const;

  /// An object file with machine code for `module`, which must have been retargeted.
  llvm::Expected<std::string> write(llvm::Module& module);
  /// The sum of the stack frames of all functions of the last module, in bytes, with spilled registers. This bounds the
  /// stack that a kernel needs, unless a function is recursive.
  std::uint64_t stack_bytes() const { return heard_.stack_bytes; }

private:
  explicit ObjectWriter(std::unique_ptr<llvm::TargetMachine> machine);

  /// What the code generator has reported about the last module.
  struct Heard {
    std::string errors;
    std::uint64_t stack_bytes = 0;
  };
  static void hear(const llvm::DiagnosticInfo* message, void* heard);

  llvm::Expected<llvm::legacy::PassManager*> passes_for(const llvm::Module& module);

  std::unique_ptr<llvm::TargetMachine> machine_;
  Heard heard_;
  llvm::SmallVector<char, 0> bytes_;
  llvm::raw_svector_ostream stream_{bytes_};
  std::unique_ptr<llvm::legacy::PassManager> passes_[2]; ///< [0] for usual, [1] for fast code
};

} // namespace hostcl::compiler
