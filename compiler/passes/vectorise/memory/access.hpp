#pragma once

// How a load or store is done for all lanes, by the shape of its address. memory.cpp writes the forms.

#include "compiler/passes/vectorise/emission.hpp"

namespace hostcl::compiler {

enum class Form {
  scalar,       ///< one access for all lanes; of the last active lane for a store
  row,          ///< one wide access: the stride is the size of what a lane accesses, or its negative
  strided,      ///< wide accesses that leave gaps: the stride is a few times the size
  same,         ///< one access for all lanes, if the addresses turn out to be the same
  scattered,    ///< gather or scatter
  lane_by_lane, ///< in the order of the lanes
};

/// What has to be found true when the program runs; if it is not, the access is scattered.
enum class Condition {
  none,
  no_wrap, ///< the address is affine unless an extension wraps, see Shape::checked
  guessed, ///< the address has the stride that is likely, see LikelyStrides
};

struct Access {
  Form form;
  std::int64_t stride = 0; ///< bytes between lanes, for rows and strided ones
  Condition condition = Condition::none;
};

Access access_of(Emission& e, const llvm::Instruction& instruction);

/// What can be tested when the program runs: whether all active lanes have the guessed address, and where
/// lanes of a guessed shape begin. Either for the address itself, or for the 32-bit index that it rests on.
struct Guess {
  llvm::Value* holds;
  llvm::Value* first; ///< the first lane's address
};
Guess test_guess(Emission& e, llvm::Value* pointer, const Access& access);

} // namespace hostcl::compiler
