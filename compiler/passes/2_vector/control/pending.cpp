#include "compiler/passes/2_vector/control/pending.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <utility>

namespace hostcl::compiler {

Pending PendingSets::make(unsigned first, Pending rest) {
  Pending& list = known_[{first, rest}];
  if (!list) list = &lists_.emplace_back(PendingList{first, rest, rest ? rest->size + 1 : 1});
  return list;
}

Pending PendingSets::unite(Pending a, Pending b) {
  llvm::SmallVector<unsigned, 16> firsts;
  while (a && b && a != b) {
    if (b->first < a->first) std::swap(a, b);
    firsts.push_back(a->first);
    if (a->first == b->first) b = b->rest;
    a = a->rest;
  }
  Pending result = a ? a : b;
  for (unsigned first : llvm::reverse(firsts))
    result = make(first, result);
  return result;
}

} // namespace hostcl::compiler
