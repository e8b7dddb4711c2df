#pragma once

// Computes the high half of 64-bit products, as mul_hi() does, by 32-bit multiplications, which vectors have:
//
//   %a = zext i64 %x to i128                          %low = mul i64 (%x & 0xffffffff), (%y & 0xffffffff)
//   %b = zext i64 %y to i128                 =>       ... three more products of 32 bits, and their sum
//   %h = trunc i128 (lshr i128 (mul i128 %a, %b), 64) to i64
//
// LLVM would extract the elements and multiply them one by one. A factor may be a constant, and the shift may be larger
// than 64.
//
// Gains on an Emerald Rapids Xeon: 2.9 in the median of its three users, which are Montgomery's products, rounds of
// Philox and modular products; on another Xeon with AVX2 code 1.7.
//
// Test: tests/passes/2_vector/values/wide_products.ll

namespace llvm {
class Function;
} // namespace llvm

namespace hostcl::compiler {

void split_wide_products(llvm::Function& kernel);

} // namespace hostcl::compiler
