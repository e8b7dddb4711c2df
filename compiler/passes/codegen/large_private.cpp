#include "compiler/passes/codegen/large_private.hpp"

#include "compiler/abi.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr const char* mark = "hostcl.private_bytes";
/// What the stack of any thread has room for.
constexpr std::uint64_t most_on_stack = 64 << 10;
/// Variables that stay there in any case.
constexpr std::uint64_t small_variable = 64;

std::uint64_t size_of(const AllocaInst& variable) {
  const auto size = variable.getAllocationSize(variable.getDataLayout());
  return size && !size->isScalable() ? size->getFixedValue() : 0;
}

/// The context of an entry; null for other functions.
Argument* context_of(Function& function) {
  constexpr unsigned number = 3, parameters = 6;
  const bool is_entry = function.arg_size() == parameters && function.getArg(number)->getName() == "context";
  return is_entry ? function.getArg(number) : nullptr;
}

/// Lifetimes are those of stack slots alone.
void forget_lifetime(AllocaInst& variable) {
  for (User* user : make_early_inc_range(variable.users()))
    if (auto* call = dyn_cast<LifetimeIntrinsic>(user)) call->eraseFromParent();
}

/// Bytes that a variable takes at a multiple of abi::scratch_alignment.
std::uint64_t room_for(const AllocaInst& variable) {
  const std::uint64_t alignment = variable.getAlign().value();
  const std::uint64_t padding = alignment > abi::scratch_alignment ? alignment - abi::scratch_alignment : 0;
  return alignTo(SaturatingAdd(size_of(variable), padding), abi::scratch_alignment);
}

Value* place(IRBuilder<>& build, Argument& context, const AllocaInst& variable, std::uint64_t offset) {
  const std::uint64_t alignment = variable.getAlign().value();
  Value* address = build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), &context, offset);
  if (alignment <= abi::scratch_alignment) return address;
  address = build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), address, alignment - 1);
  return build.CreateIntrinsic(Intrinsic::ptrmask, {address->getType(), build.getInt64Ty()},
                               {address, build.getInt64(-alignment)});
}

} // namespace

std::uint64_t stack_bytes(const Function& function) {
  std::uint64_t bytes = 0;
  for (const Instruction& instruction : instructions(function))
    if (const auto* variable = dyn_cast<AllocaInst>(&instruction))
      bytes = SaturatingAdd(bytes, SaturatingAdd(size_of(*variable), variable->getAlign().value()));
  return bytes;
}

std::uint64_t moved_private_bytes(const Function& entry) {
  return entry.getFnAttributeAsParsedInteger(mark);
}

PreservedAnalyses LargePrivatePass::run(Function& function, FunctionAnalysisManager&) {
  Argument* context = context_of(function);
  if (!context || stack_bytes(function) <= most_on_stack) return PreservedAnalyses::all();
  SmallVector<AllocaInst*, 8> variables;
  for (Instruction& instruction : instructions(function))
    if (auto* variable = dyn_cast<AllocaInst>(&instruction); variable && size_of(*variable) >= small_variable)
      variables.push_back(variable);
  std::uint64_t bytes = 0;
  for (const AllocaInst* variable : variables)
    bytes = SaturatingAdd(bytes, room_for(*variable));
  IRBuilder<> build(&*function.getEntryBlock().getFirstInsertionPt());
  Value* behind = build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), context, bytes);
  context->replaceUsesWithIf(behind, [&](const Use& use) { return use.getUser() != behind; });
  std::uint64_t offset = 0;
  for (AllocaInst* variable : variables) {
    forget_lifetime(*variable);
    variable->replaceAllUsesWith(place(build, *context, *variable, offset));
    offset += room_for(*variable);
  }
  for (AllocaInst* variable : variables) // not before: code is inserted in front of one
    variable->eraseFromParent();
  function.addFnAttr(mark, std::to_string(bytes));
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
