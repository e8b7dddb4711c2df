#include "compiler/code/pipeline/pass_environment.hpp"

#include "compiler/code/pipeline/census.hpp"
#include "compiler/isolation/guard.hpp"
#include "compiler/passes/registry.hpp"
#include "compiler/values/address_space_aliases.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Target/TargetMachine.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// The functions of the C library by which LLVM may replace loops and other code: the functions that the
/// driver resolves (host_functions.cpp). Otherwise a loop that looks for the end of a string would become
/// strlen.
TargetLibraryInfoImpl available_functions(const TargetMachine* machine) {
  TargetLibraryInfoImpl library(machine ? machine->getTargetTriple() : Triple());
  library.disableAllFunctions();
  for (LibFunc function : {LibFunc_memcpy, LibFunc_memmove, LibFunc_memset})
    library.setAvailable(function);
  return library;
}

/// For the census: records whether LLVM's vectorisers have changed code. LoopVectorize marks vectorised loops
/// with metadata. For SLPVectorizer, the preserved analyses tell whether it has changed the function.
void note_llvm_vectors(StringRef pass, const Any& code, const PreservedAnalyses& preserved) {
  if (pass == "SLPVectorizerPass") note_change(Heuristic::scalar_loops, !preserved.areAllPreserved());
  const auto* function = pass == "LoopVectorizePass" ? any_cast<const Function*>(&code) : nullptr;
  if (!function) return;
  for (const BasicBlock& block : **function)
    if (MDNode* loop = block.getTerminator()->getMetadata(LLVMContext::MD_loop))
      note_change(Heuristic::scalar_loops, findOptionMDForLoopID(loop, "llvm.loop.isvectorized"));
}

} // namespace

PassEnvironment::PassEnvironment(TargetMachine* machine, const Switches& switches)
    : builder_(machine, PipelineTuningOptions(), std::nullopt, &callbacks_) {
  times_.registerCallbacks(callbacks_);
  if (census_file()) callbacks_.registerAfterPassCallback(note_llvm_vectors);
  register_passes(builder_);
  // If an analysis is registered twice, the first one is used.
  functions_.registerPass([&] { return TargetLibraryAnalysis(available_functions(machine)); });
  functions_.registerPass([] { return AddressSpaceAliases(); });
  functions_.registerPass([&] {
    AAManager aliases = builder_.buildDefaultAAPipeline();
    if (switches.is_on(Heuristic::address_spaces)) aliases.registerFunctionAnalysis<AddressSpaceAliases>();
    return aliases;
  });
  builder_.registerModuleAnalyses(modules_);
  builder_.registerCGSCCAnalyses(components_);
  builder_.registerFunctionAnalyses(functions_);
  builder_.registerLoopAnalyses(loops_);
  builder_.crossRegisterProxies(loops_, functions_, components_, modules_);
}

Error PassEnvironment::run(llvm::Module& module, StringRef pipeline) {
  ModulePassManager passes;
  if (Error error = builder_.parsePassPipeline(passes, pipeline)) return error;
  const LongStep step;
  passes.run(module, modules_);
  return Error::success();
}

void PassEnvironment::forget_analyses() {
  loops_.clear();
  components_.clear();
  functions_.clear();
  modules_.clear();
}

} // namespace hostcl::compiler
