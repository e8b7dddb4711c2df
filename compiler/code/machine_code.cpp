#include "compiler/code/machine_code.hpp"

#include "compiler/code/cpu_capabilities.hpp"
#include "compiler/code/pipeline/progress.hpp"
#include "compiler/compiler.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/isolation/guard.hpp"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Pass.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"

#include <exception>
#include <mutex>
#include <vector>

namespace hostcl::compiler {

using namespace llvm;

namespace {

void initialise_targets() {
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    InitializeNativeTargetAsmParser(); // for inline assembly in kernels
    vfs::getRealFileSystem(); // made now, because pass builders of all threads count references to it
  });
}

void set_host_attributes(Function& function, const TargetMachine& machine, unsigned vector_bits) {
  function.setCallingConv(CallingConv::C);
  if (function.isDeclaration()) return;
  function.addFnAttr("target-cpu", machine.getTargetCPU());
  function.addFnAttr("target-features", machine.getTargetFeatureString());
  set_vector_bits(function, vector_bits);
}

} // namespace

Expected<std::unique_ptr<TargetMachine>> host_target_machine(const HostCpu& cpu, bool unoptimised) {
  initialise_targets();
  Triple triple(sys::getProcessTriple());
  std::string error;
  const Target* target = TargetRegistry::lookupTarget(triple, error);
  if (!target) return createStringError(error);
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      triple, cpu.name, cpu.features, TargetOptions(), Reloc::PIC_, CodeModel::Small,
      unoptimised ? CodeGenOptLevel::None : CodeGenOptLevel::Default,
      /*JIT=*/true));
}

void retarget_to_host(llvm::Module& module, const TargetMachine& machine, const HostCpu& cpu) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  for (Function& function : module) {
    set_host_attributes(function, machine, cpu.capabilities.vector_bits);
    for (User* user : function.users())
      if (auto* call = dyn_cast<CallBase>(user)) call->setCallingConv(CallingConv::C);
  }
}

namespace {

/// The passes of a code generator. A fast code generator lacks passes that take a tenth of its time or more and that
/// correct code does not need. LLVM then does not schedule the analyses that only these passes use.
class CodePasses final : public legacy::PassManager {
public:
  explicit CodePasses(bool fast) : fast_(fast) {}
  void add(Pass* pass) override {
    const StringRef name = pass->getPassName();
    if (fast_ && (name == "Loop Strength Reduction" || name == "Post RA top-down list latency scheduler"))
      delete pass;
    else
      PassManager::add(pass);
  }

private:
  bool fast_;
};

bool is_fast(const llvm::Module& module) {
  return module.getModuleFlag(metadata::fast_code);
}

} // namespace

void generate_code_fast(llvm::Module& module) {
  module.addModuleFlag(llvm::Module::Max, metadata::fast_code, 1);
}

Error emit_code(llvm::Module& module, TargetMachine& machine, CodeGenFileType form,
                raw_pwrite_stream& stream) {
  CodePasses passes(is_fast(module));
  if (machine.addPassesToEmitFile(passes, stream, nullptr, form))
    return createStringError("the code generator cannot write this kind of file");
  passes.run(module);
  return Error::success();
}

namespace {

/// Writers that no thread uses. Never destroyed, because kernels may be compiled while static objects are
/// destroyed.
struct IdleWriters {
  std::mutex mutex;
  std::vector<std::unique_ptr<ObjectWriter>> writers;
};

IdleWriters& idle_writers() {
  static IdleWriters& idle = *new IdleWriters;
  return idle;
}

} // namespace

ObjectWriter::ObjectWriter(std::unique_ptr<TargetMachine> machine) : machine_(std::move(machine)) {}

bool ObjectWriter::is_for(const HostCpu& cpu) const {
  return machine_->getTargetCPU() == cpu.name && machine_->getTargetFeatureString() == cpu.features;
}

Expected<ObjectWriter::Loan> ObjectWriter::borrow(const HostCpu& cpu, bool unoptimised) {
  IdleWriters& idle = idle_writers();
  if (!unoptimised) {
    std::scoped_lock lock(idle.mutex);
    const auto found = find_if(idle.writers, [&](const auto& writer) { return writer->is_for(cpu); });
    if (found != idle.writers.end()) {
      Loan loan(found->release());
      idle.writers.erase(found);
      return loan;
    }
  }
  const LongStep step;
  auto machine = host_target_machine(cpu, unoptimised);
  if (!machine) return machine.takeError();
  return Loan(new ObjectWriter(std::move(*machine)));
}

/// The passes for usual or for fast code generation, as the module requires. The writer creates each of the two when a
/// module first needs it.
Expected<legacy::PassManager*> ObjectWriter::passes_for(const llvm::Module& module) {
  const bool fast = is_fast(module);
  std::unique_ptr<legacy::PassManager>& kept = passes_[fast];
  if (kept) return kept.get();
  // If there is no memory for all passes, the passes that LLVM has made cannot be destroyed: LLVM would free
  // memory that it has not allocated yet. An exception therefore leaks the passes.
  auto* passes = new CodePasses(fast);
  const bool cannot = machine_->addPassesToEmitFile(*passes, stream_, nullptr, CodeGenFileType::ObjectFile);
  if (!cannot) {
    kept.reset(passes);
    return passes;
  }
  delete passes;
  return createStringError("the code generator cannot write objects");
}

void ObjectWriter::Return::operator()(ObjectWriter* writer) const {
  if (std::uncaught_exceptions()) return;
  if (writer->machine().getOptLevel() == CodeGenOptLevel::None) {
    delete writer;
    return;
  }
  IdleWriters& idle = idle_writers();
  std::scoped_lock lock(idle.mutex);
  idle.writers.emplace_back(writer);
}

void ObjectWriter::hear(const DiagnosticInfo* message, void* heard) {
  Heard& all = *static_cast<Heard*>(heard);
  if (const auto* frame = dyn_cast<DiagnosticInfoStackSize>(message)) {
    constexpr std::uint64_t call_bytes = 128; // the return address, saved registers, alignment
    all.stack_bytes += frame->getStackSize() + call_bytes;
  } else if (message->getSeverity() == DS_Error) { // inline assembly in kernels may not be valid for the CPU
    raw_string_ostream stream(all.errors);
    DiagnosticPrinterRawOStream printer(stream);
    message->print(printer);
  }
}

Expected<std::string> ObjectWriter::write(llvm::Module& module) {
  if (Error error = begin_step("code")) return std::move(error);
  bytes_.clear();
  heard_ = {};
  const LongStep step;
  auto passes = passes_for(module);
  if (!passes) return passes.takeError();
  for (Function& function : module)
    // Makes LLVM report the size of each frame.
    if (!function.isDeclaration()) function.addFnAttr("warn-stack-size", "0");
  module.getContext().setDiagnosticHandlerCallBack(hear, &heard_);
  (*passes)->run(module);
  module.getContext().setDiagnosticHandlerCallBack(nullptr);
  if (!heard_.errors.empty()) return createStringError(heard_.errors);
  return std::string(bytes_.data(), bytes_.size());
}

} // namespace hostcl::compiler
