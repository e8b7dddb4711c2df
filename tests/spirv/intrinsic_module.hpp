#pragma once

// A module that imports an intrinsic of LLVM and calls it once in each work-item:
//   kernel void k(global P* p..., global R* r...) { r[i]... = intrinsic(p[i]..., literals); }
// Booleans lie in memory as numbers of 32 bits.

#include "support/spirv.hpp"

#include "llvm/IR/Function.h"

#include <cstdint>
#include <map>
#include <vector>

namespace test::spirv {

struct Import {
  llvm::Function* function;
  std::map<unsigned, std::uint64_t> literals; ///< operands that must be constants, by their indices
};

/// Whether SPIR-V has the types of the parameters and of the result.
bool is_expressible(const llvm::FunctionType& type);
/// The type itself, or numbers of 32 bits for booleans.
llvm::Type* memory_type(llvm::Type* type);
/// The types of the operands other than constants.
std::vector<llvm::Type*> run_time_parameters(const Import& import);
/// One type, or those of the result's members.
std::vector<llvm::Type*> results_of(const Import& import);

Words intrinsic_module(const Import& import);

} // namespace test::spirv
