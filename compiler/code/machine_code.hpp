#pragma once

// Code generation for the host CPU.

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <memory>
#include <string>

namespace llvm {
class DiagnosticInfo;
class LLVMContext;
class MemoryBuffer;
class Module;
class TargetMachine;
} // namespace llvm

namespace hostcl::compiler {

/// A code generator for the host with all its features; not to be shared between threads.
/// @param simple it makes slow code, by code of LLVM that is another than for fast code in most places
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> host_target_machine(bool simple = false);

/// Turns a spir64 module into one for the host: triple, data layout, CPU attributes and calling conventions.
/// Address spaces below 256 are plain addresses there.
void retarget_to_host(llvm::Module& module, const llvm::TargetMachine& machine);

/// Leaves out passes that make a module's code faster but take the code generator long.
void generate_code_soon(llvm::LLVMContext& context);

enum class CodeForm { object, assembly };

/// Writes machine code for `module`, which has been retargeted.
llvm::Error emit_code(llvm::Module& module, llvm::TargetMachine& machine, CodeForm form,
                      llvm::raw_pwrite_stream& stream);

/// A copy of an object file. @throws std::bad_alloc, where LLVM's function returns null
std::unique_ptr<llvm::MemoryBuffer> copied(llvm::StringRef bytes);

/// A code generator that is ready to write objects. Setting one up costs as much as a small kernel, so they
/// are kept: borrow one, and it goes back when the loan ends.
class ObjectWriter {
public:
  /// Ends a loan. While an exception unwinds, the writer's state is unknown, and it is abandoned.
  struct Return {
    void operator()(ObjectWriter* writer) const;
  };
  using Loan = std::unique_ptr<ObjectWriter, Return>;
  /// @param simple as for host_target_machine(); such writers are not kept
  static llvm::Expected<Loan> borrow(bool simple = false);

  llvm::TargetMachine& machine() { return *machine_; }

  /// Machine code for `module`, which has been retargeted.
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> write(llvm::Module& module);
  /// Bytes of stack that the module's functions take together, with registers that are spilled: none calls itself.
  std::uint64_t stack_bytes() const { return heard_.stack_bytes; }

private:
  explicit ObjectWriter(std::unique_ptr<llvm::TargetMachine> machine);
  static llvm::Expected<std::unique_ptr<ObjectWriter>> create(bool simple);

  /// What the code generator has told of the last module.
  struct Heard {
    std::string errors;
    std::uint64_t stack_bytes = 0;
  };
  static void hear(const llvm::DiagnosticInfo* message, void* heard);

  std::unique_ptr<llvm::TargetMachine> machine_;
  Heard heard_;
  llvm::SmallVector<char, 0> bytes_;
  llvm::raw_svector_ostream stream_{bytes_};
  llvm::legacy::PassManager passes_;
};

} // namespace hostcl::compiler
