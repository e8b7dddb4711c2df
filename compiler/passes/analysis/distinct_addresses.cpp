#include "compiler/passes/analysis/distinct_addresses.hpp"

#include "compiler/passes/analysis/linear_forms.hpp"
#include "compiler/passes/intrinsics.hpp"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

bool differs_between_work_items(const Value& address, const Function& kernel) {
  LinearForms forms;
  unsigned ids = 0, asked_for = 0;
  for (const Term& term : forms.of(address).terms) {
    unsigned of_term = 0;
    for (const Value* leaf : term.leaves) {
      const unsigned dependence = forms.of(*leaf).dependence() & (on_any_id | on_item);
      if (dependence != 0 && (of_term != 0 || !isa<CallBase>(leaf) || (dependence & on_item))) return false;
      of_term |= dependence;
    }
    if (ids & of_term) return false;
    ids |= of_term;
  }
  for (const Instruction& instruction : instructions(kernel))
    if (is_dimension_query(instruction)) asked_for |= forms.of(instruction).dependence() & on_any_id;
  return ids != 0 && ids == asked_for;
}

} // namespace hostcl::compiler
