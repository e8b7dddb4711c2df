#pragma once

// The request to compile a kernel at one fallback level, as a compile server gets it. KernelCompiler, in the
// application's process, decides which levels are tried and remembers failures.

#include "compiler/abi/image_properties.hpp"
#include "compiler/code/fallback_level.hpp"
#include "compiler/code/object_store.hpp"
#include "compiler/code/variant.hpp"
#include "compiler/compiler.hpp"

#include "llvm/Support/Error.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hostcl::compiler {

struct ServedKernel {
  const ModulePtr& program;
  const std::string& name;
  const ImageProperties& images;
  FallbackLevel level;
};

/// Has a compile server prepare the kernel. @returns the kernel properties; nothing if the caller has to
/// prepare it itself
std::optional<llvm::Expected<KernelProperties>> served_properties(const ServedKernel& kernel);

/// Has a compile server compile the kernel; nothing if the caller has to compile it itself.
std::optional<llvm::Expected<KernelObject>> served_object(const ServedKernel& kernel, const Variant& variant);

/// Handles either request in a compile server. @returns the reply
std::vector<std::byte> serve_kernel(std::span<const std::byte> request);

} // namespace hostcl::compiler
