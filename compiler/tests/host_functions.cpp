// All functions that machine code of kernels may call are provided. Where a CPU lacks an instruction, LLVM's
// code generator calls a function of the C library or of the compiler's run-time library instead, which shows
// in the object only. Each kind of operation in the built-in library (an instruction or intrinsic with its
// types) is generated once for each CPU, and the object's undefined symbols are compared with the table.

#include "compiler/code/host_functions.hpp"
#include "builtins/library.hpp"
#include "compiler/code/cpu_capabilities.hpp"
#include "compiler/code/machine_code.hpp"
#include "compiler/compiler.hpp"
#include "support/catch.hpp"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <set>
#include <string>
#include <vector>

using namespace hostcl;
using namespace hostcl::compiler;
using namespace llvm;

namespace {

/// Operations that the code generator may turn into calls: not those that only name, move or choose values.
bool is_operation(const Instruction& instruction) {
  if (const auto* call = dyn_cast<CallInst>(&instruction)) {
    const auto* intrinsic = dyn_cast<IntrinsicInst>(call);
    return intrinsic && !intrinsic->isAssumeLikeIntrinsic();
  }
  return isa<UnaryOperator, BinaryOperator, CastInst, CmpInst, AtomicRMWInst, AtomicCmpXchgInst>(instruction);
}

/// A text that distinguishes kinds of operation: it has everything but the operands' values.
std::string kind_of(const Instruction& instruction) {
  std::string text;
  raw_string_ostream stream(text);
  stream << instruction.getOpcodeName() << ' ' << instruction.getRawSubclassOptionalData() << ' ';
  if (const auto* call = dyn_cast<CallInst>(&instruction)) stream << call->getCalledFunction()->getName();
  if (const auto* compare = dyn_cast<CmpInst>(&instruction)) stream << compare->getPredicate();
  if (const auto* atomic = dyn_cast<AtomicRMWInst>(&instruction)) stream << atomic->getOperation();
  stream << ' ' << *instruction.getType();
  for (const Value* operand : instruction.operand_values())
    stream << ", " << *operand->getType();
  return text;
}

/// Whether the operand is part of the operation: the name of an intrinsic, or a number that must be constant.
bool is_fixed(const Use& operand) {
  const auto* call = dyn_cast<CallInst>(operand.getUser());
  if (!call) return false;
  return call->isCallee(&operand) || call->paramHasAttr(call->getArgOperandNo(&operand), Attribute::ImmArg);
}

/// Adds a function that does the operation of `instruction` on its arguments.
void add_function(llvm::Module& module, const Instruction& instruction) {
  SmallVector<Type*, 4> types;
  for (const Use& operand : instruction.operands())
    if (!is_fixed(operand)) types.push_back(operand->getType());
  Type* result = instruction.getType();
  auto* function = Function::Create(FunctionType::get(result, types, false), GlobalValue::ExternalLinkage,
                                    "operation", module);
  IRBuilder<> build(BasicBlock::Create(module.getContext(), "", function));
  Instruction* copy = build.Insert(instruction.clone());
  copy->dropUnknownNonDebugMetadata();
  auto* argument = function->arg_begin();
  for (Use& operand : copy->operands())
    if (!is_fixed(operand)) operand = &*argument++;
  if (auto* call = dyn_cast<CallInst>(copy))
    call->setCalledFunction(
        module.getOrInsertFunction(call->getCalledFunction()->getName(), call->getFunctionType()));
  if (result->isVoidTy())
    build.CreateRetVoid();
  else
    build.CreateRet(copy);
}

/// A module with a function for each kind of operation in the built-in library.
std::unique_ptr<llvm::Module> operations_of_library(LLVMContext& context) {
  auto module = std::make_unique<llvm::Module>("operations", context);
  std::set<std::string> known;
  for (const builtins::Unit& unit : builtins::units()) {
    StringRef bytes(reinterpret_cast<const char*>(unit.bitcode.data()), unit.bitcode.size());
    auto parsed = cantFail(parseBitcodeFile(MemoryBufferRef(bytes, unit.name), context));
    module->setTargetTriple(parsed->getTargetTriple());
    module->setDataLayout(parsed->getDataLayout());
    for (const Function& function : *parsed)
      for (const Instruction& instruction : instructions(function))
        if (is_operation(instruction) && known.insert(kind_of(instruction)).second)
          add_function(*module, instruction);
  }
  return module;
}

/// Machine code of `module` for a CPU.
SmallVector<char, 0> object_of(std::unique_ptr<llvm::Module> module, const HostCpu& cpu) {
  auto machine = cantFail(host_target_machine(cpu));
  retarget_to_host(*module, *machine, cpu);
  SmallVector<char, 0> bytes;
  raw_svector_ostream stream(bytes);
  cantFail(emit_code(*module, *machine, CodeGenFileType::ObjectFile, stream));
  return bytes;
}

/// The undefined symbols of machine code of `module` for a CPU.
std::set<std::string> undefined_symbols(std::unique_ptr<llvm::Module> module, const HostCpu& cpu) {
  const SmallVector<char, 0> bytes = object_of(std::move(module), cpu);
  auto object = cantFail(object::ObjectFile::createObjectFile(
      MemoryBufferRef(StringRef(bytes.data(), bytes.size()), "operations")));
  std::set<std::string> names;
  for (const object::SymbolRef& symbol : object->symbols())
    if (cantFail(symbol.getFlags()) & object::SymbolRef::SF_Undefined)
      names.insert(cantFail(symbol.getName()).str());
  return names;
}

/// Checks that functions which machine code for the CPUs calls are provided.
void check_calls(const std::vector<std::string>& cpus) {
  std::set<std::string> provided = {""};
  for (const HostFunction& function : host_functions())
    provided.insert(function.name);
  LLVMContext context;
  const std::unique_ptr<llvm::Module> operations = operations_of_library(context);
  CHECK(operations->size() > 1000);
  for (const std::string& cpu : cpus) {
    const auto named = cpu_named(cpu, /*must_run=*/false);
    REQUIRE(named);
    for (const std::string& name : undefined_symbols(CloneModule(*operations), named.value)) {
      INFO("on " << cpu << ", machine code calls " << name);
      CHECK(provided.contains(name));
    }
  }
}

#ifdef __x86_64__
/// Checks that machine code for the CPUs is the same without the features that need the system.
void check_without_features(std::initializer_list<const char*> cpus) {
  std::string features;
  for (const auto& feature : sys::getHostCPUFeatures())
    if (is_system_feature(feature.getKey()))
      features += (features.empty() ? "-" : ",-") + feature.getKey().str();
  LLVMContext context;
  const std::unique_ptr<llvm::Module> operations = operations_of_library(context);
  for (const char* cpu : cpus) {
    const auto named = cpu_named(cpu, /*must_run=*/false);
    REQUIRE(named);
    HostCpu plain = named.value;
    plain.features = features;
    INFO(cpu);
    CHECK((object_of(CloneModule(*operations), plain) == object_of(CloneModule(*operations), named.value)));
  }
}
#endif

} // namespace

TEST_CASE("Host functions: all that operations of the library become calls of, on this CPU",
          "[host_functions]") {
  check_calls({host_cpu().name});
}

#ifdef __x86_64__
TEST_CASE("Host functions: all that operations of the library become calls of, on the least CPU",
          "[host_functions]") {
  check_calls({"x86-64"}); // which lacks the most instructions
}

TEST_CASE("Host functions: all that operations of the library become calls of, on other CPUs",
          "[.host_functions_of_cpus]") {
  check_calls({"x86-64-v2", "x86-64-v3", "x86-64-v4", "sapphirerapids"});
}

TEST_CASE("Host CPU: machine code of the library's operations is the same without the features of the system",
          "[host_functions]") {
  check_without_features({"graniterapids"});
}

TEST_CASE("Host CPU: machine code for other CPUs is the same without the features of the system",
          "[.host_functions_of_cpus]") {
  check_without_features({"znver5", "bdver4"});
}
#endif
