#pragma once

// Finds loops that wait for another work-item (spin locks). If both work-items are lanes of one vector, the lane that
// holds the lock cannot leave the loop to release the lock while another lane still spins. Kernels with such a loop
// therefore run one work-item at a time.

namespace llvm {
class DominatorTree;
class Instruction;
class Loop;
class LoopInfo;
} // namespace llvm

namespace hostcl::compiler {

/// Returns an access of the loop whose result keeps the loop running until another work-item writes to memory; null if
/// there is none. Two kinds of accesses are not counted because they make progress by themselves: a compare-exchange
/// that is retried with the value that it has just seen, and an atomic counter that every iteration advances.
const llvm::Instruction* spinning_access(const llvm::Loop& loop, const llvm::DominatorTree& dominators);

/// Whether the loop may wait for another work-item. A loop does not wait if each iteration makes progress without a
/// write of another work-item, as in a walk over a list: such a loop may be long, but ends by itself.
/// @param of_item whether a single work-item runs the loop
/// @param of_group whether all work-items of a group run the loop together. One work-item may then poll, and tell the
///        other work-items by local or global memory whether to go on. For some loops of this kind that do not wait,
///        the function returns true as well.
bool may_wait(const llvm::Loop& loop, const llvm::DominatorTree& dominators, bool of_item, bool of_group);

/// Returns the spinning access of any loop.
/// @param loops must contain all cycles: there is no irreducible control flow
const llvm::Instruction* find_spinning_access(const llvm::LoopInfo& loops,
                                              const llvm::DominatorTree& dominators);

} // namespace hostcl::compiler
