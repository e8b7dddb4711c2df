#include "runtime/program/loaded_program.hpp"

#include "runtime/checks/commands.hpp"
#include "runtime/support/log.hpp"
#include "runtime/threads/background.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace hostcl::runtime {

LoadedProgram::LoadedProgram(Context& context, std::shared_ptr<compiler::Executable> executable,
                             std::shared_ptr<ReleaseCallbacks> release)
    : context_(context), release_(std::move(release)), executable_(std::move(executable)) {
  for (std::size_t i = 0; i < executable_->kernels().size(); ++i)
    kernels_.push_back(std::make_shared<LoadedKernel>(executable_, i));
  for (std::size_t i = 0; i < executable_->block_kernels().size(); ++i)
    block_kernels_.push_back(std::make_shared<LoadedKernel>(executable_, kernels_.size() + i));
}

LoadedProgram::~LoadedProgram() {
  if (global_variable_bytes() > 0) checks::forget_variables();
  if (!executable_->has_finalisers() || !Background::instance().can_compile()) return;
  Background::Compiling compiling;
  if (auto run = executable_->run_finalisers(context_->host_callbacks()); !run)
    log(LogLevel::error, "program-scope destructors failed: ", run.log);
}

LoadedKernel* LoadedProgram::find(std::string_view name) const {
  auto found = std::ranges::find_if(kernels_, [&](const auto& k) { return k->signature().name == name; });
  return found == kernels_.end() ? nullptr : found->get();
}

} // namespace hostcl::runtime
