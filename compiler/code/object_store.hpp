#pragma once

// Machine code that this process has made, by the IR it was made from. Programs whose differences the
// optimiser removes - names of types, unused functions, the form of a call - share it.

#include "compiler/cache/disk_cache.hpp"
#include "compiler/code/pipeline/pipeline.hpp"
#include "compiler/noted_code.hpp"

#include <memory>

namespace llvm {
class MemoryBuffer;
}

namespace hostcl::compiler {

/// The machine code of a kernel, which defines entry_name() of the kernel and the variant.
struct KernelObject {
  KernelFacts facts;
  KernelNotes notes;
  std::unique_ptr<llvm::MemoryBuffer> object;
};

/// The object kept for `key`, or null.
std::shared_ptr<const KernelObject> find_object(const CacheKey& key);

/// Keeps an object; the oldest ones go when there are too many bytes.
void keep_object(const CacheKey& key, std::shared_ptr<const KernelObject> object);

} // namespace hostcl::compiler
