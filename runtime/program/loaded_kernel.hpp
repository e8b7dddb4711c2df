#pragma once

// A kernel of a loaded program: its machine code for launches, and the measured cost of a work-group.
//
// The first launch of a kernel waits for one compilation at most, of tier 0 code that is right for all local sizes. The
// first launch with more dimensions than all launches before, or with ids of 2^31 or more, may also wait for one
// compilation. Kernels that use sub-groups have tier 1 code alone, so each launch that needs another version of the
// code waits. Kernels with images have code for each combination of image properties. When launches have run tier 0
// code for a good part of the time that this code took to compile, tier 1 code is compiled in the background.
// Work-groups that have not begun use the tier 1 code as soon as it is available.

#include "compiler/compiler.hpp"
#include "runtime/support/lock.hpp"
#include "runtime/threads/background.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace hostcl::runtime {

/// A LoadedKernel is owned by its LoadedProgram, and by the background compilations that launches of the kernel have
/// requested. All methods may be called from any thread.
class LoadedKernel : public std::enable_shared_from_this<LoadedKernel> {
public:
  /// @param index an index into executable->kernels(), or kernels().size() plus an index into block_kernels()
  LoadedKernel(std::shared_ptr<compiler::Executable> executable, std::size_t index)
      : LoadedKernel(executable, signature_of(*executable, index), executable->kernel(index), nullptr) {}
  ~LoadedKernel();

  const compiler::KernelSignature& signature() const { return signature_; }

  /// The LoadedKernel whose machine code is compiled for the formats of images and the samplers of a launch. Returns
  /// this object if the kernel has no image or sampler arguments, or if it has code for too many combinations already.
  /// @param arguments an argument block, as abi::Entry takes it; its images must be alive
  LoadedKernel& for_images(const std::byte* arguments);

  /// Machine code for a launch, compiled if necessary. Null if the compiler fails, or if this process has no compiler
  /// (a child of fork()); then `log` says why. Throws std::bad_alloc if memory is short.
  compiler::KernelChoice code(const abi::NDRange& launch, std::string* log = nullptr);
  /// The best machine code for the launch that has already been compiled. At least one version must have been compiled.
  compiler::KernelChoice made_code(const abi::NDRange& launch) const { return kernel_.find(launch); }
  /// Requests tier 1 code from a compiler thread if the launch has none. The first launch of a kernel calls this
  /// function if it is a large launch, before it runs tier 0 code. Does nothing if HOSTCL_CODE is set to tier0 or
  /// tier1, or if the machine has a single thread.
  void want_tier1_code(const abi::NDRange& launch);
  /// Makes tier 1 code for the launch on the calling thread, if the compiler can.
  void make_tier1_code(const abi::NDRange& launch);
  /// The sub-group size that queries report for groups of this size: the required size if the kernel has one, otherwise
  /// the vector width of tier 1 code for a launch of a single group, and the number of work-items if it is smaller.
  /// Compiles this code if necessary.
  std::size_t sub_group_width(const std::array<std::size_t, 3>& local_size);
  /// Makes tier 0 code on the calling thread, before the kernel's first launch.
  void compile_ahead();
  /// Whether the kernel takes so long to compile that compile_ahead() is worth waiting for. False for kernels with
  /// images or samplers, which are not compiled ahead.
  bool is_expensive() const;
  /// Compiles machine code on a compiler thread at some later time.
  /// @param launch not used for Reason::ahead
  void compile_in_background(Background::Reason reason, const abi::NDRange& launch) noexcept;
  /// compile_in_background() for a kernel that has not been launched. Does nothing if many kernels have been compiled
  /// ahead and have not been launched.
  void compile_ahead_in_background() noexcept;
  /// Lowers the number of kernels that have been compiled ahead and not launched, so that another kernel may be
  /// compiled ahead. Called when the kernel is launched for the first time, or destroyed without a launch.
  void forget_ahead() const;
  /// A number that increases when another version of the machine code has been compiled.
  unsigned versions() const { return kernel_.versions(); }

  /// Records that work-items ran for `ns` nanoseconds in tier 0 code.
  /// @returns true when they have run long enough for tier 1 code to be made; then counting starts again
  bool note_slow_ns(std::uint64_t ns, const compiler::KernelCode& code);

  /// Whether the kernel is faster in groups whose longest side is y; false until the compiler has analysed
  /// the kernel.
  bool prefers_columns() const { return kernel_.prefers_columns(); }
  /// Whether code for disjoint buffers would be faster; true until the compiler has analysed the kernel.
  bool gains_if_disjoint() const { return kernel_.gains_if_disjoint(); }

  /// Whether this call is the first one: the caller counts as the first launch of the kernel.
  bool claim_first_launch() {
    return !launched_.load(std::memory_order_relaxed) && !launched_.exchange(true, std::memory_order_relaxed);
  }

  /// Expected nanoseconds for a work-group of this many items; 0 if the kernel has never run.
  double group_ns(std::uint64_t items) const;
  void note_group_ns(double ns, std::uint64_t items);
  /// Whether the next one of the kernel's short launches should be measured: the first eight, and then every sixteenth.
  /// If two threads are in this function, one launch may not count.
  bool is_measured() {
    const unsigned launches = short_launches_.load(std::memory_order_relaxed);
    short_launches_.store(launches + 1, std::memory_order_relaxed);
    return launches < 8 || launches % 16 == 0;
  }
  /// Has the next eight short launches measured.
  void measure_next() { short_launches_.store(0, std::memory_order_relaxed); }

private:
  /// @param general see general_
  LoadedKernel(std::shared_ptr<compiler::Executable> executable, const compiler::KernelSignature& signature,
               compiler::CompiledKernel& kernel, LoadedKernel* general);
  static const compiler::KernelSignature& signature_of(const compiler::Executable& executable,
                                                       std::size_t index);
  /// Whether the caller should compile the kernel ahead: true for the first call, if the kernel has not been launched
  /// and has no image or sampler arguments, on which its code would depend.
  bool claim_compile_ahead() {
    return !takes_images_ && !launched_.load(std::memory_order_relaxed) &&
           !ahead_.exchange(true, std::memory_order_relaxed);
  }
  void make_requested_code(Background::Reason reason, const abi::NDRange& launch);
  compiler::ImageProperties properties_of(const std::byte* arguments) const;
  LoadedKernel* find(const compiler::ImageProperties& properties);

  std::shared_ptr<compiler::Executable> executable_;
  const compiler::KernelSignature& signature_;
  compiler::CompiledKernel& kernel_;
  /// For a kernel with code for certain images: the kernel with code for all images, which owns this object. Only
  /// launches use the pointer, and launches keep the program alive.
  LoadedKernel* general_;
  bool takes_images_; ///< whether the kernel has arguments that are images or samplers
  std::atomic<bool> launched_{false}, ahead_{false};
  std::atomic<float> ns_{0};
  std::atomic<std::uint32_t> items_{0};

  // Threads that run launches write to the following members for each launch, so these have cache lines of their own:
  // threads that enqueue launches read the members above.
  alignas(64) Lock lock_; ///< guards with_images_, last_launch_ and last_
  std::map<compiler::ImageProperties, std::shared_ptr<LoadedKernel>> with_images_;
  abi::NDRange last_launch_{};
  compiler::KernelChoice last_;
  std::atomic<std::uint64_t> slow_ns_{0};
  std::atomic<unsigned> failures_{0}; ///< of attempts to make tier 1 code
  std::atomic<unsigned> short_launches_{0};
  std::atomic<unsigned> measurements_{0}; ///< number of measurements of a group's cost, up to first_few
};

} // namespace hostcl::runtime
