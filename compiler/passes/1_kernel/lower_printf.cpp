#include "compiler/passes/1_kernel/lower_printf.hpp"

#include "compiler/passes/passes.hpp"

#include "compiler/abi/printf.hpp"
#include "compiler/passes/preserved.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <bit>

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned header_bytes = sizeof(PrintArgument);

PrintKind kind_of(const Type& element) {
  if (element.isPointerTy()) return PrintKind::pointer;
  return element.isFloatingPointTy() ? PrintKind::real : PrintKind::integer;
}

/// An argument of printf and the header that precedes it in the block.
struct Packed {
  Value* value;
  PrintArgument header;
  unsigned bytes() const { return alignTo(header.element_bytes * header.count, 8); }
};

Packed pack(Value* value, const DataLayout& layout) {
  Type* element = value->getType()->getScalarType();
  auto* vector = dyn_cast<FixedVectorType>(value->getType());
  PrintArgument header{};
  header.kind = kind_of(*element);
  header.element_bytes = static_cast<std::uint8_t>(layout.getTypeStoreSize(element));
  header.count = static_cast<std::uint8_t>(vector ? vector->getNumElements() : 1);
  return {value, header};
}

unsigned block_bytes(const CallInst& call, const DataLayout& layout) {
  unsigned bytes = header_bytes;
  for (unsigned i = 1; i < call.arg_size(); ++i)
    bytes += header_bytes + pack(call.getArgOperand(i), layout).bytes();
  return bytes;
}

void store_at(IRBuilder<>& builder, Value* value, Value* block, unsigned offset, unsigned alignment) {
  Value* address = builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), block, offset);
  builder.CreateAlignedStore(value, address, Align(alignment));
}

/// Stores a vector element by element: the elements are contiguous, without the padding that a vector of three has.
void store_elements(IRBuilder<>& builder, const Packed& argument, Value* block, unsigned offset) {
  if (!argument.value->getType()->isVectorTy()) {
    store_at(builder, argument.value, block, offset, argument.header.element_bytes);
    return;
  }
  for (unsigned i = 0; i < argument.header.count; ++i) {
    Value* element = builder.CreateExtractElement(argument.value, i);
    store_at(builder, element, block, offset + i * argument.header.element_bytes,
             argument.header.element_bytes);
  }
}

void lower(CallInst& call, AllocaInst& block) {
  const DataLayout& layout = call.getModule()->getDataLayout();
  IRBuilder<> builder(&call);
  unsigned offset = 0;
  for (unsigned i = 1; i < call.arg_size(); ++i) {
    Packed argument = pack(call.getArgOperand(i), layout);
    store_at(builder, builder.getInt64(std::bit_cast<std::uint64_t>(argument.header)), &block, offset, 8);
    store_elements(builder, argument, &block, offset + header_bytes);
    offset += header_bytes + argument.bytes();
  }
  store_at(builder, builder.getInt64(0), &block, offset, 8);

  Type* format_type = call.getArgOperand(0)->getType();
  FunctionCallee host = call.getModule()->getOrInsertFunction("__hostcl_printf", builder.getInt32Ty(),
                                                              format_type, block.getType());
  auto* replacement = builder.CreateCall(host, {call.getArgOperand(0), &block});
  replacement->setDebugLoc(call.getDebugLoc());
  call.replaceAllUsesWith(replacement);
  call.eraseFromParent();
}

} // namespace

bool is_printf(const Function& function) {
  return function.getName() == "printf" && function.isVarArg();
}

PreservedAnalyses lower_printf_pass(Function& function, FunctionAnalysisManager&) {
  SmallVector<CallInst*, 8> calls;
  unsigned bytes = 0;
  for (Instruction& instruction : instructions(function)) {
    auto* call = dyn_cast<CallInst>(&instruction);
    if (!call || !call->getCalledFunction() || !is_printf(*call->getCalledFunction())) continue;
    calls.push_back(call);
    bytes = std::max(bytes, block_bytes(*call, function.getDataLayout()));
  }
  if (calls.empty()) return PreservedAnalyses::all();

  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  AllocaInst* block = builder.CreateAlloca(ArrayType::get(builder.getInt8Ty(), bytes));
  block->setAlignment(Align(8));
  for (CallInst* call : calls)
    lower(*call, *block);
  return all_but_values(/*changed=*/true);
}

} // namespace hostcl::compiler
