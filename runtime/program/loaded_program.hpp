#pragma once

// A linked program in memory, and the callbacks for its end.

#include "compiler/compiler.hpp"
#include "runtime/context/context.hpp"
#include "runtime/object/destructor_callbacks.hpp"
#include "runtime/object/object.hpp"
#include "runtime/program/build_inputs.hpp"
#include "runtime/program/loaded_kernel.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace hostcl::runtime {

/// Callbacks of the application for when a program has been destroyed and the destructors of its variables
/// have run. The program and its loaded programs share the object, because commands may use a loaded program
/// longer than the program lives.
class ReleaseCallbacks {
public:
  explicit ReleaseCallbacks(cl_program program) : program_(program) {}
  ~ReleaseCallbacks() { callbacks_.call(program_); }
  DestructorCallbacks<cl_program>& operator*() { return callbacks_; }

private:
  cl_program program_; ///< only passed to the callbacks; the program itself has been destroyed by then
  DestructorCallbacks<cl_program> callbacks_;
};

/// A linked program in memory. Kernels share it with the program: after a rebuild of the program, existing kernels
/// still use the old one.
class LoadedProgram {
public:
  LoadedProgram(Context& context, std::shared_ptr<compiler::Executable> executable,
                std::shared_ptr<ReleaseCallbacks> release);
  ~LoadedProgram();

  std::span<const compiler::KernelSignature> signatures() const { return executable_->kernels(); }
  std::span<const std::shared_ptr<LoadedKernel>> kernels() const { return kernels_; }
  /// Kernels of blocks, by the number that machine code passes to enqueue them.
  std::span<const std::shared_ptr<LoadedKernel>> block_kernels() const { return block_kernels_; }
  /// The kernel of this name, or null.
  LoadedKernel* find(std::string_view name) const;
  std::uint64_t global_variable_bytes() const { return executable_->global_variable_bytes(); }
  /// The variable with this name on the host, and its address; null if there is none.
  std::pair<const compiler::HostVariable*, void*> variable(std::string_view name) const {
    return executable_->variable(name);
  }
  /// What the program was built from; null unless HOSTCL_CAPTURE is set.
  const std::shared_ptr<const BuildInputs>& inputs() const { return inputs_; }
  void set_inputs(std::shared_ptr<const BuildInputs> inputs) { inputs_ = std::move(inputs); }
  bool has_constructors() const { return executable_->has_initialisers(); }
  bool has_destructors() const { return executable_->has_finalisers(); }

private:
  Ref<Context> context_;
  std::shared_ptr<ReleaseCallbacks> release_;
  std::shared_ptr<compiler::Executable> executable_;
  std::shared_ptr<const BuildInputs> inputs_;
  /// Compiler threads hold kernels, but not the program, so that its destructors run when the application
  /// releases the program.
  std::vector<std::shared_ptr<LoadedKernel>> kernels_, block_kernels_;
};

} // namespace hostcl::runtime
