#pragma once

// A kernel of a loaded program: its machine code for launches, and the measured cost of a work-group.
//
// The first launch of a kernel, and the first with more dimensions than those before, waits at most for one version,
// which runs launches of all local sizes. When launches have run it for a good part of the time that the compiler
// takes, a faster one is made in the background, and work-groups that have not begun take it as soon as it is there.

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

class LoadedKernel : public std::enable_shared_from_this<LoadedKernel> {
public:
  /// @param index of a kernel, or of one of a block, as the executable numbers them
  LoadedKernel(std::shared_ptr<compiler::Executable> executable, std::size_t index)
      : LoadedKernel(executable, signature_of(*executable, index), index, nullptr) {}
  ~LoadedKernel();

  const compiler::KernelSignature& signature() const { return signature_; }

  /// The same kernel with machine code for the images and samplers of a launch; this one if there are none.
  /// @param arguments a block of arguments, as abi::Entry takes it; its images are alive
  LoadedKernel& for_images(const std::byte* arguments);

  /// Machine code for a launch; null if the compiler fails, which `log` then explains.
  compiler::KernelChoice code(const abi::NDRange& launch, std::string* log = nullptr);
  /// The best machine code that there is for the launch, which has some.
  compiler::KernelChoice made_code(const abi::NDRange& launch) const {
    return executable_->find(index_, launch);
  }
  /// Has the best code made at the same time as the code that the launch begins with.
  void want_best_code(const abi::NDRange& launch);
  /// The code that suits the launch best, if the compiler can make it.
  void make_best_code(const abi::NDRange& launch);
  /// The lanes of the largest sub-groups in groups of this size, for which code is made.
  std::size_t sub_group_width(const std::array<std::size_t, 3>& local_size);
  /// Compiles the kernel before its first launch.
  void compile_ahead();
  /// Whether compiling it takes so long that it shows in the time of an application's first launch.
  bool is_expensive() const;
  /// Has machine code made by a thread of its own, at some time.
  /// @param launch not used by Wish::ahead
  void compile_in_background(Background::Wish wish, const abi::NDRange& launch) noexcept;
  /// The same for a kernel that has not been launched, unless that was already done for many kernels that have not been
  /// launched either.
  void compile_ahead_in_background() noexcept;
  /// Notes that it was launched or is gone, so that another one may be compiled ahead.
  void forget_ahead() const;
  /// Goes up when there is more code.
  unsigned versions() const { return executable_->versions(index_); }

  /// Notes that work-items ran for `ns` nanoseconds in code that is not the best for their launch.
  /// @returns true, once in a while, when it is time to make better code
  bool note_slow_ns(std::uint64_t ns, const compiler::KernelCode& code);

  /// Whether the kernel is faster in groups that are long along y; false until it has been prepared.
  bool prefers_columns() const { return executable_->prefers_columns(index_); }
  /// Whether it is of use to know if buffers overlap; true until it has been prepared.
  bool gains_apart() const { return executable_->gains_apart(index_); }

  /// True for the first caller.
  bool claim_first_launch() {
    return !launched_.load(std::memory_order_relaxed) && !launched_.exchange(true, std::memory_order_relaxed);
  }

  /// Expected nanoseconds for one work-group of this many items; 0 if it never ran.
  double group_ns(std::uint64_t items) const;
  void note_group_ns(double ns, std::uint64_t items);

private:
  /// @param index that the executable knows the machine code by
  LoadedKernel(std::shared_ptr<compiler::Executable> executable, const compiler::KernelSignature& signature,
               std::size_t index, LoadedKernel* general);
  static const compiler::KernelSignature& signature_of(const compiler::Executable& executable,
                                                       std::size_t index);
  /// True for the first caller, if there has been no launch, and code does not depend on formats of images.
  bool claim_compile_ahead() {
    return !takes_images_ && !launched_.load(std::memory_order_relaxed) &&
           !ahead_.exchange(true, std::memory_order_relaxed);
  }
  void make_wished_code(Background::Wish wish, const abi::NDRange& launch);
  compiler::ImageFacts facts_of(const std::byte* arguments) const;
  LoadedKernel* find(const compiler::ImageFacts& facts);

  std::shared_ptr<compiler::Executable> executable_;
  const compiler::KernelSignature& signature_;
  std::size_t index_;
  /// The kernel for all images, if this is one for some; launches use it, which hold the program.
  LoadedKernel* general_;
  bool takes_images_; ///< or samplers
  Lock lock_;         ///< guards last_* and with_images_
  std::map<compiler::ImageFacts, std::shared_ptr<LoadedKernel>> with_images_;
  abi::NDRange last_launch_{};
  compiler::KernelChoice last_;
  std::atomic<bool> launched_{false}, ahead_{false};
  std::atomic<std::uint64_t> slow_ns_{0};
  std::atomic<unsigned> failures_{0}; ///< of making better code
  std::atomic<float> ns_{0};
  std::atomic<std::uint32_t> items_{0};
  std::atomic<unsigned> measurements_{0}; ///< of a group's cost, until there are a few
};

} // namespace hostcl::runtime
