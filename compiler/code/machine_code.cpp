#include "compiler/code/machine_code.hpp"

#include "compiler/code/cpu_capabilities.hpp"
#include "compiler/code/pipeline/progress.hpp"
#include "compiler/compiler.hpp"
#include "compiler/isolation/guard.hpp"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/MC/TargetRegistry.h"
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

/// Skips passes of the code generator, by LLVM's names, that take a tenth of its time or more and that
/// correct code does not need.
class SlowPassGate : public OptPassGate {
public:
  bool shouldRunPass(StringRef pass, StringRef) const override {
    return pass != "Loop Strength Reduction" && pass != "Post RA top-down list latency scheduler";
  }
  bool isEnabled() const override { return true; }
};

} // namespace

void generate_code_fast(LLVMContext& context) {
  static SlowPassGate& gate = *new SlowPassGate;
  context.setOptPassGate(gate);
}

Error emit_code(llvm::Module& module, TargetMachine& machine, CodeGenFileType form,
                raw_pwrite_stream& stream) {
  legacy::PassManager passes;
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
  // If there is no memory for all passes, the passes that LLVM has made cannot be destroyed: LLVM would free
  // memory that it has not allocated yet. So the writer is leaked then.
  auto* writer = new ObjectWriter(std::move(*machine));
  const bool cannot = writer->machine_->addPassesToEmitFile(writer->passes_, writer->stream_, nullptr,
                                                            CodeGenFileType::ObjectFile);
  if (!cannot) return Loan(writer);
  delete writer;
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
  for (Function& function : module)
    // Makes LLVM report the size of each frame.
    if (!function.isDeclaration()) function.addFnAttr("warn-stack-size", "0");
  module.getContext().setDiagnosticHandlerCallBack(hear, &heard_);
  passes_.run(module);
  module.getContext().setDiagnosticHandlerCallBack(nullptr);
  if (!heard_.errors.empty()) return createStringError(heard_.errors);
  return std::string(bytes_.data(), bytes_.size());
}

} // namespace hostcl::compiler
