#pragma once

// One form of a kernel's code, as compile servers are asked for it. Which forms are tried, and what has failed, is the
// business of KernelCompiler in the application.

#include "compiler/abi/image_facts.hpp"
#include "compiler/code/effort.hpp"
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

struct KernelForm {
  const ModulePtr& program;
  const std::string& name;
  const ImageFacts& images;
  Effort effort;
};

/// Has a server prepare the kernel. @returns its traits; nothing where the caller has to do it
std::optional<llvm::Expected<KernelTraits>> served_traits(const KernelForm& form);

/// Has a server compile the kernel; likewise.
std::optional<llvm::Expected<KernelObject>> served_object(const KernelForm& form, const Variant& variant);

/// Does either in a server. @returns the reply
std::vector<std::byte> serve_form(std::span<const std::byte> request);

} // namespace hostcl::compiler
