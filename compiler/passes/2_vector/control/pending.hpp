#pragma once

// Sets of nodes that lanes still have to visit (control.hpp). A set is an immutable linked list in ascending order.
// Lists share their tails, and equal sets are the same list (hash consing). So a switch with thousands of cases, each
// of which hands the remaining cases on to the next, takes linear memory.

#include "llvm/ADT/DenseMap.h"

#include <deque>

namespace llvm {
class BasicBlock;
}

namespace hostcl::compiler {

struct PendingList;
/// A set; null is the empty set.
using Pending = PendingList*;

struct PendingList {
  unsigned first;
  Pending rest;
  unsigned size;
  llvm::BasicBlock* gate = nullptr; ///< a block that jumps to the first node with an active lane, or null
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
