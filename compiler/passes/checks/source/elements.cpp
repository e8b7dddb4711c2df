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

#include "compiler/passes/checks/calls.hpp"
#include "compiler/passes/checks/findings.hpp"

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// An index and its exclusive upper bound.
struct Index {
  Value* value;
  std::uint64_t end;
  bool is_of_vector;
};

/// A member of a structure, as selected by an index; `structure` is null for other indices.
struct Member {
  const StructType* structure = nullptr;
  unsigned number = 0;

  template <class Iterator>
  static Member selected_by(const Iterator& at) {
    const auto* number = at.isStruct() ? dyn_cast<ConstantInt>(at.getOperand()) : nullptr;
    if (!number) return {};
    return {at.getStructType(), static_cast<unsigned>(number->getZExtValue())};
  }
  /// Whether the member is this array, and no flexible array member.
  bool is_bounded(const Type& array) const {
    return structure && structure->getElementType(number) == &array &&
           (array.getArrayNumElements() > 1 || number + 1 < structure->getNumElements());
  }
};

/// The member that the last index of an address selects.
Member last_member(const Value& pointer) {
  Member last;
  if (const auto* address = dyn_cast<GEPOperator>(&pointer))
    for (auto at = gep_type_begin(address); at != gep_type_end(address); ++at)
      last = Member::selected_by(at);
  return last;
}

/// Adds the indices of one address computation into vectors, and into arrays that are members of structures.
void add_indices(GEPOperator& address, SmallVectorImpl<Index>& indices) {
  Member member =
      last_member(*address.getPointerOperand()); // the next index selects an element of this member
  const Type* container = address.getSourceElementType();
  for (auto at = std::next(gep_type_begin(address)); at != gep_type_end(address); ++at) {
    if (at.isVector())
      indices.push_back({at.getOperand(), cast<FixedVectorType>(container)->getNumElements(), true});
    else if (!at.isStruct() && member.is_bounded(*container))
      indices.push_back({at.getOperand(), container->getArrayNumElements(), false});
    member = Member::selected_by(at);
    container = at.getIndexedType();
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

Constant* site_of(const Instruction& instruction, StringRef access, const Index& index) {
  return index.is_of_vector ? compiler::site_of(instruction, Check::bounds,
                                                access + " of a component that a vector of " +
                                                    Twine(index.end) + " does not have")
                            : compiler::site_of(instruction, Check::bounds,
                                                access + " beyond the " + Twine(index.end) +
                                                    " elements of an array in a structure");
}

void check_access(Instruction& access, Value& pointer, StringRef name) {
  for (const Index& index : indices_of(pointer)) {
    IRBuilder<> builder(&access);
    Value* right = is_right(builder, index);
    perform_if(
        right, access, [](IRBuilder<>& there) { return there.getInt64(0); }, site_of(access, name, index));
  }
}

/// Checks the index of an extractelement or insertelement. The instruction then always has an index in range.
void check_component(Instruction& instruction, unsigned operand, StringRef access) {
  const Value& vector = *instruction.getOperand(0);
  const auto* type = dyn_cast<FixedVectorType>(vector.getType());
  if (!type || isa<ConstantInt>(instruction.getOperand(operand))) return;
  const Index index{instruction.getOperand(operand), type->getNumElements(), /*is_of_vector=*/true};
  IRBuilder<> builder(&instruction);
  Value* right = is_right(builder, index);
  instruction.setOperand(
      operand, builder.CreateSelect(right, index.value, Constant::getNullValue(index.value->getType())));
  report_if(builder.CreateNot(right), instruction, site_of(instruction, access, index));
  IRBuilder<> after(instruction.getNextNode());
  Value* otherwise = operand == 1 ? Constant::getNullValue(instruction.getType()) : instruction.getOperand(0);
  Value* result = after.CreateSelect(right, &instruction, otherwise);
  instruction.replaceUsesWithIf(result, [&](const Use& use) { return use.getUser() != result; });
}

void check(Instruction& instruction) {
  if (isa<ExtractElementInst>(instruction)) return check_component(instruction, 1, "read");
  if (isa<InsertElementInst>(instruction)) return check_component(instruction, 2, "write");
  if (isa<LoadInst, StoreInst>(instruction))
    return check_access(instruction, *getLoadStorePointerOperand(&instruction),
                        isa<LoadInst>(instruction) ? "read" : "write");
  auto* call = dyn_cast<CallBase>(&instruction);
  const StringRef name = call ? called_name(*call).name : StringRef();
  if ((name.starts_with("atomic_") || name.starts_with("atom_")) && !call->arg_empty() &&
      call->getArgOperand(0)->getType()->isPointerTy())
    check_access(*call, *call->getArgOperand(0), "update");
}

} // namespace

PreservedAnalyses check_elements_pass(Module& module, ModuleAnalysisManager&) {
  return check_instructions(module, check);
}

} // namespace hostcl::compiler
