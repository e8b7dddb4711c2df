#pragma once

// A linked program in memory, with what its end calls back.

#include "compiler/compiler.hpp"
#include "runtime/context/context.hpp"
#include "runtime/object/destructor_callbacks.hpp"
#include "runtime/object/object.hpp"
#include "runtime/program/loaded_kernel.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace hostcl::runtime {

/// Callbacks of the application for when a program is gone and the destructors of its variables have run.
/// They are owned by the program and by its loaded programs, which commands may still be using.
class ReleaseCallbacks {
public:
  explicit ReleaseCallbacks(cl_program program) : program_(program) {}
  ~ReleaseCallbacks() { callbacks_.call(program_); }
  DestructorCallbacks<cl_program>& operator*() { return callbacks_; }

private:
  cl_program program_; ///< for reference only: its object has been destroyed when the callbacks see it
  DestructorCallbacks<cl_program> callbacks_;
};

/// A linked program in memory. Kernels share it with the program, so that a rebuild leaves them alone.
class LoadedProgram {
public:
  LoadedProgram(Context& context, std::shared_ptr<compiler::Executable> executable,
                std::shared_ptr<ReleaseCallbacks> release);
  ~LoadedProgram();

  std::span<const compiler::KernelSignature> signatures() const { return executable_->kernels(); }
  std::span<const std::shared_ptr<LoadedKernel>> kernels() const { return kernels_; }
  /// Kernels of blocks, by the number that machine code calls them by.
  std::span<const std::shared_ptr<LoadedKernel>> block_kernels() const { return block_kernels_; }
  /// Null if there is no kernel of this name.
  LoadedKernel* find(std::string_view name) const;
  std::uint64_t global_variable_bytes() const { return executable_->global_variable_bytes(); }
  /// A variable by the host's name for it, and its address, or null.
  std::pair<const compiler::HostVariable*, void*> variable(std::string_view name) const {
    return executable_->variable(name);
  }
  bool has_constructors() const { return executable_->has_initialisers(); }
  bool has_destructors() const { return executable_->has_finalisers(); }

private:
  Ref<Context> context_;
  std::shared_ptr<ReleaseCallbacks> release_;
  std::shared_ptr<compiler::Executable> executable_;
  /// Threads that compile hold kernels, not the program: its destructors run when the application drops it.
  std::vector<std::shared_ptr<LoadedKernel>> kernels_, block_kernels_;
};

} // namespace hostcl::runtime
