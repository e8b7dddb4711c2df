#include "compiler/code/cpu_capabilities.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/TargetParser/Host.h"

#include <algorithm>

namespace hostcl::compiler {

namespace {

/// For each capability, the features that it needs, all of them.
constexpr struct {
  bool Capabilities::* capability;
  llvm::StringLiteral features;
} derived[] = {
    {&Capabilities::gathers, "avx2"},
    {&Capabilities::permutes, "avx2"},
    {&Capabilities::byte_masks, "avx512bw avx512vl"},
    {&Capabilities::compresses, "avx512f avx512vl"},
    {&Capabilities::long_conversions, "avx512dq avx512vl"},
    {&Capabilities::float_parts, "avx512dq avx512vl"},
};

/// Properties of CPUs with these names that LLVM's features and cost model do not tell.
constexpr struct {
  llvm::StringLiteral cpus;
  void (*apply)(Capabilities&);
} exceptions[] = {
    // 512-bit instructions lower the core's clock frequency, which also slows down the code around them.
    {"skylake-avx512 cascadelake cooperlake cannonlake",
     [](Capabilities& cpu) { cpu.vector_bits = std::min(cpu.vector_bits, 256U); }},
    // Zen 4: c[i] = a[i] + b[i] is 1.5 times as fast with non-temporal stores, a transpose 2.0 to 3.0 times.
    // Intel's servers recognise that whole cache lines are overwritten.
    {"znver1 znver2 znver3 znver4 znver5", [](Capabilities& cpu) { cpu.fetches_overwritten = true; }},
    // Zen 4: b[to[i]] = a[i] is 1.8 times as fast without scatters, which take several operations for each
    // lane.
    {"znver1 znver2 znver3 znver4 znver5", [](Capabilities& cpu) { cpu.slow_scattered_access = true; }},
    // On Zen 5, integer operations take two cycles instead of one, but four of them begin in each cycle.
    {"znver5", [](Capabilities& cpu) { cpu.integer_latency = 4; }},
};

/// Features for operating systems, virtual machines, threads and caches, and for matrices in tile registers
/// (AMX). Virtual machines hide many of these features, such as pku and amx-tile, on CPUs that have them.
constexpr llvm::StringLiteral system_features =
    "amx-bf16 amx-complex amx-fp16 amx-int8 amx-tile cldemote clflushopt clwb clzero enqcmd fsgsbase "
    "hreset invpcid kl lwp mwaitx pconfig pku ptwrite rdpid rdpru rtm serialize sgx shstk tsxldtrk uintr "
    "usermsr waitpkg wbnoinvd widekl xsave xsavec xsaveopt xsaves";

bool contains_word(llvm::StringRef words, llvm::StringRef word) {
  return llvm::is_contained(llvm::split(words, ' '), word);
}

} // namespace

llvm::StringMap<bool> host_features() {
  return llvm::sys::getHostCPUFeatures();
}

Capabilities capabilities_of(llvm::StringRef cpu, const llvm::StringMap<bool>& features, bool /*is_host*/) {
  auto has = [&](llvm::StringRef names) {
    return llvm::all_of(llvm::split(names, ' '), [&](llvm::StringRef name) { return features.lookup(name); });
  };
  Capabilities result;
  // Without AVX2, 256-bit vectors are only for floating-point numbers.
  result.vector_bits = has("avx512f avx512vl avx512bw avx512dq") ? 512 : has("avx2") ? 256 : 128;
  for (const auto& row : derived)
    result.*row.capability = has(row.features);
  for (const auto& row : exceptions)
    if (contains_word(row.cpus, cpu)) row.apply(result);
  return result;
}

void set_vector_bits(llvm::Function& function, unsigned bits) {
  function.addFnAttr("prefer-vector-width", std::to_string(bits));
  function.addFnAttr("min-legal-vector-width", std::to_string(bits));
}

const char* why_not_compiled_for(const llvm::MCSubtargetInfo& model) {
  return model.checkFeatures("+64bit") ? nullptr : "has no 64-bit mode";
}

bool is_system_feature(llvm::StringRef feature) {
  return contains_word(system_features, feature);
}

} // namespace hostcl::compiler
