#include "compiler/code/cpu_capabilities.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"

#include <algorithm>
#include <bit>

#include <asm/hwcap.h>
#include <sys/auxv.h>
#include <sys/prctl.h>

namespace hostcl::compiler {

namespace {

/// Bits that are not in Debian 12's headers of Linux. Processes may execute the instructions of mops only if Linux
/// permits them; with the feature, LLVM uses them for each copy.
constexpr unsigned long hwcap2_cssc = 1UL << 34, hwcap2_mops = 1UL << 43;

/// Features for which LLVM emits instructions without being asked by an intrinsic, and the bits by which Linux says
/// that processes may use them. LLVM's sys::getHostCPUFeatures() knows fewer: it reads /proc/cpuinfo, where it does not
/// look for half arithmetic and dot products, so that a CPU whose model LLVM does not know would not use them.
constexpr struct {
  llvm::StringLiteral feature;
  unsigned long first, second; ///< bits of AT_HWCAP, of AT_HWCAP2
} hardware[] = {
    {"fp-armv8", HWCAP_FP, 0},      {"neon", HWCAP_ASIMD, 0},
    {"lse", HWCAP_ATOMICS, 0},      {"fullfp16", HWCAP_FPHP | HWCAP_ASIMDHP, 0},
    {"fp16fml", HWCAP_ASIMDFHM, 0}, {"rdm", HWCAP_ASIMDRDM, 0},
    {"complxnum", HWCAP_FCMA, 0},   {"rcpc", HWCAP_LRCPC, 0},
    {"rcpc-immo", HWCAP_ILRCPC, 0}, {"dotprod", HWCAP_ASIMDDP, 0},
    {"lse2", HWCAP_USCAT, 0},       {"sha3", HWCAP_SHA3 | HWCAP_SHA512, 0},
    {"i8mm", 0, HWCAP2_I8MM},       {"bf16", 0, HWCAP2_BF16},
    {"sve", HWCAP_SVE, 0},          {"sve2", 0, HWCAP2_SVE2},
    {"f64mm", 0, HWCAP2_SVEF64MM},  {"cssc", 0, hwcap2_cssc},
    {"mops", 0, hwcap2_mops},
};

/// The length of SVE registers in bits, for the CPU models whose registers are longer than the minimum of 128 bits.
constexpr struct {
  llvm::StringLiteral cpus;
  unsigned bits;
} long_registers[] = {
    {"neoverse-v1 neoverse-512tvb", 256},
    {"a64fx", 512},
};

/// The length of the registers of SVE on this machine, as the calling thread may use them.
unsigned host_sve_bits() {
  const int length = prctl(PR_SVE_GET_VL);
  return length < 0 ? 128 : unsigned(length & PR_SVE_VL_LEN_MASK) * 8;
}

unsigned sve_bits_of(llvm::StringRef cpu) {
  for (const auto& row : long_registers)
    if (llvm::is_contained(llvm::split(row.cpus, ' '), cpu)) return row.bits;
  return 128;
}

} // namespace

llvm::StringMap<bool> host_features() {
  const unsigned long first = getauxval(AT_HWCAP), second = getauxval(AT_HWCAP2);
  llvm::StringMap<bool> features;
  for (const auto& row : hardware)
    features[row.feature] = (first & row.first) == row.first && (second & row.second) == row.second;
  return features;
}

// Advanced SIMD, which all 64-bit CPUs of this architecture have, or SVE if its registers are longer.
Capabilities capabilities_of(llvm::StringRef cpu, const llvm::StringMap<bool>& features, bool is_host) {
  Capabilities result{.vector_bits = 128, .gathers = false, .permutes = false, .long_conversions = true};
  const unsigned bits = !features.lookup("sve") ? 128 : is_host ? host_sve_bits() : sve_bits_of(cpu);
  if (bits < 256) return result;
  result.vector_bits = std::min(std::bit_floor(bits), 512U);
  result.gathers = true;
  return result;
}

// LLVM uses SVE for vectors of a fixed size if it knows that a register holds at least 256 bits. Such
// code also runs on longer registers, because its predicates select as many elements as its vectors have.
void set_vector_bits(llvm::Function& function, unsigned bits) {
  constexpr unsigned most = 2048;
  if (bits > 128)
    function.addFnAttr(
        llvm::Attribute::getWithVScaleRangeArgs(function.getContext(), bits / 128, most / 128));
}

const char* why_not_compiled_for(const llvm::MCSubtargetInfo&) {
  return nullptr;
}

// The features of cryptography would be system features. But host_features() returns none of these features except
// sha3, whose bitwise operations LLVM uses in ordinary code.
bool is_system_feature(llvm::StringRef) {
  return false;
}

} // namespace hostcl::compiler
