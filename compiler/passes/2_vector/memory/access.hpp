#pragma once

// Writes the tests at run time on which the form of an access depends (Recipe::confidence).

#include "compiler/passes/2_vector/emission.hpp"

namespace hostcl::compiler {

class AffineTests;

/// The code of the test. The test compares all lanes' addresses with those that the condition expects, or all lanes'
/// 32-bit indices if the address depends on one index only.
struct Guess {
  llvm::Value* holds; ///< i1: the condition holds for all active lanes
  llvm::Value* first; ///< the first lane's address; for Form::same the common address
};

/// The only index of the address that is not uniform; null if there are none or several. @param unit gets the index's
/// scale in bytes
llvm::Value* only_index(const Emission& e, const llvm::GetElementPtrInst& address, std::uint64_t& unit);

Guess test_guess(Emission& e, AffineTests& affine, llvm::Value* pointer, const Recipe& recipe);

/// Copies the metadata of alias analysis (TBAA, scoped noalias).
void keep_metadata(llvm::Instruction* now, const llvm::Instruction& old);

} // namespace hostcl::compiler
