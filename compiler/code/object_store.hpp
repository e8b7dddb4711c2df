#pragma once

// A store of the machine code that this process has compiled, by the IR from which it was compiled. Programs
// share code if the preparation of kernels removes all differences between them, such as names of types,
// unused functions, or the form of a call.

#include "compiler/cache/disk_cache.hpp"
#include "compiler/code/pipeline/pipeline.hpp"
#include "compiler/noted_code.hpp"

#include <memory>
#include <string>

namespace hostcl::compiler {

/// The machine code of a kernel for a variant, with the function entry_name().
struct KernelObject {
  CodeProperties code_properties;
  KernelNotes notes;
  std::string object; ///< an object file
};

/// The object that is kept for `key`, or null.
std::shared_ptr<const KernelObject> find_object(const CacheKey& key);

/// Keeps an object. The oldest objects are dropped if all of them have too many bytes.
void keep_object(const CacheKey& key, std::shared_ptr<const KernelObject> object);

} // namespace hostcl::compiler
