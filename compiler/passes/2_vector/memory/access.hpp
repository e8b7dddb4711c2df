#pragma once

// Writes the tests at run time on which the form of an access depends (Recipe::confidence).

#include "compiler/passes/2_vector/emission.hpp"

namespace hostcl::compiler {

class AffineTests;

/// The code of a test. The test compares the lanes' addresses with the addresses that the recipe's stride gives, or the
/// lanes' 32-bit indices if a single index of the address is divergent.
struct Guess {
  llvm::Value* holds; ///< i1: the condition holds for all active lanes
  llvm::Value* first; ///< the first lane's address; for Form::same the common address
};

/// The only index of the address that is not uniform; null if there are none or several. @param unit gets the index's
/// scale in bytes
llvm::Value* only_index(const Emission& e, const llvm::GetElementPtrInst& address, std::uint64_t& unit);

/// Writes the test that the lanes' addresses have the stride of the recipe.
Guess test_guess(Emission& e, AffineTests& affine, llvm::Value* pointer, const Recipe& recipe);

/// Copies the metadata of alias analysis (TBAA, scoped noalias).
void keep_metadata(llvm::Instruction* now, const llvm::Instruction& old);

} // namespace hostcl::compiler
