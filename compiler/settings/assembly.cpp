#include "compiler/settings/assembly.hpp"

#include <atomic>

namespace hostcl::compiler {

namespace {

std::atomic<bool> allowed_in_process = false;

} // namespace

void allow_assembly(bool allowed) {
  allowed_in_process = allowed;
}

bool is_assembly_allowed() {
  return allowed_in_process;
}

} // namespace hostcl::compiler
