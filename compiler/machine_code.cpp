#include "compiler/machine_code.hpp"

#include "compiler/compiler.hpp"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"

#include <mutex>

namespace hostcl::compiler {

using namespace llvm;

namespace {

void initialise_targets() {
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
  });
}

void set_host_attributes(Function& function, const TargetMachine& machine) {
  function.setCallingConv(CallingConv::C);
  if (function.isDeclaration()) return;
  function.addFnAttr("target-cpu", machine.getTargetCPU());
  function.addFnAttr("target-features", machine.getTargetFeatureString());
  std::string bits = std::to_string(host_cpu().vector_bits);
  function.addFnAttr("prefer-vector-width", bits);
  function.addFnAttr("min-legal-vector-width", bits);
}

} // namespace

Expected<std::unique_ptr<TargetMachine>> host_target_machine() {
  initialise_targets();
  Triple triple(sys::getProcessTriple());
  std::string error;
  const Target* target = TargetRegistry::lookupTarget(triple, error);
  if (!target) return createStringError(error);
  const HostCpu& cpu = host_cpu();
  return std::unique_ptr<TargetMachine>(
      target->createTargetMachine(triple, cpu.name, cpu.features, TargetOptions(), Reloc::PIC_,
                                  CodeModel::Small, CodeGenOptLevel::Default, /*JIT=*/true));
}

void retarget_to_host(llvm::Module& module, const TargetMachine& machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  for (Function& function : module) {
    set_host_attributes(function, machine);
    for (User* user : function.users())
      if (auto* call = dyn_cast<CallBase>(user)) call->setCallingConv(CallingConv::C);
  }
}

Error emit_code(llvm::Module& module, TargetMachine& machine, CodeForm form, raw_pwrite_stream& stream) {
  legacy::PassManager passes;
  auto type = form == CodeForm::object ? CodeGenFileType::ObjectFile : CodeGenFileType::AssemblyFile;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type))
    return createStringError("the code generator cannot write this kind of file");
  passes.run(module);
  return Error::success();
}

Expected<std::unique_ptr<MemoryBuffer>> emit_object(llvm::Module& module, TargetMachine& machine) {
  SmallVector<char, 0> buffer;
  raw_svector_ostream stream(buffer);
  if (Error error = emit_code(module, machine, CodeForm::object, stream)) return std::move(error);
  return std::make_unique<SmallVectorMemoryBuffer>(std::move(buffer), /*RequiresNullTerminator=*/false);
}

} // namespace hostcl::compiler
