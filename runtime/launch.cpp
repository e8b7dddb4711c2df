#include "runtime/launch.hpp"

#include "runtime/background.hpp"
#include "runtime/counter_cells.hpp"
#include "runtime/log.hpp"
#include "runtime/options.hpp"
#include "runtime/scratch.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace hostcl::runtime {

using compiler::ArgumentKind;

namespace {

/// Below this many nanoseconds a launch is over before another thread has woken up.
constexpr double serial_ns = 30'000;
/// Ranges that threads take from a launch last about this long.
constexpr double grain_ns = 10'000;
/// A launch of unknown cost runs on one thread until it has been measured for this long.
constexpr std::uint64_t probe_ns = 5'000;

/// First launches of kernels, enqueued and without machine code yet.
std::atomic<unsigned> new_launches = 0;

std::uint64_t group_total(const abi::Launch& launch) {
  return launch.group_count[0] * launch.group_count[1] * launch.group_count[2];
}
std::uint64_t items_per_group(const abi::Launch& launch) {
  return launch.local_size[0] * launch.local_size[1] * launch.local_size[2];
}

/// The launch with fewer groups, where no work-item can tell; enough for all threads are left.
abi::Launch with_merged_groups(abi::Launch launch, const compiler::KernelCode& code, unsigned threads) {
  constexpr std::uint64_t most_items = 4096, least_groups = 16;
  if (!code.groups_merge) return launch;
  while (launch.group_count[0] % 2 == 0 && launch.group_count[0] / 2 >= least_groups * threads &&
         launch.local_size[0] * 2 <= most_items) {
    launch.group_count[0] /= 2;
    launch.local_size[0] *= 2;
  }
  return launch;
}

std::uint64_t aligned(std::uint64_t bytes, std::uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// Kernels expect the default floating-point environment, whatever the application's thread has set.
class DefaultFloatEnvironment {
public:
#if defined(__x86_64__)
  DefaultFloatEnvironment() : before_(_mm_getcsr()) {
    if ((before_ & ~status_flags) != defaults) _mm_setcsr(defaults);
  }
  ~DefaultFloatEnvironment() {
    if ((before_ & ~status_flags) != defaults) _mm_setcsr(before_);
  }

private:
  static constexpr unsigned defaults = 0x1f80, status_flags = 0x3f;
  unsigned before_;
#endif
};

} // namespace

KernelWork::KernelWork(Kernel& kernel, const Kernel::Code& code, const abi::Launch& launch)
    : launch_(launch), loaded_(code.program), code_(*code.kernel), signature_(code.kernel->signature()) {
  if (signature_.arguments.size() > inline_references)
    more_references_ = std::make_unique<Memory*[]>(signature_.arguments.size());
  if (signature_.argument_bytes > inline_bytes)
    large_block_ = static_cast<std::byte*>(
        ::operator new(signature_.argument_bytes, std::align_val_t(Command::work_alignment)));
  copy_arguments(kernel);
  if (code_.claim_first_launch()) note_first_launch();
}

KernelWork::~KernelWork() {
  forget_first_launch();
  Memory** references = more_references_ ? more_references_.get() : references_;
  for (std::uint32_t i = 0; i < reference_count_; ++i)
    references[i]->release();
  if (large_block_) ::operator delete(large_block_, std::align_val_t(Command::work_alignment));
}

/// The thread that runs the first of several new kernels compiles it; others begin with the rest.
void KernelWork::note_first_launch() {
  is_first_ = true;
  if (new_launches.fetch_add(1, std::memory_order_relaxed) > 0 && group_total(launch_) > 0)
    Background::instance().compile_ahead(loaded_, code_, launch_);
}

void KernelWork::forget_first_launch() {
  if (is_first_) new_launches.fetch_sub(1, std::memory_order_relaxed);
  is_first_ = false;
}

void KernelWork::copy_arguments(Kernel& kernel) {
  Memory** references = more_references_ ? more_references_.get() : references_;
  std::scoped_lock guard(kernel.lock());
  auto [source, arguments] = kernel.arguments();
  if (!source.empty()) std::memcpy(block(), source.data(), source.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const compiler::KernelArgument& argument = signature_.arguments[i];
    if (Memory* memory = arguments[i].memory; memory && memory->try_retain())
      references[reference_count_++] = memory;
    if (argument.kind == ArgumentKind::local_pointer) {
      // The size for now; place_local_arguments() makes an offset of it.
      std::uint64_t bytes = arguments[i].local_bytes;
      std::memcpy(block() + argument.offset, &bytes, sizeof(bytes));
      has_local_arguments_ = true;
    }
    has_counters_ |= argument.kind == ArgumentKind::counter32 || argument.kind == ArgumentKind::counter64;
  }
}

std::uint64_t KernelWork::estimate(const LoadedKernel& kernel, const abi::Launch& launch) {
  double ns = kernel.group_ns(items_per_group(launch));
  if (ns == 0) return Queue::unknown;
  double total = ns * static_cast<double>(group_total(launch));
  return total > 1e18 ? Queue::unknown : static_cast<std::uint64_t>(total);
}

/// Replaces the buffers of counters by their cells.
void KernelWork::begin_counters() {
  counters_ = std::make_unique<std::byte*[]>(signature_.arguments.size());
  try {
    for (const compiler::KernelArgument& argument : signature_.arguments) {
      bool wide = argument.kind == ArgumentKind::counter64;
      if (!wide && argument.kind != ArgumentKind::counter32) continue;
      std::byte* home;
      std::memcpy(&home, block() + argument.offset, sizeof(home));
      std::uint64_t* cell = counter_cells().enter(home, wide ? 8 : 4);
      counters_[counter_count_++] = home;
      std::memcpy(block() + argument.offset, &cell, sizeof(cell));
    }
  } catch (...) {
    end_counters();
    throw;
  }
}

void KernelWork::end_counters() {
  for (; counter_count_; --counter_count_)
    counter_cells().leave(counters_[counter_count_ - 1]);
}

/// Lays the local arguments out behind the kernel's own local memory. @returns the bytes of a group in all.
std::uint64_t KernelWork::place_local_arguments(std::uint64_t used) {
  if (!has_local_arguments_) return used;
  for (const compiler::KernelArgument& argument : signature_.arguments) {
    if (argument.kind != ArgumentKind::local_pointer) continue;
    std::uint64_t bytes;
    std::memcpy(&bytes, block() + argument.offset, sizeof(bytes));
    used = aligned(used, abi::scratch_alignment);
    std::memcpy(block() + argument.offset, &used, sizeof(used));
    used += bytes;
    // The kernel moves what has a larger alignment up to it.
    if (argument.alignment > abi::scratch_alignment) used += argument.alignment - abi::scratch_alignment;
  }
  return used;
}

cl_int KernelWork::run(Queue& queue) {
  if (group_total(launch_) == 0) return CL_COMPLETE;
  std::string log_text;
  const compiler::KernelCode* code = code_.code(launch_, &log_text);
  if (!code) {
    log(LogLevel::error, "kernel '", signature_.name, "' has no machine code: ", log_text);
    queue.context().notify("kernel '", signature_.name, "' has no machine code: ", log_text);
    return CL_OUT_OF_RESOURCES;
  }
  forget_first_launch();
  if (has_counters_) begin_counters();
  try {
    run_groups(queue.workers(), *code);
  } catch (...) {
    end_counters();
    throw;
  }
  end_counters();
  return CL_COMPLETE;
}

void KernelWork::describe(timeline::Span& span) const {
  span.argument("global_size", launch_.global_size);
  span.argument("global_offset", launch_.global_offset);
  span.argument("local_size", launch_.local_size);
}

/// Runs ranges of groups on whichever thread calls it.
struct KernelWork::Groups {
  const abi::Launch& launch;
  const std::byte* arguments;
  abi::Entry entry;
  std::string_view kernel;
  std::uint64_t local_bytes;
  std::uint64_t context_bytes;
  std::uint64_t total;

  void operator()(std::uint64_t first, std::uint64_t last) const {
    timeline::Span span(timeline::Category::groups, kernel);
    span.argument("first_group", first);
    span.argument("groups", last - first);
    DefaultFloatEnvironment environment;
    ScratchMemory scratch(local_bytes + context_bytes);
    auto run = [&](std::uint64_t from, std::uint64_t to) {
      entry(&launch, arguments, scratch.data(), scratch.data() + local_bytes, from, to);
    };
    if (!options().reverse) return run(first, last);
    for (std::uint64_t group = first; group < last; ++group)
      run(total - 1 - group, total - group);
  }
};

void KernelWork::run_groups(Workers& workers, const compiler::KernelCode& code) {
  const abi::Launch launch = with_merged_groups(launch_, code, workers.threads());
  std::uint64_t total = group_total(launch), items = items_per_group(launch);
  std::uint64_t local_bytes = place_local_arguments(code.static_local_bytes);
  Groups groups{launch,
                block(),
                code.entry,
                signature_.name,
                aligned(local_bytes, abi::scratch_alignment),
                code.context_bytes({launch.local_size[0], launch.local_size[1], launch.local_size[2]}),
                total};
  double group_ns = code_.group_ns(items);
  std::uint64_t done = 0;
  if (group_ns == 0 || group_ns * static_cast<double>(total) < serial_ns || workers.threads() == 1) {
    // One thread; but if the estimate was wrong or there is none, only as far as it takes to know better.
    std::uint64_t begin = now_ns(), elapsed = 0;
    std::uint64_t limit = group_ns == 0 ? probe_ns : static_cast<std::uint64_t>(4 * serial_ns);
    if (workers.threads() == 1) limit = ~std::uint64_t{0};
    std::uint64_t step = group_ns == 0 ? 1 : total;
    while (done < total && elapsed < limit) {
      std::uint64_t last = done + std::min(step, total - done);
      groups(done, last);
      done = last;
      step *= 2;
      elapsed = now_ns() - begin;
    }
    group_ns = static_cast<double>(elapsed) / static_cast<double>(done);
    code_.note_group_ns(group_ns, items);
    if (done == total) return;
  }
  std::uint64_t left = total - done;
  auto grain = static_cast<std::uint64_t>(grain_ns / std::max(group_ns, 0.01)) + 1;
  grain = std::clamp<std::uint64_t>(
      grain, 1, std::max<std::uint64_t>(1, left / (std::uint64_t{4} * workers.threads())));
  std::uint64_t begin = now_ns();
  workers.for_ranges(done, total, grain, groups);
  // Upper bound: all threads were busy all the time.
  double threads = static_cast<double>(std::min<std::uint64_t>(workers.threads(), left));
  code_.note_group_ns(static_cast<double>(now_ns() - begin) * threads / static_cast<double>(left), items);
}

} // namespace hostcl::runtime
