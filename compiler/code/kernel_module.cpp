#include "compiler/code/kernel_module.hpp"

#include "compiler/code/cpu_capabilities.hpp"
#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/maths_instructions.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/isolation/guard.hpp"
#include "compiler/modules/ir_module.hpp"
#include "compiler/modules/library_link.hpp"
#include "compiler/passes/coverage/instrumentation.hpp"
#include "compiler/passes/passes.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Materialises `root` and all functions that it can reach, except for kernels of blocks that it enqueues.
Expected<SetVector<Function*>> materialise_reachable(Function& root) {
  SetVector<Function*> reached;
  reached.insert(&root);
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (Error error = reached[i]->materialize()) return std::move(error);
    for (Instruction& instruction : instructions(*reached[i]))
      for (Value* operand : instruction.operands())
        if (auto* callee = dyn_cast<Function>(operand->stripPointerCasts());
            callee && !callee->hasFnAttribute(metadata::block_kernel))
          reached.insert(callee);
  }
  return reached;
}

/// Replaces the address of each block's kernel by its index among the block kernels of the program.
void number_block_kernels(llvm::Module& module) {
  Type* i64 = Type::getInt64Ty(module.getContext());
  std::uint64_t number = 0;
  for (Function& function : module)
    if (function.hasFnAttribute(metadata::block_kernel))
      function.replaceAllUsesWith(
          ConstantExpr::getIntToPtr(ConstantInt::get(i64, number++), function.getType()));
}

/// Gives internal linkage to all definitions but the kernel. The machine code of all kernels of a program,
/// and of all their variants, is linked together, so external symbols of other functions would clash.
void internalise(llvm::Module& module, const Function& kernel) {
  for (GlobalValue& value : module.global_values())
    if (!value.isDeclaration() && &value != &kernel) value.setLinkage(GlobalValue::InternalLinkage);
}

/// Removes all functions but `kept`, and the global lists that keep other functions alive.
void drop_others(llvm::Module& module, const SetVector<Function*>& kept) {
  for (const char* list : {"llvm.global_ctors", "llvm.global_dtors", "llvm.used", "llvm.compiler.used"})
    if (GlobalVariable* variable = module.getNamedGlobal(list)) variable->eraseFromParent();
  for (Function& function : make_early_inc_range(module)) {
    if (kept.contains(&function)) continue;
    function.replaceAllUsesWith(PoisonValue::get(function.getType()));
    function.eraseFromParent();
  }
}

/// In clang's IR, a kernel is a stub that calls the function __clang_ocl_kern_imp_NAME, which has the
/// kernel's code. Both have a DISubprogram for the kernel. Removes the stub's debug information, so that
/// after inlining the kernel has the DISubprogram of the function with the code (debug_variables_pass).
void describe_code_alone(Function& kernel) {
  const bool calls_code = any_of(instructions(kernel), [&](const Instruction& instruction) {
    const auto* call = dyn_cast<CallBase>(&instruction);
    const Function* callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->getSubprogram() &&
           callee->getName() == "__clang_ocl_kern_imp_" + kernel.getName().str();
  });
  if (!calls_code) return;
  kernel.setSubprogram(nullptr);
  for (Instruction& instruction : instructions(kernel)) {
    instruction.setDebugLoc(DebugLoc());
    instruction.dropDbgRecords();
  }
}

/// Runs the passes that insert checks (HOSTCL_CHECK) about calls and accesses as they are in the source.
/// These passes run before the library is linked, because linking and later passes replace such calls and
/// accesses.
void check_source(llvm::Module& module, ModuleAnalysisManager& analyses, const Switches& switches) {
  if (!switches.has_checks()) return;
  own_components_pass(module, analyses);
  if (switches.is_checked(Check::bounds)) {
    check_elements_pass(module, analyses);
    check_images_pass(module, analyses);
  }
  if (switches.is_checked(Check::arguments)) check_arguments_pass(module, analyses);
  check_collectives_pass(module, analyses, switches);
}

} // namespace

Expected<KernelModule> extract_kernel(LLVMContext& context, const compiler::Module& program, StringRef name,
                                      const ImageProperties& properties, const Settings& settings) {
  const LongStep step;
  auto module = read_declarations(context, program);
  if (!module) return module.takeError();
  Function* kernel = (*module)->getFunction(name);
  if (!kernel) return createStringError("the program has no kernel '" + name + "'");

  auto reached = materialise_reachable(*kernel);
  if (!reached) return reached.takeError();
  describe_code_alone(*kernel);
  if (kernel->hasFnAttribute(metadata::debug_form))
    (*module)->setModuleFlag(llvm::Module::Max, metadata::debug_form, 1);
  number_block_kernels(**module);
  drop_others(**module, *reached);
  if (Error error = (*module)->materializeAll()) return std::move(error);
  kernel->setLinkage(GlobalValue::ExternalLinkage);
  internalise(**module, *kernel);
  if (settings.coverage)
    lower_instrumentation(**module);
  else
    drop_instrumentation(**module);
  ModuleAnalysisManager analyses;
  opaque_values_pass(**module, analyses);
  check_source(**module, analyses, settings);
  if (Error error = link_builtins(**module)) return std::move(error);
  choose_maths_instructions(**module, settings.cpu.capabilities.float_parts && !settings.same_bits);
  answer_question(**module, "__hostcl_maths_flushes",
                  (*module)->getModuleFlag(metadata::flush_denormals) && !settings.same_bits);
  answer_question(**module, "__hostcl_has_same_bits", settings.same_bits);
  image_values_pass(**module, analyses, settings);
  annotate_intrinsics(**module);
  // LLVM creates a subtarget for each combination of a function's target attributes, in half a millisecond.
  // The vector width is set here to the value that retarget_to_host() sets later, which saves one subtarget.
  for (Function& function : **module)
    if (!function.isDeclaration()) set_vector_bits(function, settings.cpu.capabilities.vector_bits);
  kernel = (*module)->getFunction(name);
  if (!properties.empty()) kernel->addFnAttr(metadata::image_properties, text_of(properties));
  return KernelModule{std::move(*module), kernel};
}

} // namespace hostcl::compiler
