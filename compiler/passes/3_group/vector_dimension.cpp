// Exchanges two dimensions of a kernel, so that the dimension along which lanes are consecutive
// (hostcl.vector_dimension) becomes x, because the vectoriser always works along x. There are two cases. In a group
// with a single work-item along x, such as 1×64, lanes lie along the first dimension with several work-items. In a
// kernel that accesses memory contiguously along y but not along x (2_vector/choose/column_access.hpp), lanes lie
// along y, although groups may have several work-items along x. The pass exchanges the dimensions in all queries of the
// kernel:
//
//   before:  %x = call i64 @__hostcl_local_id(i32 0)        ; "hostcl.vector_dimension"="1"
//            %y = call i64 @__hostcl_local_id(i32 1)
//   after:   %x = call i64 @__hostcl_local_id(i32 1)
//            %y = call i64 @__hostcl_local_id(i32 0)
//
// In the first case lanes are still consecutive in the linear local id, because x has one work-item. In the second case
// they are not, so kernels that use sub-groups never take it. `kernel-entry` exchanges the dimensions of the remaining
// queries back. In: dimensions of queries are constants. Tests: tests/passes/3_group/vector_dimension*.ll

#include "compiler/passes/passes.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/kernel_shape.hpp"
#include "compiler/passes/preserved.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

PreservedAnalyses vector_dimension_pass(Function& function, FunctionAnalysisManager&) {
  const KernelShape shape = kernel_shape(function);
  if (!is_kernel_body(function) || shape.vector_dimension == 0) return PreservedAnalyses::all();
  return change_each(function, [&](Instruction& instruction) {
    if (!is_dimension_query(instruction)) return false;
    auto& query = cast<CallBase>(instruction);
    Type* number = query.getArgOperand(0)->getType();
    query.setArgOperand(0, ConstantInt::get(number, shape.renamed(dimension_of(query))));
    return true;
  });
}

} // namespace hostcl::compiler
