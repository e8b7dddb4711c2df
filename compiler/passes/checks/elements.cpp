// Checks indices against bounds that types alone tell (HOSTCL_CHECK=bounds): of vectors, and of arrays that are members
// of structures. An element out of range is reported and not accessed.
//
//   before:  %x = extractelement <4 x float> %v, i32 %i
//
//   after:   %right = icmp ult i32 %i, 4
//            if not %right a report (findings.hpp)
//            %x = the element at %i, or zero
//
//   before:  %v = getelementptr %S, ptr %s, i32 0, i32 1
//            %e = getelementptr [4 x i32], ptr %v, i64 0, i64 %i
//            store i32 %x, ptr %e
//
//   after:   %right = icmp ult i64 %i, 4
//            if %right then the store, else a report
//
// An array of at most one element at the end of a structure is not checked: it may stand for a longer one (flexible
// array member).
//
// In:  code as the front end made it.
// Test: tests/passes/checks/check_elements.ll

#include "compiler/passes/passes.hpp"

#include "compiler/passes/checks/called_name.hpp"
#include "compiler/passes/checks/findings.hpp"

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include <string>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// An index and its exclusive upper bound.
struct Index {
  Value* value;
  std::uint64_t end;
  bool is_of_vector;
};

/// Whether the last index of the address selects `array`, a member of a structure, and `array` is not a flexible array
/// member.
bool is_member(const Value& pointer, const Type& array) {
  const auto* step = dyn_cast<GEPOperator>(&pointer);
  if (!step) return false;
  auto at = gep_type_begin(step), last = at;
  for (; at != gep_type_end(step); ++at)
    last = at;
  const auto* structure = last.getStructTypeOrNull();
  const auto* member = structure ? dyn_cast<ConstantInt>(last.getOperand()) : nullptr;
  if (!member || structure->getElementType(static_cast<unsigned>(member->getZExtValue())) != &array)
    return false;
  return array.getArrayNumElements() > 1 || member->getZExtValue() + 1 < structure->getNumElements();
}

/// Adds the indices of one address computation into vectors, and into arrays that are members of structures.
void add_indices(GEPOperator& address, SmallVectorImpl<Index>& indices) {
  StructType* around = nullptr; // the structure from which the previous index selected a member
  std::uint64_t member = 0;
  bool is_first = true;
  for (auto at = gep_type_begin(address); at != gep_type_end(address); ++at) {
    Value* index = at.getOperand();
    if (!is_first && !at.isStruct()) {
      const bool is_vector = at.isVector();
      const auto steps = static_cast<unsigned>(std::distance(gep_type_begin(address), at));
      Type* container = GetElementPtrInst::getIndexedType(
          address.getSourceElementType(),
          SmallVector<Value*, 4>(address.idx_begin(), address.idx_begin() + steps));
      std::uint64_t end = 0;
      if (is_vector)
        end = cast<FixedVectorType>(container)->getNumElements();
      else if ((around && (container->getArrayNumElements() > 1 || member + 1 < around->getNumElements())) ||
               (steps == 1 && is_member(*address.getPointerOperand(), *container)))
        end = container->getArrayNumElements();
      if (end) indices.push_back({index, end, is_vector});
    }
    around = at.getStructTypeOrNull();
    if (around) member = cast<ConstantInt>(index)->getZExtValue();
    is_first = false;
  }
}

/// The indices of the pointer's address computations that are not known to be in range.
SmallVector<Index, 2> indices_of(Value& pointer) {
  SmallVector<Index, 2> indices;
  for (auto* address = dyn_cast<GEPOperator>(&pointer); address;
       address = dyn_cast<GEPOperator>(address->getPointerOperand()))
    add_indices(*address, indices);
  erase_if(indices, [](const Index& index) {
    const auto* known = dyn_cast<ConstantInt>(index.value);
    return known && known->getValue().ult(index.end);
  });
  return indices;
}

Value* is_right(IRBuilder<>& builder, const Index& index) {
  return builder.CreateICmpULT(index.value, ConstantInt::get(index.value->getType(), index.end), "right");
}

std::string sentence_of(StringRef access, const Index& index) {
  const std::string count = std::to_string(index.end);
  return (access + (index.is_of_vector ? " of a component that a vector of " + count + " does not have"
                                       : " beyond the " + count + " elements of an array in a structure"))
      .str();
}

class ElementsChecker {
public:
  explicit ElementsChecker(const Function& kernel) : kernel_(kernel) {}
  void check(Instruction& instruction);

private:
  Constant* site(const Instruction& instruction, const std::string& sentence) {
    return site_of(instruction, {.check = Check::bounds, .sentence = sentence, .kernel = &kernel_});
  }
  void check_access(Instruction& access, Value& pointer, StringRef name);
  void check_call(CallBase& call);
  void check_component(Instruction& instruction, unsigned operand, StringRef access);

  const Function& kernel_;
};

void ElementsChecker::check_access(Instruction& access, Value& pointer, StringRef name) {
  for (const Index& index : indices_of(pointer)) {
    IRBuilder<> builder(&access);
    Value* right = is_right(builder, index);
    perform_if(
        right, access, [](IRBuilder<>& there) { return there.getInt64(0); },
        site(access, sentence_of(name, index)));
  }
}

/// Checks the object of an atomic function, which is its first argument.
void ElementsChecker::check_call(CallBase& call) {
  const Function* callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration() || call.arg_empty()) return;
  const StringRef name = called_name(*callee).name;
  if ((!name.starts_with("atomic_") && !name.starts_with("atom_")) ||
      !call.getArgOperand(0)->getType()->isPointerTy())
    return;
  check_access(call, *call.getArgOperand(0), "update");
}

/// Checks the index of an extractelement or insertelement. The instruction then always has an index in range.
void ElementsChecker::check_component(Instruction& instruction, unsigned operand, StringRef access) {
  const Value& vector = *instruction.getOperand(0);
  const auto* type = dyn_cast<FixedVectorType>(vector.getType());
  if (!type || isa<ConstantInt>(instruction.getOperand(operand))) return;
  const Index index{instruction.getOperand(operand), type->getNumElements(), /*is_of_vector=*/true};
  IRBuilder<> builder(&instruction);
  Value* right = is_right(builder, index);
  instruction.setOperand(
      operand, builder.CreateSelect(right, index.value, Constant::getNullValue(index.value->getType())));
  report_if(builder.CreateNot(right), instruction, site(instruction, sentence_of(access, index)));
  IRBuilder<> after(instruction.getNextNode());
  Value* otherwise = operand == 1 ? Constant::getNullValue(instruction.getType()) : instruction.getOperand(0);
  Value* result = after.CreateSelect(right, &instruction, otherwise);
  instruction.replaceUsesWithIf(result, [&](const Use& use) { return use.getUser() != result; });
}

void ElementsChecker::check(Instruction& instruction) {
  if (isa<ExtractElementInst>(instruction)) return check_component(instruction, 1, "read");
  if (isa<InsertElementInst>(instruction)) return check_component(instruction, 2, "write");
  if (auto* load = dyn_cast<LoadInst>(&instruction))
    return check_access(*load, *load->getPointerOperand(), "read");
  if (auto* store = dyn_cast<StoreInst>(&instruction))
    return check_access(*store, *store->getPointerOperand(), "write");
  if (auto* call = dyn_cast<CallBase>(&instruction)) check_call(*call);
}

} // namespace

PreservedAnalyses check_elements_pass(Module& module, ModuleAnalysisManager&) {
  const Function* kernel = kernel_in(module);
  if (!kernel) return PreservedAnalyses::all();
  ElementsChecker checker(*kernel);
  for (Instruction* instruction : instructions_in(module))
    checker.check(*instruction);
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
