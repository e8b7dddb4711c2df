// Part of reader.hpp: execution scopes that a kernel computes at run time.

#include "compiler/front/spirv/reader.hpp"

namespace hostcl::compiler::spirv {

using namespace llvm;

std::uint64_t Reader::execution_scope(Id id) {
  if (is_constant_number(id)) return constant_number(id);
  scalar_integer(id);
  if (!chosen_scope_) throw NeedsScope{id};
  return *chosen_scope_;
}

void Reader::read_in_scopes(Id scope, Id result, function_ref<void()> read) {
  Value* is_sub_group = ir().CreateICmpEQ(scalar_integer(scope).value,
                                          ConstantInt::get(operand(scope).type->ir, spv::ScopeSubgroup));
  BasicBlock* after = BasicBlock::Create(context_, "", function_);
  BasicBlock* blocks[] = {BasicBlock::Create(context_, "", function_, after),
                          BasicBlock::Create(context_, "", function_, after)};
  builder_.CreateCondBr(is_sub_group, blocks[0], blocks[1]);
  std::pair<TypedValue, BasicBlock*> results[2];
  for (unsigned i = 0; i < 2; ++i) {
    builder_.SetInsertPoint(blocks[i]);
    chosen_scope_ = i == 0 ? spv::ScopeSubgroup : spv::ScopeWorkgroup;
    if (result == 0)
      read();
    else
      results[i] = {taken(result, read), builder_.GetInsertBlock()};
    builder_.CreateBr(after);
  }
  chosen_scope_.reset();
  builder_.SetInsertPoint(after);
  if (result == 0) return;
  PHINode* chosen = builder_.CreatePHI(results[0].first.value->getType(), 2);
  for (const auto& [value, block] : results)
    chosen->addIncoming(value.value, block);
  define(result, *results[0].first.type, chosen);
}

} // namespace hostcl::compiler::spirv
