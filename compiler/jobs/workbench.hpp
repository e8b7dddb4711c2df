#pragma once

// The functions run(), which do jobs in this process: the application's process, or that of a compile server. A
// Workbench keeps what later jobs can use.

#include "compiler/jobs/kernel_worker.hpp"
#include "compiler/jobs/requests.hpp"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <deque>
#include <memory>

namespace hostcl::compiler {

/// Data that is kept from one job to the next.
class Workbench {
public:
  /// An object with its IR.
  struct Compiled {
    ModulePtr object;
    std::unique_ptr<llvm::LLVMContext> context;
    std::unique_ptr<llvm::Module> module;
  };
  /// Keeps the object that was compiled last, because the program is usually loaded next.
  void keep(Compiled compiled) {
    last_.module.reset(); // before its context
    last_ = std::move(compiled);
  }
  /// Takes the IR of the object that was compiled last, if `program` has the same bitcode; otherwise, the result has no
  /// module.
  Compiled take(const Module& program);

  /// The worker of a kernel, which keeps the kernel's prepared IR. If there are too many workers, a new worker replaces
  /// the oldest one.
  KernelWorker& worker_of(const KernelId& kernel);

private:
  Compiled last_;
  std::deque<std::unique_ptr<KernelWorker>> workers_;
};

llvm::Expected<ModuleReply> run(const CompileRequest& request, Workbench& bench);
llvm::Expected<ModuleReply> run(const CompileIlRequest& request, Workbench& bench);
llvm::Expected<ModuleReply> run(const LinkRequest& request, Workbench& bench);
llvm::Expected<ModuleReply> run(const CheckRequest& request, Workbench& bench);
llvm::Expected<ProgramParts> run(const PartsRequest& request, Workbench& bench);

/// load() for a program that has just been compiled, with its IR if the workbench has it.
Outcome<std::shared_ptr<Executable>> load(const SettingsPtr& settings, const ModulePtr& program,
                                          Workbench& bench, std::shared_ptr<CodeHost> host);

} // namespace hostcl::compiler
