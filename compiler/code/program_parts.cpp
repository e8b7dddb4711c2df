#include "compiler/code/program_parts.hpp"

#include "compiler/jobs/workbench.hpp"
#include "compiler/modules/ir_module.hpp"
#include "compiler/signature.hpp"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <utility>

namespace hostcl::compiler {

namespace {

llvm::Expected<ProgramParts> parts_of(const Module& program, llvm::Module& module, const HostCpu& cpu) {
  ProgramParts parts;
  for (const llvm::Function& function : module)
    if (is_api_kernel(function)) parts.signatures.push_back(read_signature(function));
  parts.api_kernels = parts.signatures.size();
  for (const llvm::Function& function : module)
    if (is_block_kernel(function)) parts.signatures.push_back(read_signature(function));
  auto variables = separate_variables(program, module, cpu);
  if (!variables) return variables.takeError();
  parts.variables = std::move(*variables);
  return parts;
}

} // namespace

llvm::Expected<ProgramParts> run(const PartsRequest& request, Workbench& bench) {
  const HostCpu& cpu = request.settings->cpu;
  if (const auto compiled = bench.take(*request.program); compiled.module)
    return parts_of(*request.program, *compiled.module, cpu);
  llvm::LLVMContext context;
  auto module = read_bitcode(context, *request.program);
  if (!module) return module.takeError();
  return parts_of(*request.program, **module, cpu);
}

} // namespace hostcl::compiler
