#include "random_kernel.hpp"

#include "compiler/ir/intrinsics.hpp"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

namespace random_ir {

using namespace llvm;

namespace {

std::unique_ptr<Module> empty_module(LLVMContext& context) {
  auto module = std::make_unique<Module>("random", context);
  module->setTargetTriple(Triple("spir64"));
  module->setDataLayout(
      "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1");
  return module;
}

Function* empty_kernel(Module& module) {
  LLVMContext& context = module.getContext();
  Type *global = PointerType::get(context, 1), *i32 = Type::getInt32Ty(context);
  auto* type =
      FunctionType::get(Type::getVoidTy(context),
                        {global, global, PointerType::get(context, 2), PointerType::get(context, 3), i32,
                         Type::getInt64Ty(context), Type::getFloatTy(context),
                         FixedVectorType::get(Type::getFloatTy(context), 4), FixedVectorType::get(i32, 2)},
                        false);
  Function* kernel = Function::Create(type, GlobalValue::ExternalLinkage, "k", module);
  kernel->setCallingConv(CallingConv::SPIR_KERNEL);
  kernel->addFnAttr(Attribute::Convergent);
  kernel->addFnAttr(Attribute::NoUnwind);
  return kernel;
}

} // namespace

RandomKernel::RandomKernel(LLVMContext& context, std::uint64_t seed)
    : module_(empty_module(context)),
      random_(seed),
      write_(*module_, random_),
      kernel_(empty_kernel(*module_)) {
  BasicBlock* entry = BasicBlock::Create(context, "entry", kernel_);
  const unsigned count = 1 + random_.below(9);
  for (unsigned i = 0; i < count; ++i)
    blocks_.push_back(BasicBlock::Create(context, "b" + Twine(i), kernel_));
  write_.builder().SetInsertPoint(entry);
  write_entry();
  const Instructions::Known everywhere = write_.known();
  write_.builder().CreateBr(blocks_.front());
  known_at_end_[entry] = everywhere;
  for (unsigned i = 0; i < count; ++i) {
    write_.known() = everywhere;
    write_block(*blocks_[i]);
    write_end(*blocks_[i], i);
    known_at_end_[blocks_[i]] = write_.known();
  }
  for (BasicBlock* block : blocks_)
    fill_phis(*block);
  hostcl::compiler::annotate_intrinsics(*module_);
}

void RandomKernel::write_entry() {
  for (Argument& argument : kernel_->args())
    write_.note(&argument);
  for (unsigned i = random_.below(5); i > 0; --i)
    write_.write_variable();
  for (unsigned i = 1 + random_.below(3); i > 0; --i)
    write_.write_query();
  for (unsigned i = random_.below(12); i > 0; --i)
    write_.write_one();
}

/// Their values are known once all blocks are written.
void RandomKernel::write_phis() {
  for (unsigned i = random_.below(4); i > 0; --i) {
    Type* type = random_.one_in(2) ? write_.odd().scalar() : write_.odd().any();
    write_.note(write_.builder().CreatePHI(type, 2));
  }
}

void RandomKernel::write_block(BasicBlock& block) {
  write_.builder().SetInsertPoint(&block);
  if (&block != blocks_.front() || random_.one_in(2)) write_phis();
  for (unsigned i = random_.below(random_.one_in(6) ? 40 : 12); i > 0; --i)
    write_.write_one();
}

/// Mostly a later block, so that most kernels end; else any, or the same.
BasicBlock* RandomKernel::next_of(unsigned number) {
  const auto count = static_cast<unsigned>(blocks_.size());
  if (random_.one_in(5)) return blocks_[random_.below(count)];
  if (random_.one_in(12)) return blocks_[number];
  return blocks_[std::min(number + 1 + random_.below(3), count - 1)];
}

void RandomKernel::write_end(BasicBlock& block, unsigned number) {
  Builder& build = write_.builder();
  if (&block == blocks_.back() && !random_.one_in(6)) {
    build.CreateRetVoid();
    return;
  }
  switch (random_.below(12)) {
  case 0:
    build.CreateRetVoid();
    break;
  case 1:
    if (random_.one_in(3)) {
      build.CreateUnreachable();
      break;
    }
    [[fallthrough]];
  case 2:
  case 3:
  case 4:
    build.CreateBr(next_of(number));
    break;
  case 5:
  case 6: {
    auto* type = cast<IntegerType>(write_.odd().integer());
    SwitchInst* choice = build.CreateSwitch(write_.any(type), next_of(number));
    for (unsigned i = random_.below(4); i > 0; --i) {
      ConstantInt* value = ConstantInt::get(type, random_.below(1u << std::min(type->getBitWidth(), 8u)));
      if (choice->findCaseValue(value) == choice->case_default()) choice->addCase(value, next_of(number));
    }
    break;
  }
  default:
    build.CreateCondBr(write_.any(build.getInt1Ty()), next_of(number), next_of(number));
  }
}

/// An edge's value is one of those where it begins; several edges from one block have the same.
void RandomKernel::fill_phis(BasicBlock& block) {
  const SmallVector<BasicBlock*, 8> before(predecessors(&block));
  for (PHINode& phi : make_early_inc_range(block.phis())) {
    if (before.empty()) {
      phi.replaceAllUsesWith(write_.odd().constant(phi.getType()));
      for (auto& [end, known] : known_at_end_)
        erase(known[phi.getType()], &phi);
      phi.eraseFromParent();
      continue;
    }
    for (BasicBlock* from : before) {
      const int same = phi.getBasicBlockIndex(from);
      write_.known() = known_at_end_[from];
      phi.addIncoming(
          same >= 0 ? phi.getIncomingValue(static_cast<unsigned>(same)) : write_.any(phi.getType()), from);
    }
  }
}

} // namespace random_ir
