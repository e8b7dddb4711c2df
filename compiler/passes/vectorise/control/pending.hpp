#pragma once

// Sets of nodes that lanes still have to visit, see control.hpp. They are lists in ascending order that share
// their ends, and equal sets are one list: of a switch with thousands of cases, each case hands the rest of
// them on to the next.

#include "llvm/ADT/DenseMap.h"

#include <deque>

namespace llvm {
class BasicBlock;
}

namespace hostcl::compiler {

struct PendingList;
/// Null is the empty set.
using Pending = PendingList*;

struct PendingList {
  unsigned first;
  Pending rest;
  unsigned size;
  llvm::BasicBlock* gate = nullptr; ///< a block that tests which of the nodes is next, if there is one
};

class PendingSets {
public:
  Pending insert(Pending set, unsigned node) { return unite(set, make(node, nullptr)); }
  Pending unite(Pending a, Pending b);

private:
  Pending make(unsigned first, Pending rest);

  std::deque<PendingList> lists_;
  llvm::DenseMap<std::pair<unsigned, Pending>, Pending> known_;
};

} // namespace hostcl::compiler
